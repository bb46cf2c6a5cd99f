"""The progress bar and colours appear on a terminal, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import COMMAND, Run, environment

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a thing of POSIX", allow_module_level=True)
import pty

COLOUR = "\x1b["


def on_a_terminal(cwd: Path, *arguments: str, out: bool = True, **env: str) -> tuple[str, str, int]:
    """What a run writes to its terminal (stderr, and stdout too if `out`), what else it writes, and its code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=cwd,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        stdout=theirs if out else subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    elsewhere = b"" if process.stdout is None else process.stdout.read()
    if process.stdout is not None:
        process.stdout.close()
    return seen.decode(), elsewhere.decode(), process.wait(60)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for number in range(12):
        (tmp_path / "docs" / f"{number}.txt").write_text(f"Lamp {number} is green.")
    return tmp_path


def test_a_bar_on_a_terminal(docs: Path) -> None:
    seen, _, code = on_a_terminal(docs, "add", "docs", "--embedder", "fast")
    assert code == 0
    assert "/12" in seen
    assert "chunks" in seen
    assert "12 added" in seen
    assert COLOUR in seen


def test_the_bar_keeps_out_of_piped_output(docs: Path) -> None:
    seen, piped, code = on_a_terminal(docs, "add", "docs", "--embedder", "fast", out=False)
    assert code == 0
    assert "/12" in seen
    assert COLOUR not in piped
    assert piped.startswith("document")
    assert piped.endswith("12 added\n")


def test_no_bar_with_json_or_quiet(docs: Path) -> None:
    seen, piped, code = on_a_terminal(docs, "add", "docs", "--embedder", "fast", "--json", out=False)
    assert (code, seen) == (0, "")
    assert piped.count("\n") == 12
    seen, _, code = on_a_terminal(docs, "add", "docs", "-q")
    assert (code, seen) == (0, "")


def test_no_colour_where_it_is_not_wanted(docs: Path) -> None:
    seen, _, code = on_a_terminal(docs, "add", "docs", "--embedder", "fast", NO_COLOR="1")
    assert code == 0
    assert "\x1b[3" not in seen  # the bar may still move the cursor
    seen, _, code = on_a_terminal(docs, "list", NO_COLOR="1")
    assert code == 0
    assert not any(f"{COLOUR}{number}m" in seen for number in range(30, 48))


def test_no_bar_and_no_colour_off_a_terminal(home: Path, dalil: Run) -> None:
    (home / "docs" / "more.txt").write_text("The bridge is blue.")
    for arguments in (["add", "docs"], ["list"], ["ask", "What colour is the bridge?"], ["show", "docs/more.txt"]):
        ended = dalil(*arguments)
        assert ended.err == ""
        assert "\x1b" not in ended.out
