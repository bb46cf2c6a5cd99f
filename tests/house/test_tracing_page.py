"""What the page on tracing shows is what happens."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tracing.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def run(command: list[str], place: Path) -> str:
    environment = {**os.environ, "COLUMNS": "130", "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=place, capture_output=True, encoding="utf-8", env=environment, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def test_the_python_block_prints_the_stages(place: Path) -> None:
    (code,) = blocks("python")
    printed = run([sys.executable, "-c", code], place)
    assert [line.split()[0] for line in printed.splitlines()] == ["query", "retrieve", "rerank", "prompt", "generate"]


def test_the_console_block_shows_what_the_command_prints(place: Path) -> None:
    printed = ""
    (block,) = blocks("console")
    for line in block.splitlines():
        if line.startswith("$ dalil "):
            printed = run([sys.executable, "-m", "dalil", *shlex.split(line)[2:]], place)
            continue
        shown = line.removesuffix("...").strip()
        assert shown in "\n".join(text.rstrip() for text in printed.splitlines()), f"not printed: {line}"
