"""Vectors of chunks and of their sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

import numpy as np

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
from dalil.stores.sqlite import changes, rankings
from dalil.stores.sqlite.connections import is_encodable
from dalil.stores.sqlite.rankings import Candidates
from dalil.stores.sqlite.rows import embed_hash, read_chunks, select_in
from dalil.stores.sqlite.scans import Matrix
from dalil.stores.sqlite.session import SqliteSession

PROPOSALS = 3
"""The scan proposes this many times k (at least 100); each proposal is scored exactly."""


class SqliteVectorStore:
    """The VectorStore port over one session, with exact scoring, sentences and reuse."""

    def __init__(self, session: SqliteSession):
        self._session = session

    async def upsert(self, scope: Scope, records: Sequence[EmbeddedChunk]) -> None:
        """Give these chunks these vectors.

        Raises:
            EmbeddingDimensionError: if the vectors differ in width, are empty or not finite.
            EmbedderMismatchError: if the store's vectors have another origin or width.
        """
        self._session.check_writable()
        if not records:
            return
        matrix = await self._session.run(lambda _: unit_rows([record.vector for record in records]))

        def work(connection: sqlite3.Connection) -> None:
            self._session.pin_embedder(matrix.shape[1])
            namespace = self._session.ensure_namespace(scope)
            keys = self._session.chunk_keys(namespace, [record.chunk for record in records])
            connection.executemany(
                "INSERT OR REPLACE INTO vector (chunk, namespace, embed_hash, data) VALUES (?, ?, ?, ?)",
                [
                    (key, namespace, embed_hash(record.chunk.embed_text), row.tobytes())
                    for key, record, row in zip(keys, records, matrix, strict=True)
                ],
            )
            changes.record(connection, "vector", came=True, keys=keys)

        await self._session.run(work)

    async def search(self, scope: Scope, query_vector: Vector, *, k: int) -> Sequence[ScoredChunk]:
        """The `k` chunks of the scope with the greatest cosine.

        Raises:
            EmbedderMismatchError: if the store's vectors have another origin or width.
        """

        def work(connection: sqlite3.Connection) -> Sequence[ScoredChunk]:
            namespace = self._session.namespace(scope)
            if namespace is None:
                return []
            query = unit_rows([query_vector])[0]
            self._session.check_embedder(len(query))
            allowed = self._session.allowed(namespace, scope)
            if allowed is not None and not allowed:
                return []
            count = max(100, PROPOSALS * k)
            while True:
                candidates = self._propose(connection, namespace, allowed, query, count)
                scores = _cosines(connection, namespace, query, [*candidates.proposed, *candidates.others])
                if rankings.is_settled(scores, candidates, k):
                    return rankings.best(connection, scores, k)
                count *= 4

        return await self._session.run(work)

    async def delete(self, scope: Scope, document_id: str) -> None:
        """Remove the document's vectors and sentences, if the scope holds it."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            for document in document_keys(self._session, scope, document_id):
                remove(connection, document)

        await self._session.run(work)

    async def similarities(self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The cosine of each of these chunks that the scope holds and that has a vector.

        Raises:
            EmbedderMismatchError: if the store's vectors have another origin or width.
        """

        def work(connection: sqlite3.Connection) -> Mapping[str, float]:
            namespace, keys = chunk_keys(self._session, scope, chunk_ids)
            query = unit_rows([query_vector])[0]
            self._session.check_embedder(len(query))
            scores = _cosines(connection, namespace, query, list(keys))
            return {keys[key]: score for key, score in scores.items()}

        return await self._session.run(work)

    async def stored_vectors(self, scope: Scope, embed_texts: Sequence[str]) -> Mapping[str, StoredVectors]:
        """The vectors that the namespace holds for these texts, with their sentences.

        Raises:
            EmbedderMismatchError: if the store's vectors have another origin.
        """

        def work(connection: sqlite3.Connection) -> Mapping[str, StoredVectors]:
            namespace = self._session.namespace(scope)
            if namespace is None:
                return {}
            self._session.check_embedder()
            wanted = {embed_hash(text): text for text in embed_texts}
            query = "SELECT v.embed_hash, v.chunk, v.data FROM vector AS v WHERE v.namespace = ? AND v.embed_hash IN"
            rows = {found: (key, data) for found, key, data in select_in(connection, query, [*wanted], (namespace,))}
            chunks = read_chunks(connection, [key for key, _ in rows.values()])
            sentences = _sentences(connection, [key for key, _ in rows.values()])
            return {
                wanted[found]: StoredVectors(
                    np.frombuffer(data, np.float32).tolist(), chunks[key].text, sentences.get(key, ())
                )
                for found, (key, data) in rows.items()
                if chunks[key].embed_text == wanted[found]
            }

        return await self._session.run(work)

    def _propose(
        self, connection: sqlite3.Connection, namespace: int, allowed: set[int] | None, query: Matrix, count: int
    ) -> Candidates:
        """Keys worth scoring."""
        if not self._session.has_written:
            index = self._session.database.vectors
            index.sync(connection)
            candidates = index.propose(connection, namespace, allowed, query, count)
            if candidates is not None:
                return candidates
        rows = connection.execute(
            "SELECT v.chunk, c.document FROM vector v JOIN chunk c ON c.key = v.chunk WHERE v.namespace = ?",
            (namespace,),
        )
        keys = [key for key, document in rows if allowed is None or document in allowed]
        return Candidates(keys, complete=True)

    # --- sentences ---------------------------------------------------------------------------------------

    async def save_sentences(self, scope: Scope, sentences: Sequence[EmbeddedSentences]) -> None:
        """Keep the sentences of these chunks as int8; chunks that were never stored are left out."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            _, keys = chunk_keys(self._session, scope, [entry.chunk_id for entry in sentences])
            by_id = {identifier: key for key, identifier in keys.items()}
            connection.executemany(
                "INSERT OR REPLACE INTO sentence (chunk, places, scales, data) VALUES (?, ?, ?, ?)",
                [
                    (by_id[entry.chunk_id], *_packed(entry.sentences))
                    for entry in sentences
                    if entry.sentences and entry.chunk_id in by_id
                ],
            )

        await self._session.run(work)

    async def match_sentences(
        self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]
    ) -> Mapping[str, Sequence[SentenceMatch]]:
        """The sentences of these chunks in order, each with its cosine.

        Raises:
            EmbeddingDimensionError: if the stored sentences have vectors of another width.
        """

        def work(connection: sqlite3.Connection) -> Mapping[str, Sequence[SentenceMatch]]:
            _, keys = chunk_keys(self._session, scope, chunk_ids)
            query = unit_rows([query_vector])[0]
            matches: dict[str, Sequence[SentenceMatch]] = {}
            statement = "SELECT chunk, places, scales, data FROM sentence WHERE chunk IN"
            rows = list(select_in(connection, statement, list(keys)))
            for key, places, scales, data in rows:
                factors = np.frombuffer(scales, np.float32)
                vectors = np.frombuffer(data, np.int8).reshape(len(factors), -1)
                if vectors.shape[1] != len(query):
                    raise EmbeddingDimensionError(
                        f"The stored sentences have {vectors.shape[1]} dimensions, the question has {len(query)}."
                    )
                scores = vectors @ query * factors
                matches[keys[key]] = [
                    SentenceMatch(start, end, score)
                    for (start, end), score in zip(
                        np.frombuffer(places, np.int32).reshape(-1, 2).tolist(), scores.tolist(), strict=True
                    )
                ]
            return matches

        return await self._session.run(work)


