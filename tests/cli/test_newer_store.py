"""A store that a newer dalil wrote is refused by every verb, and not touched."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from .conftest import Run, one_line


def test_a_newer_store_is_refused_and_left_alone(home: Path, dalil: Run) -> None:
    file = home / ".dalil" / "dalil.sqlite"
    with closing(sqlite3.connect(file)) as store:
        store.execute("PRAGMA user_version = 99")
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = file.read_bytes()
    for arguments in (["list"], ["status"], ["ask", "When?"], ["search", "x"], ["add", "docs"], ["rm", "x"]):
        ended = dalil(*arguments)
        assert (ended.code, ended.out) == (3, "")
        assert one_line(ended.err)
        assert "store_version" in ended.err
        assert "99" in ended.err
    assert file.read_bytes() == before
