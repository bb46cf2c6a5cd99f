"""A scope's filters as look-ups inside the search. Values are always bound, never part of the SQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from math import isnan
from typing import Any

from dalil.scope import DOCUMENT_IDS, Scope, alternatives
from dalil.stores.sqlite.connections import is_encodable

_AT_ONCE = 500  # bound values in one statement


def allowed_documents(connection: sqlite3.Connection, namespace: int, scope: Scope) -> set[int] | None:
    """The keys of the documents that pass the scope's filters; None when there are no filters."""
    allowed: set[int] | None = None
    for name, wanted in scope.filters.items():
        values = [value for value in alternatives(wanted) if _is_plain(value)]
        if not _is_plain(name):
            passing = set()
        elif name == DOCUMENT_IDS:
            passing = _lookup(
                connection, "SELECT key FROM document WHERE namespace = ? AND id IN", (namespace,), values
            )
        else:
            passing = _lookup(
                connection,
                "SELECT document FROM field WHERE namespace = ? AND name = ? AND value IN",
                (namespace, name),
                [value for value in values if value is not None],
            )
            if None in values:
                passing |= _lookup(
                    connection,
                    "SELECT document FROM field WHERE value IS NULL AND namespace = ? AND name = ? AND 1 IN",
                    (namespace, name),
                    [1],
                )
        allowed = passing if allowed is None else allowed & passing
    return allowed


def field_rows(namespace: int, document: int, metadata: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
    """The rows of the `field` table for a document's metadata."""
    for name, held in metadata.items():
        if not _is_plain(name):
            continue
        for value in alternatives(held):
            if _is_plain(value):
                yield namespace, name, value, document


def _is_plain(value: Any) -> bool:
    """Whether SQLite can hold the value and compare it as Python does."""
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    if isinstance(value, float):
        return not isnan(value)  # SQLite would make it NULL
    if isinstance(value, str):
        return is_encodable(value)
    return value is None


def _lookup(connection: sqlite3.Connection, query: str, fixed: tuple[Any, ...], values: list[Any]) -> set[int]:
    found: set[int] = set()
    for start in range(0, len(values), _AT_ONCE):
        batch = values[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(batch))
        found.update(key for (key,) in connection.execute(f"{query} ({marks})", (*fixed, *batch)))
    return found
