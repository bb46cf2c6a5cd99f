"""Stopped in the middle, by Ctrl-C or by force, the store keeps what was committed, and a second run completes it."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from .conftest import COMMAND, Run, environment

DOCUMENTS = 100


@pytest.fixture
def many(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for number in range(DOCUMENTS):
        (tmp_path / "docs" / f"{number:03}.txt").write_text(f"The lamp {number} is green. It stands in room {number}.")
    return tmp_path


def stop_after_the_first_lines(home: Path, how: signal.Signals) -> tuple[int, list[str], str]:
    """The exit code, the documents that were reported, and what was said on stderr."""
    process = subprocess.Popen(
        [*COMMAND, "add", "docs", "--embedder", "fast", "--json"],
        cwd=home,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = [process.stdout.readline() for _ in range(9)]  # so that one group is in, and the next on its way
    process.send_signal(how)
    rest, errors = process.communicate(timeout=60)
    lines = [*first, *rest.splitlines()]
    return process.returncode, [json.loads(line)["source"] for line in lines if line.strip()], errors


def completes(dalil: Run, reported: list[str]) -> None:
    stored = {row["source"] for row in dalil("list", "--json").json}
    assert set(reported) <= stored
    assert len(stored) < DOCUMENTS
    again = dalil("add", "docs", "--json")
    assert again.code == 0
    assert {line["source"] for line in again.lines if line["status"] == "unchanged"} == stored
    rows = dalil("list", "--json").json
    assert len(rows) == DOCUMENTS
    assert all(row["chunks"] == 1 for row in rows)
    for number in (0, DOCUMENTS - 1):
        found = dalil("search", f"room {number}", "--words", "--json", "-k", "1").json
        assert found[0]["source"] == f"docs/{number:03}.txt"


def test_ctrl_c(many: Path, dalil: Run) -> None:
    code, reported, errors = stop_after_the_first_lines(many, signal.SIGINT)
    assert code == 130
    assert errors.count("\n") == 1
    assert errors.startswith("Interrupted.")
    completes(dalil, reported)


def test_kill_9(many: Path, dalil: Run) -> None:
    code, reported, _ = stop_after_the_first_lines(many, signal.SIGKILL)
    assert code == -signal.SIGKILL
    completes(dalil, reported)


def test_ctrl_c_right_at_the_start_shows_no_traceback(many: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "add", "docs", "--embedder", "fast"],
        cwd=many,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(200):  # the store's folder tells that the verb is running
        if (many / ".dalil").exists():
            break
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in out + errors
    assert errors.count("\n") == 1
