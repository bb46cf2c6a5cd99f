"""The tables, and how older ones become newer ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from dalil.errors import StoreCorruptError, StoreVersionError

_FIRST = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE namespace (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    worded INTEGER NOT NULL DEFAULT 0,      -- chunks with words
    tokens INTEGER NOT NULL DEFAULT 0       -- search tokens in all of them
);

CREATE TABLE document (
    key INTEGER PRIMARY KEY,
    namespace INTEGER NOT NULL REFERENCES namespace (key),
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    metadata TEXT NOT NULL,                 -- JSON
    warnings TEXT NOT NULL DEFAULT '[]',    -- JSON
    added_at TEXT NOT NULL,
    saved INTEGER NOT NULL,                 -- 0: only chunks are known, the document itself was never saved
    UNIQUE (namespace, id)
);
CREATE INDEX document_by_hash ON document (namespace, content_hash);

-- One row for each plain value of a document's metadata: what filters look up.
CREATE TABLE field (
    namespace INTEGER NOT NULL,
    name TEXT NOT NULL,
    value,
    document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE
);
CREATE INDEX field_by_value ON field (namespace, name, value, document);
CREATE INDEX field_by_document ON field (document);

CREATE TABLE page (
    document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document, number)
) WITHOUT ROWID;

CREATE TABLE chunk (
    key INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice: the derived indexes hold it
    namespace INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES document (key) ON DELETE CASCADE,
    id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    page INTEGER NOT NULL,
    text TEXT NOT NULL,
    embed_text TEXT NOT NULL,               -- what precedes `text` in it, or all of it (see `whole`)
    whole INTEGER NOT NULL,                 -- 1: embed_text does not end with text
    metadata TEXT NOT NULL,                 -- JSON
    spans TEXT NOT NULL,                    -- JSON
    UNIQUE (namespace, id)
);
CREATE INDEX chunk_by_document ON chunk (document, ordinal);

CREATE TABLE vector (
    chunk INTEGER PRIMARY KEY REFERENCES chunk (key) ON DELETE CASCADE,
    namespace INTEGER NOT NULL,
    embed_hash BLOB NOT NULL,
    data BLOB NOT NULL                      -- float32, unit length
);
CREATE INDEX vector_by_text ON vector (namespace, embed_hash);

CREATE TABLE sentence (
    chunk INTEGER PRIMARY KEY REFERENCES chunk (key) ON DELETE CASCADE,
    places BLOB NOT NULL,                   -- int32 pairs: start and end in the chunk's text
    scales BLOB NOT NULL,                   -- float32, one a sentence
    data BLOB NOT NULL                      -- int8, one row a sentence; times its scale: the unit vector
);

CREATE TABLE words (
    chunk INTEGER PRIMARY KEY REFERENCES chunk (key) ON DELETE CASCADE,
    length INTEGER NOT NULL,
    tokens TEXT NOT NULL                    -- each token between two blanks
);

CREATE TABLE term (
    namespace INTEGER NOT NULL,
    term TEXT NOT NULL,
    containing INTEGER NOT NULL,            -- chunks that contain it
    PRIMARY KEY (namespace, term)
) WITHOUT ROWID;

-- What derived indexes must still hear of: keys that came (1) or went (0).
CREATE TABLE change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    token INTEGER NOT NULL,                 -- random: tells one history from another with the same numbers
    part TEXT NOT NULL,                     -- 'vector' or 'words'
    came INTEGER NOT NULL,
    keys BLOB NOT NULL                      -- int64
);
"""

_PAGE_DETAILS = """
ALTER TABLE page ADD COLUMN details TEXT NOT NULL DEFAULT '';  -- JSON, or empty
ALTER TABLE page ADD COLUMN geometry BLOB;                     -- where its words stand
"""

_STEPS = (_FIRST, _PAGE_DETAILS)
"""What leads from each version to the next: `_STEPS[n]` makes version n + 1."""

VERSION = len(_STEPS)


def read_version(connection: sqlite3.Connection) -> int:
    """The schema version of the file; 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to `VERSION` in one transaction. Does nothing when it is there already.

    Raises:
        StoreVersionError: if a newer dalil wrote it.
        StoreCorruptError: if it is a database of something else.
    """
    check_version(connection)
    if read_version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = read_version(connection)  # another process may have been quicker
        if version == 0 and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StoreCorruptError("The store's file is a database of another program.")
        for step in _STEPS[version:]:
            for statement in _statements(step):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def check_file(file: Path) -> None:
    """Refuse a file that is not ours before anything about it is changed, its journal mode included.

    Raises:
        StoreVersionError: if a newer dalil wrote it.
        StoreCorruptError: if it is a database of something else.
    """
    if not file.exists() or not file.stat().st_size:
        return
    with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as connection:
        try:
            check_version(connection)
            version = read_version(connection)
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except sqlite3.OperationalError:
            return  # busy, or on a read-only disk: opening it for good will tell
    if tables if version == 0 else not tables >= {"meta", "namespace", "document", "chunk", "change"}:
        raise StoreCorruptError("The store's file is a database of another program.")


def check_version(connection: sqlite3.Connection) -> None:
    """Refuse a store of a newer version.

    Raises:
        StoreVersionError: if a newer dalil wrote it.
    """
    found = read_version(connection)
    if found > VERSION:
        raise StoreVersionError(
            f"The store has schema version {found}; this dalil knows up to {VERSION}.",
            details={"found": found, "known": VERSION},
        )


def _statements(script: str) -> list[str]:
    lines = (line.split("--")[0].rstrip() for line in script.splitlines())
    return [part.strip() for part in "\n".join(lines).split(";") if part.strip()]
