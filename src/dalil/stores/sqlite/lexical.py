"""Words of chunks, with the exact statistics of each namespace."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from dalil.models import Chunk, LexicalSignals, ScoredChunk
from dalil.scope import Scope
from dalil.stores.sqlite import changes, rankings
from dalil.stores.sqlite.rankings import Candidates
from dalil.stores.sqlite.rows import select_in
from dalil.stores.sqlite.session import SqliteSession
from dalil.stores.sqlite.vectors import chunk_keys, document_keys
from dalil.text import analyze
from dalil.text.bm25 import QueryScorer, WordStatistics

PROPOSALS = 3
"""The word index proposes this many times k (at least 150); each proposal is scored exactly."""
FEW_CHUNKS = 256
"""So few chunks are scored without asking the word index."""


class SqliteLexicalStore:
    """The LexicalStore port over one session, with exact scoring of any chunk."""

    def __init__(self, session: SqliteSession):
        self._session = session
        self._scored: tuple[str, dict[int, LexicalSignals]] = ("", {})  # of the last query, in an unchanging snapshot

    async def index(self, scope: Scope, chunks: Sequence[Chunk]) -> None:
        """Make these chunks findable by the words of their `embed_text`."""
        self._session.check_writable()
        if not chunks:
            return

        def work(connection: sqlite3.Connection) -> None:
            namespace = self._session.ensure_namespace(scope)
            keys = self._session.chunk_keys(namespace, chunks)
            known = [key for (key,) in select_in(connection, "SELECT chunk FROM words WHERE chunk IN", keys)]
            _forget(self._session, namespace, known)
            rows = [
                (key, len(tokens), "".join(f" {token} " for token in tokens))
                for key, tokens in zip(keys, (analyze(chunk.embed_text) for chunk in chunks), strict=True)
            ]
            connection.executemany("INSERT INTO words (chunk, length, tokens) VALUES (?, ?, ?)", rows)
            self._session.word_counts.add(namespace, (tokens for _, _, tokens in rows), sign=1)
            changes.record(connection, "words", came=True, keys=keys)

        await self._session.run(work)

    async def search(self, scope: Scope, query: str, *, k: int) -> Sequence[ScoredChunk]:
        """The `k` chunks of the scope with the best BM25 score; chunks that share no word are left out."""

        def work(connection: sqlite3.Connection) -> Sequence[ScoredChunk]:
            namespace = self._session.namespace(scope)
            terms = analyze(query)
            if namespace is None or not terms:
                return []
            scorer = QueryScorer(terms, _statistics(self._session, namespace, terms))
            allowed = self._session.allowed(namespace, scope)
            count = max(150, PROPOSALS * k)
            while True:
                candidates = self._propose(connection, namespace, allowed, scorer, count)
                keys = list(dict.fromkeys([*candidates.proposed, *candidates.others]))
                scored = _score(connection, namespace, scorer, keys, allowed)
                scores = {key: signals.bm25 for key, signals in scored.items()}
                if self._session.read_only:
                    self._scored = (query, scored)
                if rankings.is_settled(scores, candidates, k):
                    return rankings.best(connection, scores, k)
                count *= 4  # the filters removed too many, or too many are equal: ask for more

        return await self._session.run(work)

    async def delete(self, scope: Scope, document_id: str) -> None:
        """Remove the document's words, if the scope holds it."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            namespace = self._session.namespace(scope)
            for document in document_keys(self._session, scope, document_id):
                assert namespace is not None
                remove(self._session, namespace, document)

        await self._session.run(work)

    async def lexical_signals(self, scope: Scope, query: str, chunk_ids: Sequence[str]) -> Mapping[str, LexicalSignals]:
        """BM25 and coverage of each of these chunks that the scope holds and that has words."""

        def work(connection: sqlite3.Connection) -> Mapping[str, LexicalSignals]:
            namespace, keys = chunk_keys(self._session, scope, chunk_ids)
            known = self._scored[1] if self._scored[0] == query else {}
            found = {key: known[key] for key in keys if key in known}
            others = [key for key in keys if key not in known]
            if others:
                terms = analyze(query)
                scorer = QueryScorer(terms, _statistics(self._session, namespace, terms))
                found.update(_score(connection, namespace, scorer, others, None, every=True))
            return {keys[key]: signals for key, signals in found.items()}

        return await self._session.run(work)

    async def term_weights(self, scope: Scope, query: str) -> Mapping[str, float]:
        """The idf of each search token of `query` in the scope's namespace."""

        def work(connection: sqlite3.Connection) -> Mapping[str, float]:
            namespace = self._session.namespace(scope)
            terms = analyze(query)
            return {} if namespace is None else QueryScorer(terms, _statistics(self._session, namespace, terms)).weights

        return await self._session.run(work)

    def _propose(
        self,
        connection: sqlite3.Connection,
        namespace: int,
        allowed: set[int] | None,
        scorer: QueryScorer,
        count: int,
    ) -> Candidates:
        """Keys worth scoring."""
        few = _few_chunks(connection, namespace, allowed)
        if few is not None:
            return Candidates(few, complete=True)
        view = self._session.words
        if view is None or not changes.known(connection, view.position):  # no index yet: everything is scored
            query = "SELECT w.chunk FROM words w JOIN chunk c ON c.key = w.chunk WHERE c.namespace = ?"
            return Candidates([key for (key,) in connection.execute(query, (namespace,))], complete=True)
        proposed = self._session.database.words.propose(view, namespace, scorer.weights, count)
        unheard = [
            key for change in changes.since(connection, view.position, "words") if change.came for key in change.keys
        ]
        return Candidates(proposed, unheard, complete=len(proposed) < count)


