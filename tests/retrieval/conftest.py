"""Stores that offer their port and nothing more, and a small collection to fill them with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalil.models import Chunk, EmbeddedChunk, ScoredChunk, Span, Vector
from dalil.scope import Scope

SCOPE = Scope("tests")


def chunk_of(text: str, *, document: str = "d0c", ordinal: int = 0, **metadata) -> Chunk:
    spans = (Span(1, 0, len(text)),)
    metadata = {"source": f"{document}.txt", **metadata}
    return Chunk(f"{document}:{ordinal}", document, text, 1, ordinal, metadata=metadata, spans=spans)


class PlainVectors:
    """A VectorStore without any of the optional protocols: it answers every search with the same ranking."""

    def __init__(self, scores: Mapping[str, float], chunks: Mapping[str, Chunk]) -> None:
        self._ranking = [ScoredChunk(chunks[key], score) for key, score in scores.items()]

    async def upsert(self, scope: Scope, records: Sequence[EmbeddedChunk]) -> None:
        raise NotImplementedError

    async def search(self, scope: Scope, query_vector: Vector, *, k: int) -> Sequence[ScoredChunk]:
        admitted = [item for item in self._ranking if scope.admits(item.chunk.document_id, item.chunk.metadata)]
        return sorted(admitted, key=lambda item: item.rank)[:k]

    async def delete(self, scope: Scope, document_id: str) -> None:
        raise NotImplementedError


class PlainWords:
    """A LexicalStore without any of the optional protocols."""

    def __init__(self, scores: Mapping[str, float], chunks: Mapping[str, Chunk]) -> None:
        self._vectors = PlainVectors(scores, chunks)

    async def index(self, scope: Scope, chunks: Sequence[Chunk]) -> None:
        raise NotImplementedError

    async def search(self, scope: Scope, query: str, *, k: int) -> Sequence[ScoredChunk]:
        return await self._vectors.search(scope, (), k=k)

    async def delete(self, scope: Scope, document_id: str) -> None:
        raise NotImplementedError


class PlainEmbedder:
    """An Embedder that knows passages and questions as the same thing, and counts its calls."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.texts += texts
        return [(1.0, 0.0) for _ in texts]
