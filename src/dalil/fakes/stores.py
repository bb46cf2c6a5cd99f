"""The three stores in memory, with everything that a store may offer beyond its port.

Made from one session they share its state: saving or deleting a document also removes its vectors and words.
Made without one, each stands alone and filters by the metadata of its chunks.
"""

from __future__ import annotations

import builtins
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite, sqrt
from typing import Any

from dalil.errors import EmbedderMismatchError, EmbeddingDimensionError
from dalil.fakes.database import Entry, FakeSession, Namespace
from dalil.models import (
    Chunk,
    Document,
    DocumentRecord,
    EmbeddedChunk,
    EmbeddedSentences,
    LexicalSignals,
    Page,
    ScoredChunk,
    SentenceMatch,
    StoredVectors,
    Vector,
)
from dalil.scope import Scope
from dalil.text import analyze
from dalil.text.bm25 import QueryScorer, WordStatistics


class FakeVectorStore:
    """Chunks by cosine, with exact scoring, reuse of vectors, and sentences."""

    def __init__(self, session: FakeSession | None = None) -> None:
        self._session = FakeSession() if session is None else session

    async def upsert(self, scope: Scope, records: Sequence[EmbeddedChunk]) -> None:
        """Raises EmbeddingDimensionError or EmbedderMismatchError for vectors that cannot stand beside the others."""
        namespace = self._session.writing(scope)
        vectors = [_unit(record.vector) for record in records]
        for vector in vectors:
            self._check_width(vector, len(vectors[0]))
        for record, vector in zip(records, vectors, strict=True):
            self._session.state.dimension = len(vector)
            namespace.chunks[record.chunk.id] = record.chunk
            namespace.vectors[record.chunk.id] = vector

    async def search(self, scope: Scope, query_vector: Vector, *, k: int) -> Sequence[ScoredChunk]:
        namespace = self._session.reading(scope)
        return _best(namespace, self._cosines(namespace, namespace.admitted(scope), query_vector), k)

    async def delete(self, scope: Scope, document_id: str) -> None:
        namespace = self._session.writing(scope)
        for chunk_id in _deletable(namespace, scope, document_id):
            namespace.vectors.pop(chunk_id, None)
            namespace.sentences.pop(chunk_id, None)

    async def similarities(self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        namespace = self._session.reading(scope)
        return self._cosines(namespace, _known(namespace, scope, chunk_ids), query_vector)

    async def stored_vectors(self, scope: Scope, embed_texts: Sequence[str]) -> Mapping[str, StoredVectors]:
        namespace = self._session.reading(scope)
        wanted = set(embed_texts)
        return {
            chunk.embed_text: StoredVectors(vector, chunk.text, namespace.sentences.get(chunk_id, ()))
            for chunk_id, vector in namespace.vectors.items()
            if (chunk := namespace.chunks[chunk_id]).embed_text in wanted
        }

    async def save_sentences(self, scope: Scope, sentences: Sequence[EmbeddedSentences]) -> None:
        namespace = self._session.writing(scope)
        for entry in sentences:
            if entry.sentences and _known(namespace, scope, [entry.chunk_id]):
                namespace.sentences[entry.chunk_id] = tuple(
                    replace(sentence, vector=_unit(sentence.vector)) for sentence in entry.sentences
                )

    async def match_sentences(
        self, scope: Scope, query_vector: Vector, chunk_ids: Sequence[str]
    ) -> Mapping[str, Sequence[SentenceMatch]]:
        namespace = self._session.reading(scope)
        query = _unit(query_vector)
        for chunk in _known(namespace, scope, chunk_ids):
            for sentence in namespace.sentences.get(chunk.id, ()):
                if len(sentence.vector) != len(query):
                    raise EmbeddingDimensionError("The stored sentences have vectors of another width.")
        return {
            chunk.id: [
                SentenceMatch(sentence.start, sentence.end, _dot(sentence.vector, query))
                for sentence in namespace.sentences[chunk.id]
            ]
            for chunk in _known(namespace, scope, chunk_ids)
            if chunk.id in namespace.sentences
        }

    def _cosines(self, namespace: Namespace, chunks: Iterable[Chunk], query_vector: Vector) -> dict[str, float]:
        query = _unit(query_vector)
        self._check_width(query, len(query))
        return {chunk.id: _dot(namespace.vectors[chunk.id], query) for chunk in chunks if chunk.id in namespace.vectors}

    def _check_width(self, vector: Vector, width: int) -> None:
        pinned = self._session.state.dimension
        if len(vector) != width:
            raise EmbeddingDimensionError("The embedder gave vectors of different widths, or empty ones.")
        if pinned is not None and pinned != len(vector):
            raise EmbedderMismatchError(
                f"The store's vectors have {pinned} dimensions, these have {len(vector)}.",
                details={"stored": pinned, "given": len(vector)},
            )


class FakeLexicalStore:
    """Chunks by BM25 over the words of their `embed_text`, with the statistics of their namespace."""

    def __init__(self, session: FakeSession | None = None) -> None:
        self._session = FakeSession() if session is None else session

    async def index(self, scope: Scope, chunks: Sequence[Chunk]) -> None:
        namespace = self._session.writing(scope)
        for chunk in chunks:
            namespace.chunks[chunk.id] = chunk
            namespace.words[chunk.id] = Counter(analyze(chunk.embed_text))

    async def search(self, scope: Scope, query: str, *, k: int) -> Sequence[ScoredChunk]:
        namespace = self._session.reading(scope)
        signals = _signals(namespace, namespace.admitted(scope), query)
        return _best(namespace, {chunk_id: found.bm25 for chunk_id, found in signals.items() if found.bm25}, k)

    async def delete(self, scope: Scope, document_id: str) -> None:
        namespace = self._session.writing(scope)
        for chunk_id in _deletable(namespace, scope, document_id):
            namespace.words.pop(chunk_id, None)

    async def lexical_signals(self, scope: Scope, query: str, chunk_ids: Sequence[str]) -> Mapping[str, LexicalSignals]:
        namespace = self._session.reading(scope)
        return _signals(namespace, _known(namespace, scope, chunk_ids), query)

    async def term_weights(self, scope: Scope, query: str) -> Mapping[str, float]:
        """The idf of each search token of `query` in the scope's namespace."""
        namespace = self._session.reading(scope)
        return _scorer(namespace, query).weights if namespace.chunks else {}


class FakeDocumentStore:
    """Documents with their chunks, pages and records, by source name."""

    def __init__(self, session: FakeSession | None = None) -> None:
        self._session = FakeSession() if session is None else session

    async def save(self, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None:
        namespace = self._session.writing(scope)
        namespace.remove(document.id)
        namespace.documents[document.id] = Entry(document)
        namespace.chunks.update((chunk.id, chunk) for chunk in chunks)

    async def find_by_hash(self, scope: Scope, content_hash: str) -> Document | None:
        return next((found for found in await self.list(scope) if found.content_hash == content_hash), None)

    async def get(self, scope: Scope, document_id: str) -> Document | None:
        entry = self._entry(scope, document_id)
        return entry.document if entry else None

    async def list(self, scope: Scope) -> Sequence[Document]:
        return [entry.document for entry in self._entries(scope)]

    async def delete(self, scope: Scope, document_id: str) -> None:
        namespace = self._session.writing(scope)
        if namespace.admits(scope, document_id):
            namespace.remove(document_id)

    async def purge(self, scope: Scope) -> None:
        self._session.writing(scope)
        del self._session.state.namespaces[scope.namespace]

    async def save_pages(self, scope: Scope, document_id: str, pages: Sequence[Page]) -> None:
        self._change(scope, document_id, pages={page.number: replace(page, image=None) for page in pages})

    async def page_text(self, scope: Scope, document_id: str, number: int) -> str | None:
        page = await self.page(scope, document_id, number)
        return page.text if page else None

    async def page(self, scope: Scope, document_id: str, number: int) -> Page | None:
        entry = self._entry(scope, document_id)
        return entry.pages.get(number) if entry else None

    async def pages(self, scope: Scope, document_id: str) -> Sequence[Page]:
        entry = self._entry(scope, document_id)
        return [page for _, page in sorted(entry.pages.items())] if entry else []

    async def save_warnings(self, scope: Scope, document_id: str, warnings: Sequence[str]) -> None:
        self._change(scope, document_id, warnings=tuple(warnings))

    async def record(self, scope: Scope, document_id: str) -> DocumentRecord | None:
        entry = self._entry(scope, document_id)
        return self._record(scope, entry) if entry else None

    async def records(self, scope: Scope) -> Sequence[DocumentRecord]:
        return [self._record(scope, entry) for entry in self._entries(scope)]

    def _entry(self, scope: Scope, document_id: str) -> Entry | None:
        namespace = self._session.reading(scope)
        return namespace.documents.get(document_id) if namespace.admits(scope, document_id) else None

    def _entries(self, scope: Scope) -> builtins.list[Entry]:
        namespace = self._session.reading(scope)
        entries = [entry for entry in namespace.documents.values() if namespace.admits(scope, entry.document.id)]
        return sorted(entries, key=lambda entry: entry.document.source)

    def _change(self, scope: Scope, document_id: str, **changed: Any) -> None:
        namespace = self._session.writing(scope)
        entry = self._entry(scope, document_id)
        if entry:
            namespace.documents[document_id] = replace(entry, **changed)

    def _record(self, scope: Scope, entry: Entry) -> DocumentRecord:
        chunks = len(self._session.reading(scope).of_document(entry.document.id))
        return DocumentRecord(entry.document, len(entry.pages), chunks, entry.added_at, entry.warnings)


def _best(namespace: Namespace, scores: Mapping[str, float], k: int) -> list[ScoredChunk]:
    found = [ScoredChunk(namespace.chunks[chunk_id], score) for chunk_id, score in scores.items()]
    return sorted(found, key=lambda scored: scored.rank)[: max(k, 0)]


def _known(namespace: Namespace, scope: Scope, chunk_ids: Sequence[str]) -> list[Chunk]:
    chunks = [namespace.chunks[chunk_id] for chunk_id in dict.fromkeys(chunk_ids) if chunk_id in namespace.chunks]
    return [chunk for chunk in chunks if namespace.admits_chunk(scope, chunk)]


def _deletable(namespace: Namespace, scope: Scope, document_id: str) -> list[str]:
    return [chunk.id for chunk in _known(namespace, scope, namespace.of_document(document_id))]


def _signals(namespace: Namespace, chunks: Iterable[Chunk], query: str) -> dict[str, LexicalSignals]:
    scorer = _scorer(namespace, query)
    return {
        chunk.id: scorer.score(words, words.total())
        for chunk in chunks
        if (words := namespace.words.get(chunk.id)) is not None
    }


def _scorer(namespace: Namespace, query: str) -> QueryScorer:
    terms = analyze(query)
    held = namespace.words.values()
    containing = {term: sum(term in words for words in held) for term in set(terms)}
    return QueryScorer(terms, WordStatistics(len(held), sum(words.total() for words in held), containing))


def _unit(vector: Vector) -> list[float]:
    """The vector at length one (a zero vector stays), in the precision of a stored one."""
    if not len(vector) or not all(isfinite(value) for value in vector):
        raise EmbeddingDimensionError("The embedder gave a vector that is empty or not finite.")
    length = sqrt(sum(value * value for value in vector)) or 1.0
    return array("f", [value / length for value in vector]).tolist()


def _dot(left: Vector, right: Vector) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
