"""Whole stores copied: out to a folder, and back in place of what a store holds.

Both go through SQLite's backup in one step: the copy is one state of the source, whoever writes meanwhile, and the
target changes in one transaction or not at all. What derives from the file is built anew beside it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from dalil.errors import StoreCorruptError, StoreUnavailableError
from dalil.stores.sqlite import schema
from dalil.stores.sqlite.connections import connect, explained, is_refused


def copy_store(source: Path, target: Path) -> None:
    """Make the file `target` a copy of the store in the file `source`; its folder is made when it is missing.

    Raises:
        StoreError: if one cannot be read, or the other not written; a store that was at `target` is still there then.
    """
    if source.resolve() == target.resolve():
        raise StoreUnavailableError(f"{target} is the store itself.", advice="Save to another folder.")
    with explained(source), closing(_open_to_read(source)) as reading:
        _check(reading, source)
        with explained(target):
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreUnavailableError(f"The folder {target.parent} cannot be made: {error}.") from error
            schema.check_file(target)
            with closing(connect(target)) as writing:
                reading.backup(writing)
                schema.migrate(writing)  # an older copy, under a store that may be open
                writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def stored_embedder(file: Path) -> str | None:
    """Whose vectors the store in `file` holds; None for one that holds none.

    Raises:
        StoreError: if there is no sound store of a version that this dalil knows.
    """
    with explained(file), closing(_open_to_read(file)) as connection:
        _check(connection, file)
        row = connection.execute("SELECT value FROM meta WHERE name = 'embedder'").fetchone()
        return None if row is None else str(row[0])


def _open_to_read(file: Path) -> sqlite3.Connection:
    if not file.is_file():
        raise StoreUnavailableError(f"There is no store at {file.parent}.")
    schema.check_file(file)
    connection = sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
    except sqlite3.Error as error:
        connection.close()
        if not is_refused(error):
            raise
        connection = connect(file, writable=False)  # a folder in which nobody can write
    return connection


def _check(connection: sqlite3.Connection, file: Path) -> None:
    schema.check_version(connection)
    if schema.read_version(connection) == 0:
        raise StoreCorruptError(f"{file} is empty: it was never finished.")
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreCorruptError(f"{file} is damaged: {found}.")