def remove(session: SqliteSession, namespace: int, document: int) -> None:
    """Remove the words of a document, by key, and take them out of the namespace's statistics."""
    query = "SELECT w.chunk FROM words w JOIN chunk c ON c.key = w.chunk WHERE c.document = ?"
    _forget(session, namespace, [key for (key,) in session.connection.execute(query, (document,))])


def _forget(session: SqliteSession, namespace: int, keys: Sequence[int]) -> None:
    if not keys:
        return
    connection = session.connection
    rows = list(select_in(connection, "SELECT tokens FROM words WHERE chunk IN", keys))
    session.word_counts.add(namespace, (tokens for (tokens,) in rows), sign=-1)
    connection.executemany("DELETE FROM words WHERE chunk = ?", [(key,) for key in keys])
    changes.record(connection, "words", came=False, keys=keys)


def _statistics(session: SqliteSession, namespace: int, terms: Sequence[str]) -> WordStatistics:
    connection = session.connection
    session.word_counts.write(connection)
    totals = connection.execute("SELECT worded, tokens FROM namespace WHERE key = ?", (namespace,)).fetchone()
    rows = select_in(
        connection,
        "SELECT term, containing FROM term WHERE namespace = ? AND term IN",
        list(dict.fromkeys(terms)),
        (namespace,),
    )
    chunks, tokens = totals or (0, 0)
    return WordStatistics(chunks, tokens, dict(rows))


def _few_chunks(connection: sqlite3.Connection, namespace: int, allowed: set[int] | None) -> Sequence[int] | None:
    """The keys to look at when there are so few that an index saves nothing; else None."""
    if allowed is not None and len(allowed) > FEW_CHUNKS:
        return None
    if allowed is None:
        query = "SELECT key FROM chunk WHERE namespace = ? LIMIT ?"
        worded = connection.execute("SELECT worded FROM namespace WHERE key = ?", (namespace,)).fetchone()[0]
        if worded > FEW_CHUNKS:
            return None
        rows = connection.execute(query, (namespace, FEW_CHUNKS * 4 + 1)).fetchall()
    else:
        rows = list(select_in(connection, "SELECT key FROM chunk WHERE document IN", list(allowed)))
    return [key for (key,) in rows] if len(rows) <= FEW_CHUNKS * 4 else None


def _score(
    connection: sqlite3.Connection,
    namespace: int,
    scorer: QueryScorer,
    keys: Sequence[int],
    allowed: set[int] | None,
    *,
    every: bool = False,
) -> dict[int, LexicalSignals]:
    """The signals of those chunks that the namespace holds; only of those that match, unless `every`."""
    query = (
        "SELECT w.chunk, w.length, w.tokens, c.document FROM words AS w JOIN chunk AS c ON c.key = w.chunk "
        "WHERE +c.namespace = ? AND w.chunk IN"  # "+": by the keys, not by the namespace's index
    )
    padded = [(term, f" {term} ") for term in scorer.weights]
    found: dict[int, LexicalSignals] = {}
    for key, length, tokens, document in select_in(connection, query, keys, (namespace,)):
        if allowed is not None and document not in allowed:
            continue
        counts = {term: count for term, needle in padded if (count := tokens.count(needle))}
        if counts or every:
            found[key] = scorer.score(counts, length)
    return found
