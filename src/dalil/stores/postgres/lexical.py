"""Words of chunks, with the exact statistics of each namespace."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from dalil.models import Chunk, LexicalSignals, ScoredChunk
from dalil.scope import Scope
from dalil.stores.postgres.chunks import chunk_keys, ensure_chunks
from dalil.stores.postgres.encoding import is_encodable, stored
from dalil.stores.postgres.filters import allowed_documents
from dalil.stores.postgres.postings import packed, scored, signals_of, top
from dalil.stores.postgres.rankings import best
from dalil.stores.postgres.removing import COUNT, remove_words, words_of
from dalil.stores.postgres.sessions import check_writable, reading, state_of, writing
from dalil.text import analyze
from dalil.text.bm25 import QueryScorer, WordStatistics


class PostgresLexicalStore:
    """The LexicalStore port over one session, with exact scoring of any chunk."""

    def __init__(self, session: AsyncSession):
        self._session = session
        self._known: dict[tuple[str, str], tuple[WordStatistics, list[str]]] = {}  # in an unchanging snapshot

    async def index(self, scope: Scope, chunks: Sequence[Chunk]) -> None:
        """Make these chunks findable by the words of their `embed_text`."""
        check_writable(self._session)
        if not chunks:
            return
        analysed = await asyncio.to_thread(lambda: [analyze(chunk.embed_text) for chunk in chunks])
        async with writing(self._session, scope) as (driver, namespace):
            kept = await ensure_chunks(driver, stored(scope.namespace), chunks)
            entries = {
                row.key: (stored(chunk.document_id), tokens)
                for row, chunk, tokens in zip(kept, chunks, analysed, strict=True)
            }
            await remove_words(driver, namespace, list(entries))
            await _insert_words(driver, namespace, entries)

    async def search(self, scope: Scope, query: str, *, k: int) -> Sequence[ScoredChunk]:
        """The `k` chunks of the scope with the best BM25 score; chunks that share no word are left out."""
        async with reading(self._session, scope) as (driver, namespace):
            statistics, terms = await self._statistics(driver, namespace, query)
            if k <= 0 or not any(statistics.containing.values()):
                return []
            allowed = await allowed_documents(driver, namespace, scope)
            postings = await _postings(driver, namespace, list(statistics.containing), allowed)
            scorer = QueryScorer(terms, statistics)
            scores = await asyncio.to_thread(lambda: top(*scored(postings, scorer, statistics), k))
            return await best(driver, namespace, scores, k)

    async def delete(self, scope: Scope, document_id: str) -> None:
        """Remove the document's words, if the scope holds it."""
        async with writing(self._session, scope) as (driver, namespace):
            allowed = await allowed_documents(driver, namespace, scope)
            if is_encodable(document_id) and (allowed is None or stored(document_id) in allowed):
                await remove_words(driver, namespace, await words_of(driver, namespace, stored(document_id)))

    async def lexical_signals(self, scope: Scope, query: str, chunk_ids: Sequence[str]) -> Mapping[str, LexicalSignals]:
        """BM25 and coverage of each of these chunks that the scope holds and that has words."""
        async with reading(self._session, scope) as (driver, namespace):
            allowed = await allowed_documents(driver, namespace, scope)
            keys = await chunk_keys(driver, namespace, chunk_ids, allowed)
            if not keys:
                return {}
            rows = await driver.fetch(
                "SELECT chunk, length, tokens FROM dalil_words WHERE namespace = $1 AND chunk = ANY ($2)",
                namespace,
                list(keys),
            )
            statistics, terms = await self._statistics(driver, namespace, query)
            scorer = QueryScorer(terms, statistics)
            words = {row["chunk"]: row for row in rows}
            return {
                identifier: signals_of(words[key]["tokens"], words[key]["length"], scorer)
                for key, identifier in keys.items()
                if key in words
            }

    async def term_weights(self, scope: Scope, query: str) -> Mapping[str, float]:
        """The idf of each search token of `query` in the scope's namespace; nothing where it holds nothing."""
        async with reading(self._session, scope) as (driver, namespace):
            statistics, terms = await self._statistics(driver, namespace, query)
            return QueryScorer(terms, statistics).weights if statistics.chunks else {}

    async def _statistics(self, driver: Any, namespace: str, query: str) -> tuple[WordStatistics, list[str]]:
        """What the namespace knows of the query's words, and these, analysed."""
        known = self._known.get((namespace, query))
        if known is not None:
            return known
        terms = list(dict.fromkeys(await asyncio.to_thread(analyze, query)))
        row = await driver.fetchrow(
            "SELECT n.worded, n.tokens, t.terms, t.containing FROM dalil_namespaces AS n, "
            "(SELECT array_agg(term) AS terms, array_agg(containing) AS containing FROM dalil_terms "
            "WHERE namespace = $1 AND term = ANY ($2)) AS t WHERE n.namespace = $1",
            namespace,
            terms,
        )
        if row is None:
            return WordStatistics(0, 0, {}), terms
        containing = dict(zip(row["terms"] or (), row["containing"] or (), strict=True))
        statistics = WordStatistics(row["worded"], row["tokens"], containing)
        if state_of(self._session).read_only:
            self._known = {(namespace, query): (statistics, terms)}
        return statistics, terms


