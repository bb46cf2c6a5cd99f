"""Two commands that add to one store at once both succeed, and a reader in between is not held up."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .conftest import COMMAND, Run, as_process, environment


def start(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, "add", *arguments, "--embedder", "fast", "--json"],
        cwd=home,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_both_succeed_on_a_new_store(dalil: Run, tmp_path: Path) -> None:
    for folder in ("left", "right", "both"):
        (tmp_path / folder).mkdir()
        for number in range(12):
            (tmp_path / folder / f"{number}.txt").write_text(f"The lamp {folder} {number} is green.")
    writers = [start(tmp_path, "left", "both"), start(tmp_path, "right", "both")]
    for writer in writers:
        out, errors = writer.communicate(timeout=120)
        assert (writer.returncode, errors) == (0, "")
        assert out.count("\n") == 24
    assert len(dalil("list", "--json").json) == 36
    assert dalil("search", "right 11", "--words", "--json").json[0]["source"] == "right/11.txt"
    assert as_process("status", "--json", cwd=tmp_path).json["namespaces"][0]["chunks"] == 36
