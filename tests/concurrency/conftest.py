from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest

from crash.documents import fill, open_sage
from dalil.sage import RagSage

DOCUMENTS = range(1, 81)


@pytest.fixture
async def sage(tmp_path: Path) -> AsyncIterator[RagSage]:
    """An engine over a store that holds version 1 of every document."""
    sage = open_sage(tmp_path / "store")
    await fill(sage, DOCUMENTS)
    yield sage
    await sage.dispose()


@pytest.fixture
def transactions(tmp_path: Path) -> Callable[[], str]:
    """Which kinds of transaction somebody still holds open, asked from outside."""

    def transactions() -> str:
        with closing(sqlite3.connect(tmp_path / "store" / "dalil.sqlite", timeout=0.2, isolation_level=None)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
            except sqlite3.OperationalError:
                return "writing"
            busy = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]  # waits for every snapshot
            return "reading" if busy else ""

    return transactions


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Every connection that the store opens from now on."""
    from dalil.stores.sqlite import database

    opened: list[sqlite3.Connection] = []
    connect = database.connect

    def counted(file: Path, *, writable: bool = True) -> sqlite3.Connection:
        opened.append(connect(file, writable=writable))
        return opened[-1]

    monkeypatch.setattr(database, "connect", counted)
    return opened


async def breathe(times: int = 20) -> None:
    """Lets what is scheduled on the loop run, threads included."""
    for _ in range(times):
        await asyncio.sleep(0.005)