async def _insert_words(driver: Any, namespace: str, entries: Mapping[int, tuple[str, list[str]]]) -> None:
    """Write the words of these chunks (document and tokens by key), which have none yet, and count them."""
    rows, containing = await asyncio.to_thread(_index_rows, entries)
    await driver.execute(
        "WITH words AS (INSERT INTO dalil_words (namespace, chunk, document, length, tokens) "
        "SELECT $1, * FROM unnest($5::bigint[], $6::text[], $7::bigint[], $8::text[])), "
        "postings AS (INSERT INTO dalil_postings AS p (namespace, term, document, chunks) "
        "SELECT $1, * FROM unnest($9::text[], $10::text[], $11::bytea[]) "
        "ON CONFLICT (namespace, term, document) DO UPDATE SET chunks = p.chunks || excluded.chunks), "
        "terms AS (INSERT INTO dalil_terms AS t (namespace, term, containing) "
        "SELECT $1, * FROM unnest($12::text[], $13::bigint[]) ON CONFLICT (namespace, term) "
        f"DO UPDATE SET containing = t.containing + excluded.containing) {COUNT}",
        namespace,
        0,
        len(entries),
        sum(len(tokens) for _, tokens in entries.values()),
        list(entries),
        [document for document, _ in entries.values()],
        [len(tokens) for _, tokens in entries.values()],
        ["".join(f" {token} " for token in tokens) for _, tokens in entries.values()],
        [term for term, _, _ in rows],
        [document for _, document, _ in rows],
        [data for _, _, data in rows],
        list(containing),
        list(containing.values()),
    )


def _index_rows(entries: Mapping[int, tuple[str, list[str]]]) -> tuple[list[tuple[str, str, bytes]], dict[str, int]]:
    """The rows of the postings (term, document, chunks) and the chunks that contain each term, both in the order of
    the indexes, so that neighbours are written one after the other."""
    rows: list[tuple[str, str, bytes]] = []
    containing: Counter[str] = Counter()
    for document in dict.fromkeys(document for document, _ in entries.values()):
        own = [(key, tokens) for key, (of, tokens) in entries.items() if of == document]
        rows += ((term, document, data) for term, data in packed(own).items())
        for _, tokens in own:
            containing.update(set(tokens))
    return sorted(rows), dict(sorted(containing.items()))


async def _postings(driver: Any, namespace: str, terms: list[str], allowed: set[str] | None) -> dict[str, bytes]:
    """All postings of each term, joined by the database; with filters, those of the documents they admit."""
    condition, values = ("", ()) if allowed is None else (" AND document = ANY ($3)", (list(allowed),))
    rows = await driver.fetch(
        "SELECT term, string_agg(chunks, ''::bytea) AS chunks FROM dalil_postings "
        f"WHERE namespace = $1 AND term = ANY ($2){condition} GROUP BY term",
        namespace,
        terms,
        *values,
    )
    return {row["term"]: row["chunks"] for row in rows}
