"""The second half of preparing: vectors for chunks and sentences, none made twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

from dalil.errors import DalilError, EmbeddingDimensionError, EmbeddingError
from dalil.ingestion.prepared import Draft, PreparedDocument
from dalil.models import Chunk, EmbeddedSentence, EmbeddedSentences, StoredVectors, Vector
from dalil.offloop import off_loop
from dalil.ports import Embedder, SentenceEmbedder, VectorReuse, VectorStore
from dalil.scope import Scope
from dalil.text import sentences_of

BATCH = 64
"""Chunks that are embedded between two reports of progress."""

AT_ONCE = 4
"""Batches under way at a time: services answer several at once, and local models take them one after the other."""

OnEmbedded = Callable[[int], None]


class DraftEmbedder:
    """Embeds the chunks of many drafts together, asking the store first what it already has."""

    def __init__(self, embedder: Embedder, vector_store: VectorStore):
        self._embedder = embedder
        self._vectors = vector_store

    async def embed(
        self, drafts: Sequence[Draft], scope: Scope, on_embedded: OnEmbedded | None = None
    ) -> list[PreparedDocument]:
        """The drafts with their vectors. `on_embedded` hears how many chunks have just been done.

        Raises:
            EmbeddingError: if the embedder fails.
        """
        texts = list(dict.fromkeys(chunk.embed_text for draft in drafts for chunk in draft.chunks))
        stored: Mapping[str, StoredVectors] = {}
        if texts and isinstance(self._vectors, VectorReuse):
            stored = await self._vectors.stored_vectors(scope, texts)
        vectors: dict[str, Vector] = {text: found.vector for text, found in stored.items()}
        missing = sorted((text for text in texts if text not in vectors), key=len)
        if on_embedded and len(vectors):
            on_embedded(len(vectors))
        free = asyncio.Semaphore(AT_ONCE)

        async def embed_batch(batch: list[str]) -> None:
            async with free:
                vectors.update(zip(batch, await self._embedded(batch), strict=True))
            if on_embedded:
                on_embedded(len(batch))

        await _all(embed_batch(missing[start : start + BATCH]) for start in range(0, len(missing), BATCH))
        sentences = await self._sentences([chunk for draft in drafts for chunk in draft.chunks], stored)
        return [
            PreparedDocument(
                draft,
                [vectors[chunk.embed_text] for chunk in draft.chunks],
                [EmbeddedSentences(chunk.id, sentences[chunk.id]) for chunk in draft.chunks if chunk.id in sentences],
            )
            for draft in drafts
        ]

    async def _embedded(self, texts: Sequence[str]) -> Sequence[Vector]:
        try:
            vectors = await off_loop(_call(self._embedder.embed, texts))
        except DalilError:
            raise
        except Exception as error:
            raise EmbeddingError(f"The embedder failed: {error}.") from error
        if len(vectors) != len(texts):
            raise EmbeddingDimensionError(f"The embedder gave {len(vectors)} vectors for {len(texts)} texts.")
        return vectors

    async def _sentences(
        self, chunks: Iterable[Chunk], stored: Mapping[str, StoredVectors]
    ) -> dict[str, Sequence[EmbeddedSentence]]:
        """The embedded sentences of each chunk by its id; empty when the embedder has no sentence space."""
        if not isinstance(self._embedder, SentenceEmbedder):
            return {}
        found, places = await asyncio.to_thread(_sentence_places, chunks, stored)
        texts = list(dict.fromkeys(text for spans in places.values() for _, _, text in spans))
        try:
            found_vectors = await off_loop(_call(self._embedder.embed_sentences, texts))
            vectors = dict(zip(texts, found_vectors, strict=True))
        except DalilError:
            raise
        except Exception as error:
            raise EmbeddingError(f"The sentence embedder failed: {error}.") from error

        def placed() -> dict[str, Sequence[EmbeddedSentence]]:
            for key, spans in places.items():
                found[key] = [EmbeddedSentence(start, end, vectors[text]) for start, end, text in spans]
            return found

        return await asyncio.to_thread(placed)


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Everything done; the first failure ends the rest."""
    tasks = [asyncio.ensure_future(part) for part in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


def _sentence_places(
    chunks: Iterable[Chunk], stored: Mapping[str, StoredVectors]
) -> tuple[dict[str, Sequence[EmbeddedSentence]], dict[str, list[tuple[int, int, str]]]]:
    """The sentences that the store already has by chunk id, and the places and texts of the others."""
    found: dict[str, Sequence[EmbeddedSentence]] = {}
    places: dict[str, list[tuple[int, int, str]]] = {}
    for chunk in chunks:
        known = stored.get(chunk.embed_text)
        if known is not None and known.sentences and known.text == chunk.text:
            found[chunk.id] = known.sentences
        else:
            places[chunk.id] = [(start, end, chunk.text[start:end]) for start, end in sentences_of(chunk)]
    return found, places


Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


async def _call(embed: Embed, texts: Sequence[str]) -> Sequence[Vector]:
    return await embed(texts)
