"""Vectors of chunks and of their sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from dalil.errors import EmbeddingDimensionError
from dalil.models import (
    EmbeddedChunk,
    EmbeddedSentence,
    EmbeddedSentences,
    ScoredChunk,
    SentenceMatch,
    StoredVectors,
    Vector,
)
from dalil.scope import Scope
from dalil.stores.postgres.chunks import COLUMNS, chunk_keys, chunk_of, ensure_chunks
from dalil.stores.postgres.encoding import (
    Matrix,
    cosines,
    digest,
    is_encodable,
    packed_sentences,
    stored,
    unit_rows,
    unpacked_sentences,
    vector_rows,
    vector_texts,
)
from dalil.stores.postgres.filters import allowed_documents
from dalil.stores.postgres.nearest import nearest
from dalil.stores.postgres.removing import COUNT, remove_vectors
from dalil.stores.postgres.sessions import (
    check_embedder,
    check_writable,
    compare_embedder,
    pin_embedder,
    reading,
    state_of,
    writing,
)


class PostgresVectorStore:
    """The VectorStore port over one session, with exact scoring, sentences and reuse."""

    def __init__(self, session: AsyncSession):
        self._session = session

    async def upsert(self, scope: Scope, records: Sequence[EmbeddedChunk]) -> None:
        """Give these chunks these vectors.

        Raises:
            EmbeddingDimensionError: if the vectors differ in width, are empty or not finite.
            EmbedderMismatchError: if the store's vectors have another origin or width.
        """
        check_writable(self._session)
        if not records:
            return
        matrix, texts = await asyncio.to_thread(_prepared, records)
        async with writing(self._session, scope) as (driver, _):
            namespace = stored(scope.namespace)
            await pin_embedder(driver, state_of(self._session), matrix.shape[1])
            kept = await ensure_chunks(driver, namespace, [record.chunk for record in records])
            rows = {row.key: place for place, row in enumerate(kept)}  # of a chunk given twice the last counts
            await driver.execute(
                "WITH vectors AS (UPDATE dalil_chunks AS c SET embedding = given.embedding::vector, "
                "embed_hash = given.hash FROM unnest($5::bigint[], $6::text[], $7::bytea[]) "
                f"AS given (key, embedding, hash) WHERE c.namespace = $1 AND c.key = given.key) {COUNT}",
                namespace,
                len({row.key for row in kept if not row.has_vector}),
                *(0, 0),
                list(rows),
                [texts[place] for place in rows.values()],
                [digest(records[place].chunk.embed_text) for place in rows.values()],
            )

    async def search(self, scope: Scope, query_vector: Vector, *, k: int) -> Sequence[ScoredChunk]:
        """The `k` chunks of the scope with the greatest cosine.

        Raises:
            EmbeddingDimensionError: if the query is empty or not finite.
            EmbedderMismatchError: if the store's vectors have another origin or width.
        """
        async with reading(self._session, scope) as (driver, namespace):
            held = await _held(driver, namespace)
            if held is None:
                return []
            query = unit_rows([query_vector])[0]
            compare_embedder(state_of(self._session), held["embedder"], held["dimension"], len(query))
            allowed = await allowed_documents(driver, namespace, scope)
            if k <= 0 or not held["vectors"] or (allowed is not None and not allowed):
                return []
            return await nearest(driver, namespace, query, k, allowed, held["vectors"])

    async def delete(self, scope: Scope, document_id: str) -> None:
        """Remove the document's vectors and sentences, if the scope holds it."""
        async with writing(self._session, scope) as (driver, namespace):
            allowed = await allowed_documents(driver, namespace, scope)
            if is_encodable(document_id) and (allowed is None or stored(document_id) in allowed):
                await remove_vectors(driver, namespace, stored(document_id))

    async def similarities(self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The cosine of each of these chunks that the scope holds and that has a vector.

        Raises:
            EmbeddingDimensionError: if the query is empty or not finite.
            EmbedderMismatchError: if the store's vectors have another origin or width.
        """
        async with reading(self._session, scope) as (driver, namespace):
            query = unit_rows([query_vector])[0]
            await check_embedder(driver, state_of(self._session), len(query))
            keys = await chunk_keys(driver, namespace, chunk_ids, await allowed_documents(driver, namespace, scope))
            rows = await driver.fetch(
                "SELECT key, vector_send(embedding) AS embedding FROM dalil_chunks "
                "WHERE namespace = $1 AND key = ANY ($2) AND embedding IS NOT NULL",
                namespace,
                list(keys),
            )
            scores = cosines([row["embedding"] for row in rows], query)
            found = dict(zip((row["key"] for row in rows), scores, strict=True))
            return {identifier: found[key] for key, identifier in keys.items() if key in found}

    async def stored_vectors(self, scope: Scope, embed_texts: Sequence[str]) -> Mapping[str, StoredVectors]:
        """The vectors that the namespace holds for these texts, with their sentences.

        Raises:
            EmbedderMismatchError: if the store's vectors have another origin.
        """
        wanted = {digest(text): text for text in embed_texts}
        async with reading(self._session, scope) as (driver, namespace):
            held = await _held(driver, namespace)
            if held is None:
                return {}
            compare_embedder(state_of(self._session), held["embedder"], None, None)
            rows = await driver.fetch(
                f"SELECT DISTINCT ON (c.embed_hash) c.embed_hash, vector_send(c.embedding) AS embedding, {COLUMNS}, "
                "s.places, s.scales, s.data FROM dalil_chunks AS c LEFT JOIN dalil_sentences AS s "
                "ON s.namespace = $1 AND s.chunk = c.key WHERE c.namespace = $1 AND c.embed_hash = ANY ($2)",
                namespace,
                list(wanted),
            )
            return await asyncio.to_thread(_reusable, rows, wanted) if rows else {}

    # --- sentences ---------------------------------------------------------------------------------------

    async def save_sentences(self, scope: Scope, sentences: Sequence[EmbeddedSentences]) -> None:
        """Keep the sentences of these chunks as int8; chunks that were never stored are left out.

        Raises:
            EmbeddingDimensionError: if a chunk's vectors differ in width, are empty or not finite.
        """
        check_writable(self._session)
        given = {entry.chunk_id: entry.sentences for entry in sentences if entry.sentences}
        if not given:
            return
        packed = await asyncio.to_thread(lambda: {chunk: packed_sentences(own) for chunk, own in given.items()})
        async with writing(self._session, scope) as (driver, namespace):
            allowed = await allowed_documents(driver, namespace, scope)
            keys = await chunk_keys(driver, namespace, list(packed), allowed)
            columns = list(zip(*(packed[identifier] for identifier in keys.values()), strict=True)) or [(), (), ()]
            await driver.execute(
                "INSERT INTO dalil_sentences (namespace, chunk, places, scales, data) "
                "SELECT $1, * FROM unnest($2::bigint[], $3::bytea[], $4::bytea[], $5::bytea[]) "
                "ON CONFLICT (namespace, chunk) DO UPDATE SET places = excluded.places, scales = excluded.scales, "
                "data = excluded.data",
                namespace,
                list(keys),
                *(list(column) for column in columns),
            )

    async def match_sentences(
        self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]
    ) -> Mapping[str, Sequence[SentenceMatch]]:
        """The sentences of these chunks in order, each with its cosine.

        Raises:
            EmbeddingDimensionError: if the stored sentences have vectors of another width.
        """
        async with reading(self._session, scope) as (driver, namespace):
            keys = await chunk_keys(driver, namespace, chunk_ids, await allowed_documents(driver, namespace, scope))
            query = unit_rows([query_vector])[0]
            rows = await driver.fetch(
                "SELECT chunk, places, scales, data FROM dalil_sentences WHERE namespace = $1 AND chunk = ANY ($2)",
                namespace,
                list(keys),
            )
            found = {row["chunk"]: _matches(row, query) for row in rows}
            return {identifier: found[key] for key, identifier in keys.items() if key in found}


async def _held(driver: Any, namespace: str) -> Any:
    """How many vectors the namespace holds, and whose they are in this database; None where it was never used."""
    return await driver.fetchrow(
        "SELECT vectors, (SELECT value FROM dalil_meta WHERE name = 'embedder') AS embedder, "
        "(SELECT value FROM dalil_meta WHERE name = 'dimension') AS dimension "
        "FROM dalil_namespaces WHERE namespace = $1",
        namespace,
    )


def _prepared(records: Sequence[EmbeddedChunk]) -> tuple[Matrix, list[str]]:
    matrix = unit_rows([record.vector for record in records])
    return matrix, vector_texts(matrix)


def _matches(row: Any, query: Matrix) -> list[SentenceMatch]:
    pairs, scales, vectors = unpacked_sentences(row["places"], row["scales"], row["data"])
    if vectors.shape[1] != len(query):
        raise EmbeddingDimensionError(
            f"The stored sentences have {vectors.shape[1]} dimensions, the question has {len(query)}."
        )
    scores = (vectors @ query * scales).tolist()
    return [SentenceMatch(start, end, score) for (start, end), score in zip(pairs, scores, strict=True)]


def _reusable(rows: Sequence[Any], wanted: Mapping[bytes, str]) -> dict[str, StoredVectors]:
    found: dict[str, StoredVectors] = {}
    vectors = vector_rows([row["embedding"] for row in rows]).tolist()
    for row, vector in zip(rows, vectors, strict=True):
        chunk, text = chunk_of(row), wanted[row["embed_hash"]]
        if chunk.embed_text != text:  # changed since it was embedded
            continue
        sentences: list[EmbeddedSentence] = []
        if row["data"] is not None:
            pairs, scales, data = unpacked_sentences(row["places"], row["scales"], row["data"])
            unpacked = (data * scales[:, None]).tolist()
            sentences = [EmbeddedSentence(*pair, own) for pair, own in zip(pairs, unpacked, strict=True)]
        found[text] = StoredVectors(vector, chunk.text, sentences)
    return found
