"""The change log: how the derived indexes learn what came and went."""

from __future__ import annotations

import secrets
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Part = Literal["vector", "words"]

KEPT = 4096
"""Changes that stay in the log; an index that is further behind is rebuilt."""


class Position(NamedTuple):
    """A point in the log: the number of its last change, and that change's token."""

    seq: int
    token: int


START = Position(0, 0)


@dataclass(frozen=True)
class Change:
    """Keys of chunks whose vector or words came or went."""

    seq: int
    came: bool
    keys: Sequence[int]


def record(connection: sqlite3.Connection, part: Part, *, came: bool, keys: Sequence[int]) -> None:
    """Write one change, in the caller's transaction."""
    if not keys:
        return
    seq = connection.execute(
        "INSERT INTO change (token, part, came, keys) VALUES (?, ?, ?, ?)",
        (secrets.randbits(62), part, came, array("q", keys).tobytes()),
    ).lastrowid
    if seq and seq % 256 == 0:
        connection.execute("DELETE FROM change WHERE seq <= ?", (seq - KEPT,))


def latest(connection: sqlite3.Connection) -> Position:
    """The last change that this connection sees."""
    row = connection.execute("SELECT seq, token FROM change ORDER BY seq DESC LIMIT 1").fetchone()
    return Position(*row) if row else START


def known(connection: sqlite3.Connection, position: Position) -> bool:
    """Whether `position` is a point of this store's history from which the log is complete."""
    if position == START:
        first = connection.execute("SELECT min(seq) FROM change").fetchone()[0]
        return first is None or first == 1
    row = connection.execute("SELECT token FROM change WHERE seq = ?", (position.seq,)).fetchone()
    return row is not None and int(row[0]) == position.token


def since(connection: sqlite3.Connection, position: Position, part: Part) -> Iterator[Change]:
    """The changes of one part after `position`, oldest first."""
    rows = connection.execute(
        "SELECT seq, came, keys FROM change WHERE seq > ? AND part = ? ORDER BY seq", (position.seq, part)
    )
    for seq, came, keys in rows.fetchall():
        yield Change(seq, bool(came), array("q", keys))


def keys_since(connection: sqlite3.Connection, position: Position, part: Part) -> int:
    """How many keys the changes of one part after `position` name."""
    row = connection.execute(
        "SELECT coalesce(sum(length(keys)), 0) / 8 FROM change WHERE seq > ? AND part = ?", (position.seq, part)
    ).fetchone()
    return int(row[0])
