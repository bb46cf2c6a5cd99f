"""The pages made from the program are up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_command_help_and_error_table_are_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, "scripts/write_docs.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
