"""Changes to a namespace's word statistics, gathered in a session and written together.

Documents of one commit share most of their words: one row a word is written, not one a word and document.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable


class WordCounts:
    """What a session has added to and taken from the statistics, and not written yet."""

    def __init__(self) -> None:
        self._containing: dict[int, Counter[str]] = {}
        self._totals: dict[int, tuple[int, int]] = {}  # chunks, tokens

    def add(self, namespace: int, texts: Iterable[str], *, sign: int) -> None:
        """Chunks that came (`sign` 1) or went (-1), as their stored tokens."""
        containing = self._containing.setdefault(namespace, Counter())
        chunks, tokens = self._totals.get(namespace, (0, 0))
        for text in texts:
            words = text.split()
            if sign > 0:
                containing.update(set(words))
            else:
                containing.subtract(set(words))
            chunks += sign
            tokens += sign * len(words)
        self._totals[namespace] = (chunks, tokens)

    def forget(self, namespace: int) -> None:
        """Drop what is gathered for a namespace that goes as a whole."""
        self._containing.pop(namespace, None)
        self._totals.pop(namespace, None)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write what is gathered, in the session's transaction."""
        for namespace, containing in self._containing.items():
            rows = [(namespace, term, count) for term, count in sorted(containing.items()) if count]
            connection.executemany(
                "INSERT INTO term (namespace, term, containing) VALUES (?, ?, ?) "
                "ON CONFLICT (namespace, term) DO UPDATE SET containing = containing + excluded.containing",
                rows,
            )
            connection.executemany(
                "DELETE FROM term WHERE namespace = ? AND term = ? AND containing <= 0",
                [(key, term) for key, term, count in rows if count < 0],
            )
            connection.execute(
                "UPDATE namespace SET worded = worded + ?, tokens = tokens + ? WHERE key = ?",
                (*self._totals[namespace], namespace),
            )
        self._containing.clear()
        self._totals.clear()
