"""The Python of docs/evaluation.md runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "evaluation.md"


def test_the_example_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("ThresholdCheck(passed=True, failures=())\ncorrect 1.0 ")
