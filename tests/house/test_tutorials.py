"""What the tutorials show is what happens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)

RUN = """
import contextlib, io, json, sys
names = {"__name__": "tutorial"}
for code in json.load(sys.stdin):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "tutorial", "exec"), names)
    print(json.dumps(said.getvalue()))
"""


def blocks(page: str) -> list[tuple[str, str]]:
    """Each block of Python and the output that is shown under it."""
    found: list[tuple[str, str]] = []
    for kind, body in BLOCK.findall((ROOT / "docs" / page).read_text("utf-8")):
        found = [*found, (body, "")] if kind == "python" else [*found[:-1], (found[-1][0], body)]
    return found


@pytest.mark.parametrize("page", ["tutorial.md", "tutorial.ar.md"])
def test_every_block_prints_what_is_shown(page: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    shown = blocks(page)
    run = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", RUN],
        cwd=tmp_path,
        input=json.dumps([code for code, _ in shown]),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=150,
    )
    assert run.returncode == 0, run.stderr
    printed = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(shown) > 8
    for (code, expected), said in zip(shown, printed, strict=True):
        assert said.rstrip() == expected.rstrip(), code
