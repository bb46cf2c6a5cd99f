"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ELLIPSIS = "..."


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "reports").mkdir()
    (folder / "reports" / "one.txt").write_text("The revenue of 2026 was 5 million.", "utf-8")
    return folder


def run(command: list[str], place: Path) -> str:
    environment = {**os.environ, "COLUMNS": "130", "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=place, capture_output=True, encoding="utf-8", env=environment, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("code", blocks("python"))
def test_python_blocks_run(code: str, place: Path) -> None:
    said = run([sys.executable, "-c", code], place)
    assert "31 March" in said


def test_console_blocks_show_what_the_command_prints(place: Path) -> None:
    printed = ""
    for block in blocks("console"):
        for line in block.splitlines():
            if line.startswith("$ dalil "):
                printed = run([sys.executable, "-m", "dalil", *shlex.split(line)[2:]], place)
                continue
            shown = line.removesuffix(ELLIPSIS).strip()
            assert shown in "\n".join(text.rstrip() for text in printed.splitlines()), f"not printed: {line}"


def test_every_linked_file_exists() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
