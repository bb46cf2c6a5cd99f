"""Embedders that cost nothing, so that what is measured is the engine's own share."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dalil.models import Vector

WIDTH = 384
SENTENCE_WIDTH = 512


class InstantEmbedder:
    """The same vectors for every text."""

    identity = "benchmark:instant"

    def __init__(self) -> None:
        self._passage = array("f", [WIDTH**-0.5] * WIDTH)
        self._sentence = array("f", [SENTENCE_WIDTH**-0.5] * SENTENCE_WIDTH)

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._passage] * len(texts)

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._sentence] * len(texts)


class ClusteredEmbedder:
    """Random unit vectors around 2,000 centres, by a hash of the text: as hard to tell apart as real ones are."""

    identity = "benchmark:clustered"
    profile = "accurate"

    def __init__(self) -> None:
        random = np.random.default_rng(7)
        self._centres = {width: random.standard_normal((2000, width)) for width in (WIDTH, SENTENCE_WIDTH)}

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [array("f", self.vector(text, WIDTH).tobytes()) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed([text]))[0]

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [array("f", self.vector(text, SENTENCE_WIDTH).tobytes()) for text in texts]

    def vector(self, text: str, width: int) -> NDArray[np.float32]:
        """The text's vector of this width."""
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
        random = np.random.default_rng(seed)
        vector = self._centres[width][seed % 2000] + 0.7 * random.standard_normal(width)
        unit: NDArray[np.float32] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit
