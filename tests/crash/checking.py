"""Whether a store is whole: what every test that kills, races or cancels asks in the end."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from dalil.identity import content_hash
from dalil.sage import StoreKit
from dalil.stores.sqlite import changes
from dalil.stores.sqlite.rows import embed_hash
from dalil.stores.sqlite.word_index import WordIndex
from dalil.text import analyze

from .documents import chunks_of, id_of, mark_of, name_of, open_sage, scope_of, text_of, vector_of

GONE = None
"""The version of a document that is not there."""

FILE = "dalil.sqlite"
_ORPHANS = {
    f"{table} rows without their {parent}": (
        f"SELECT count(*) FROM {table} WHERE {column} NOT IN (SELECT key FROM {parent})"  # noqa: S608
    )
    for table, column, parent in (
        ("document", "namespace", "namespace"),
        ("page", "document", "document"),
        ("field", "document", "document"),
        ("chunk", "document", "document"),
        ("vector", "chunk", "chunk"),
        ("sentence", "chunk", "chunk"),
        ("words", "chunk", "chunk"),
        ("term", "namespace", "namespace"),
    )
}
_INCOMPLETE = {
    f"chunks without their {table} row": (
        f"SELECT count(*) FROM chunk WHERE key NOT IN (SELECT chunk FROM {table})"  # noqa: S608
    )
    for table in ("vector", "sentence", "words")
}
_COUNTS = {
    **_ORPHANS,
    **_INCOMPLETE,
    "documents that were never saved": "SELECT count(*) FROM document WHERE NOT saved",
    "documents without pages": "SELECT count(*) FROM document WHERE key NOT IN (SELECT document FROM page)",
    "documents without chunks": "SELECT count(*) FROM document WHERE key NOT IN (SELECT document FROM chunk)",
    "chunks in another namespace than their document": (
        "SELECT count(*) FROM chunk c JOIN document d ON d.key = c.document WHERE c.namespace <> d.namespace"
    ),
    "vectors in another namespace than their chunk": (
        "SELECT count(*) FROM vector v JOIN chunk c ON c.key = v.chunk WHERE c.namespace <> v.namespace"
    ),
}


async def examine(
    folder: Path, allowed: Mapping[int, Collection[int | None]], *, searched: Collection[int] | None = None
) -> dict[int, int | None]:
    """Opens the store, looks at every row, and returns the version of each document in `allowed` that it holds.

    Each must be one of the versions allowed for it, whole: its pages, its chunks, their vectors, words and
    sentences; and those in `searched` (all by default) must be found by their words and by their vectors. No other
    document and no stray row may be there; the word statistics must be those of the rows; the derived indexes must
    be in step once the store is closed.

    Raises:
        AssertionError: naming everything that is wrong.
    """
    sage = open_sage(folder)
    try:
        await sage.migrate()
        with closing(_reading(folder)) as connection:
            problems = [*inconsistencies(connection)]
            held = _versions(connection, problems)
        for number in held.keys() - allowed.keys():
            problems.append(f"{name_of(number)} was never added")
        found = {number: held.get(number, GONE) for number in allowed}
        problems += [
            f"{name_of(number)} is version {found[number]}, not one of {sorted(map(str, versions))}"
            for number, versions in allowed.items()
            if found[number] not in versions
        ]
        assert not problems, "\n".join(problems)
        problems += await _lost(sage, found, allowed if searched is None else searched)
    finally:
        await sage.dispose()
    problems += _out_of_step(folder)
    assert not problems, "\n".join(problems)
    return found


def inconsistencies(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with the rows of a store of these tests, whatever documents it holds."""
    damage = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    if damage != ["ok"]:
        yield f"the file is damaged: {damage[:5]}"
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        yield "references to rows that are not there"
    for what, query in _COUNTS.items():
        count = connection.execute(query).fetchone()[0]
        if count:
            yield f"{count} {what}"
    yield from _wrong_chunks(connection)
    yield from _wrong_statistics(connection)


def _wrong_chunks(connection: sqlite3.Connection) -> Iterator[str]:
    """Chunks whose words, vector or text are not what their pages say."""
    pages = {(key, number): text for key, number, text in connection.execute("SELECT document, number, text FROM page")}
    query = (
        "SELECT c.id, c.document, c.text, c.embed_text, c.whole, c.spans, w.tokens, w.length, v.embed_hash, v.data, "
        "length(s.places), length(s.data) FROM chunk c JOIN words w ON w.chunk = c.key "
        "JOIN vector v ON v.chunk = c.key JOIN sentence s ON s.chunk = c.key"
    )
    for row in connection.execute(query):
        chunk, document, text, embed_text, whole, spans, tokens, length, hashed, data, places, sentences = row
        embed_text = embed_text if whole else embed_text + text
        sliced = [pages.get((document, page), "")[start:end] for page, start, end in json.loads(spans)]
        if "\n".join(sliced) != text:
            yield f"chunk {chunk} is not what its pages say"
        if tokens.split() != analyze(embed_text) or length != len(tokens.split()):
            yield f"chunk {chunk} has the words of another text"
        expected = np.array(vector_of(embed_text))
        expected /= np.linalg.norm(expected)
        if hashed != embed_hash(embed_text) or not np.allclose(np.frombuffer(data, np.float32), expected, atol=1e-6):
            yield f"chunk {chunk} has the vector of another text"
        if places < 8 or sentences != places // 8 * 16:
            yield f"chunk {chunk} has half of its sentences"


def _wrong_statistics(connection: sqlite3.Connection) -> Iterator[str]:
    """Word statistics that differ from those counted anew."""
    containing: Counter[tuple[int, str]] = Counter()
    worded: Counter[int] = Counter()
    totals: Counter[int] = Counter()
    for namespace, tokens in connection.execute(
        "SELECT c.namespace, w.tokens FROM words w JOIN chunk c ON c.key = w.chunk"
    ):
        words = tokens.split()
        containing.update((namespace, word) for word in set(words))
        worded[namespace] += 1
        totals[namespace] += len(words)
    stored = {(row[0], row[1]): row[2] for row in connection.execute("SELECT namespace, term, containing FROM term")}
    if stored != containing:
        yield f"wrong counts of {len(stored.items() ^ containing.items())} terms"
    for key, name, chunks, tokens in connection.execute("SELECT key, name, worded, tokens FROM namespace"):
        if (chunks, tokens) != (worded[key], totals[key]):
            yield f"namespace {name} counts {chunks} chunks and {tokens} words, not {worded[key]} and {totals[key]}"


def _versions(connection: sqlite3.Connection, problems: list[str]) -> dict[int, int]:
    """The version of every document in the store; those that are not one whole version are problems."""
    held: dict[int, int] = {}
    pages = _grouped(connection, "SELECT document, text FROM page ORDER BY document, number")
    chunks = _grouped(connection, "SELECT document, ordinal, text FROM chunk ORDER BY document, ordinal")
    query = (
        "SELECT d.key, d.id, d.source, d.content_hash, d.metadata, n.name "
        "FROM document d JOIN namespace n ON n.key = d.namespace"
    )
    for key, identifier, source, hashed, metadata, namespace in connection.execute(query):
        number, version = int(source.partition(".")[0]), json.loads(metadata)["version"]
        held[number] = version
        text = text_of(number, version)
        if (identifier, namespace) != (id_of(number), scope_of(number).namespace):
            problems.append(f"{source} stands under another id or in another namespace")
        if hashed != content_hash(text.encode()) or "\f".join(row[0] for row in pages.get(key, ())) != text:
            problems.append(f"{source} does not have the pages of its version {version}")
        expected = [(chunk.ordinal, chunk.text) for chunk in chunks_of(number, version)]
        if chunks.get(key, []) != expected:
            problems.append(f"{source} does not have the {len(expected)} chunks of its version {version}")
    return held


def _grouped(connection: sqlite3.Connection, query: str) -> dict[int, list[tuple[Any, ...]]]:
    """Rows by their first column."""
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for key, *values in connection.execute(query):
        groups.setdefault(key, []).append(tuple(values))
    return groups


async def _lost(sage: Any, held: Mapping[int, int | None], searched: Collection[int]) -> list[str]:
    """Documents that a search does not find, or still finds though they are gone."""
    stores = StoreKit.sqlite()
    problems = []
    for number in searched:
        version, scope = held[number], scope_of(number)
        async with sage.database.session(scope, read_only=True) as session:
            words, vectors = stores.lexical_store(session), stores.vector_store(session)
            if version is GONE:
                found = await vectors.search(scope, vector_of(chunks_of(number, 1)[0].text), k=1)
                if any(scored.chunk.document_id == id_of(number) for scored in found):
                    problems.append(f"{name_of(number)} is gone and still found by its vector")
                continue
            expected = chunks_of(number, version)
            by_words = await words.search(scope, mark_of(number, version), k=len(expected) + 5)
            if sorted(scored.chunk.text for scored in by_words) != sorted(chunk.text for chunk in expected):
                problems.append(f"word search finds {len(by_words)} of {name_of(number)}'s {len(expected)} chunks")
            if await words.search(scope, mark_of(number, version - 1), k=1):
                problems.append(f"word search finds an older version of {name_of(number)}")
            for chunk in (expected[0], expected[-1]):
                best = await vectors.search(scope, vector_of(chunk.text), k=1)
                if [scored.chunk.text for scored in best] != [chunk.text]:
                    problems.append(f"vector search does not find {name_of(number)}'s chunk {chunk.ordinal}")
    return problems


def _out_of_step(folder: Path) -> Iterator[str]:
    """A word index that, in a closed store, does not hold exactly the store's chunks."""
    with closing(_reading(folder)) as connection:
        chunks = connection.execute("SELECT count(*) FROM words").fetchone()[0]
        latest = connection.execute("SELECT max(seq) FROM change WHERE part = 'words'").fetchone()[0]
        view = WordIndex(folder).view()
        if not chunks:
            return
        if view is None:
            yield "a closed store has no word index"
        elif view.searcher.num_docs != chunks:
            yield f"the word index holds {view.searcher.num_docs} chunks, the store {chunks}"
        elif not changes.known(connection, view.position) or view.position.seq < latest:
            yield "the word index is behind a closed store"


def _reading(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(folder / FILE))}?mode=ro", uri=True)
