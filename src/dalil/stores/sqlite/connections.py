"""Opening the file, and what SQLite's errors mean to the user."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import quote

from dalil.errors import (
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreReadOnlyError,
    StoreUnavailableError,
)

WAIT_FOR_WRITER = 300.0
"""Seconds that a writer waits for its turn behind another process."""
_PATIENCE = 200  # milliseconds until it asks whether it is still wanted


def connect(file: Path, *, writable: bool = True) -> sqlite3.Connection:
    """A connection in autocommit mode, set up for one writer beside many readers."""
    if writable:
        connection = sqlite3.connect(file, timeout=WAIT_FOR_WRITER, isolation_level=None, check_same_thread=False)
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
    else:
        # On a read-only disk SQLite cannot make the shared memory that WAL needs; nobody else can write either.
        address = f"file:{quote(str(file))}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -32000")
    return connection


def begin_writing(connection: sqlite3.Connection, gave_up: Callable[[], bool]) -> None:
    """BEGIN IMMEDIATE, in turn behind other processes. SQLite's own wait cannot be ended, so it is taken in pieces."""
    deadline = monotonic() + WAIT_FOR_WRITER
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not _is(error, "SQLITE_BUSY", "SQLITE_LOCKED") or monotonic() > deadline or gave_up():
                    raise
    finally:
        connection.execute(f"PRAGMA busy_timeout = {round(WAIT_FOR_WRITER * 1000)}")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to WAL. SQLite does not wait for its turn to do so when others open a new store at the same time."""
    deadline = monotonic() + WAIT_FOR_WRITER
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not _is(error, "SQLITE_BUSY", "SQLITE_LOCKED") or monotonic() > deadline:
                connection.close()
                raise
            sleep(0.02)
        except BaseException:
            connection.close()
            raise


def is_refused(error: sqlite3.Error) -> bool:
    """Whether the disk or the permissions forbid writing."""
    return _is(error, "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")


def _is(error: sqlite3.Error, *names: str) -> bool:
    return (getattr(error, "sqlite_errorname", "") or "").startswith(names)


def is_encodable(text: str) -> bool:
    """Whether SQLite can hold the text: lone surrogates are no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def explained(file: Path) -> Iterator[None]:
    """Turns SQLite's errors into dalil's."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explain(error, file) from error
    except UnicodeEncodeError as error:
        raise StoreError(
            "The store cannot hold text with lone surrogates.", advice="Give names and texts that are valid Unicode."
        ) from error


def _explain(error: sqlite3.Error, file: Path) -> StoreError:
    if _is(error, "SQLITE_BUSY", "SQLITE_LOCKED"):
        return StoreBusyError(f"Another process is writing to {file}.")
    if _is(error, "SQLITE_READONLY"):
        return StoreReadOnlyError(f"The store at {file} cannot be written.")
    if _is(error, "SQLITE_FULL"):
        return StoreReadOnlyError("The disk is full.")
    if _is(error, "SQLITE_CANTOPEN"):
        return StoreUnavailableError(f"The store at {file} cannot be opened.")
    if _is(error, "SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return StoreCorruptError(f"The store's file {file} is damaged or no dalil store.")
    if _is(error, "SQLITE_IOERR"):
        return StoreUnavailableError(f"The disk failed while using {file}: {error}.")
    return StoreError(f"The store at {file} failed: {error}.")