def unit_rows(vectors: Sequence[Vector]) -> Matrix:
    """The vectors as rows of length one (zero vectors stay zero).

    Raises:
        EmbeddingDimensionError: if they differ in width, are empty or not finite.
    """
    width = len(vectors[0])
    if width == 0 or any(len(vector) != width for vector in vectors):
        raise EmbeddingDimensionError("The embedder gave vectors of different widths, or empty ones.")
    matrix = np.array([np.asarray(vector, dtype=np.float64) for vector in vectors])
    if not np.isfinite(matrix).all():
        raise EmbeddingDimensionError("The embedder gave a vector that is not finite.")
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    rows: Matrix = (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return rows


def remove(connection: sqlite3.Connection, document: int) -> None:
    """Remove the vectors and sentences of a document, by key."""
    inside = "chunk IN (SELECT key FROM chunk WHERE document = ?)"
    keys = [key for (key,) in connection.execute(f"SELECT chunk FROM vector WHERE {inside}", (document,))]
    connection.execute(f"DELETE FROM vector WHERE {inside}", (document,))
    connection.execute(f"DELETE FROM sentence WHERE {inside}", (document,))
    changes.record(connection, "vector", came=False, keys=keys)


def chunk_keys(session: SqliteSession, scope: Scope, chunk_ids: Sequence[str]) -> tuple[int, dict[int, str]]:
    """The scope's namespace, and the keys of those of these chunks that it admits."""
    namespace = session.namespace(scope)
    if namespace is None:
        return 0, {}
    allowed = session.allowed(namespace, scope)
    query = "SELECT key, id, document FROM chunk WHERE namespace = ? AND id IN"
    known = [identifier for identifier in chunk_ids if is_encodable(identifier)]
    rows = select_in(session.connection, query, known, (namespace,))
    return namespace, {key: identifier for key, identifier, document in rows if allowed is None or document in allowed}


def document_keys(session: SqliteSession, scope: Scope, document_id: str) -> list[int]:
    namespace = session.namespace(scope)
    if namespace is None or not is_encodable(document_id):
        return []
    allowed = session.allowed(namespace, scope)
    query = "SELECT key FROM document WHERE namespace = ? AND id = ?"
    rows = session.connection.execute(query, (namespace, document_id)).fetchall()
    return [key for (key,) in rows if allowed is None or key in allowed]


def _cosines(connection: sqlite3.Connection, namespace: int, query: Matrix, keys: Sequence[int]) -> dict[int, float]:
    """Exact cosines, in double precision so that they do not depend on which rows stand beside them."""
    # "+" keeps SQLite from walking the whole namespace by its index when there are more than a few keys.
    statement = "SELECT chunk, data FROM vector WHERE +namespace = ? AND chunk IN"
    rows = list(select_in(connection, statement, keys, (namespace,)))
    if not rows:
        return {}
    matrix: Matrix = np.frombuffer(b"".join(data for _, data in rows), np.float32).reshape(len(rows), -1)
    scores = matrix.astype(np.float64) @ query.astype(np.float64)
    return dict(zip((key for key, _ in rows), scores.tolist(), strict=True))


def _packed(sentences: Sequence[EmbeddedSentence]) -> tuple[bytes, bytes, bytes]:
    matrix = unit_rows([sentence.vector for sentence in sentences])
    greatest = np.abs(matrix).max(axis=1, keepdims=True)
    scales = (np.where(greatest > 0, greatest, 1) / 127).astype(np.float32)
    places = np.array([(sentence.start, sentence.end) for sentence in sentences], dtype=np.int32)
    return places.tobytes(), scales.tobytes(), np.rint(matrix / scales).astype(np.int8).tobytes()


def _sentences(connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, list[EmbeddedSentence]]:
    found: dict[int, list[EmbeddedSentence]] = {}
    rows = select_in(connection, "SELECT chunk, places, scales, data FROM sentence WHERE chunk IN", keys)
    for key, places, scales, data in rows:
        factors = np.frombuffer(scales, np.float32)[:, None]
        vectors = np.frombuffer(data, np.int8).reshape(len(factors), -1) * factors
        pairs = np.frombuffer(places, np.int32).reshape(-1, 2).tolist()
        found[key] = [
            EmbeddedSentence(start, end, vector) for (start, end), vector in zip(pairs, vectors.tolist(), strict=True)
        ]
    return found
