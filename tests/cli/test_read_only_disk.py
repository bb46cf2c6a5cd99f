"""From a store that cannot be written everything can still be read, and writing says so."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .conftest import Ended, as_process, bound_by_permissions, one_line

MOUNTED = (
    "unshare",
    "-m",
    "sh",
    "-c",
    'mount --bind .dalil .dalil && mount -o remount,ro,bind .dalil && exec "$@"',
    "-",
)


def on_a_read_only_disk(home: Path) -> tuple[str, ...]:
    if not shutil.which("unshare") or os.geteuid() != 0:
        pytest.skip("only root with unshare can mount a read-only disk here")
    tried = subprocess.run([*MOUNTED, "touch", ".dalil/x"], cwd=home, capture_output=True, text=True, check=False)
    if "Read-only" not in tried.stderr:
        pytest.skip(f"a read-only disk cannot be mounted here: {tried.stderr.strip()}")
    return MOUNTED


def check(home: Path, before: tuple[str, ...]) -> None:
    def dalil(*arguments: str) -> Ended:
        return as_process(*arguments, cwd=home, before=before)

    for arguments, said in (
        (["list"], "docs/tower.txt"),
        (["ask", "When was the tower of Amra built?"], "1903"),
        (["search", "tower"], "docs/tower.txt"),
        (["search", "tower", "--words"], "docs/tower.txt"),
        (["show", "docs/tower.txt"], "41 metres"),
        (["status"], "2 documents"),
    ):
        ended = dalil(*arguments)
        assert (ended.code, ended.err) == (0, "")
        assert said in ended.out
    (home / "docs" / "more.txt").write_text("The bridge is blue.")
    for arguments in (["add", "docs/more.txt"], ["rm", "docs/tower.txt"]):
        ended = dalil(*arguments)
        assert (ended.code, ended.out) == (3, "")
        assert one_line(ended.err), ended.err
        assert "store_read_only" in ended.err


def test_a_disk_that_is_mounted_read_only(home: Path) -> None:
    check(home, on_a_read_only_disk(home))
    assert len(as_process("list", "--json", cwd=home).json) == 2


def test_a_store_that_may_only_be_read(home: Path) -> None:
    before = bound_by_permissions()
    store = home / ".dalil"
    everything = [store, *store.rglob("*")]
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        check(home, before)
    finally:
        for path in everything:
            path.chmod(0o755 if path.is_dir() else 0o644)
