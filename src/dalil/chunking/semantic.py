"""Cuts where the meaning changes, as an embedder sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dalil.chunking.cutting import Place, packed
from dalil.chunking.flow import Flow
from dalil.errors import ConfigurationError, EmbeddingDimensionError
from dalil.models import Chunk, Document, Page, Vector
from dalil.text import token_weight

Embed = Callable[[Sequence[str]], Sequence[Vector]]
"""Texts to vectors, one each, in order; it may block, for chunking runs in a thread."""


class SemanticChunker:
    """Begins a chunk where the `window` sentences before and those after are least alike.

    That is where their similarity is a local minimum and below the `percentile` of the document's own similarities.
    Nothing is cut there before a chunk has `minimum` (a share of the size). No chunk is larger than `size`: a segment
    that is, is packed sentence by sentence, and only then do neighbours share sentences.

    Raises:
        ConfigurationError: unless window > 0, 0 < percentile < 100 and 0 <= minimum < 1.
    """

    def __init__(self, embed: Embed, *, window: int = 3, percentile: float = 25.0, minimum: float = 0.25):
        if window < 1 or not 0 < percentile < 100 or not 0 <= minimum < 1:
            raise ConfigurationError(
                "Semantic chunking needs window > 0, 0 < percentile < 100 and 0 <= minimum < 1, "
                f"not {window}, {percentile} and {minimum}."
            )
        self._embed = embed
        self._window = window
        self._percentile = percentile
        self._minimum = minimum

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """The chunks of `pages` in order; sizes in estimated tokens.

        Raises:
            EmbeddingDimensionError: if the embedder does not give one vector for each sentence.
        """
        flow = Flow(pages)
        segments = self._segments(flow.text, flow.sentences(size), size)
        return flow.chunks(
            document, (place for segment in segments for place in packed(flow.text, segment, size, overlap))
        )

    def _segments(self, text: str, sentences: Sequence[Place], size: int) -> Iterator[Sequence[Place]]:
        smallest = self._minimum * size
        first = 0
        for border in self._borders([text[start:end] for start, end in sentences]):
            before = text[sentences[first][0] : sentences[border - 1][1]]
            after = text[sentences[border][0] : sentences[-1][1]]
            if min(token_weight(before), token_weight(after)) >= smallest:
                yield sentences[first:border]
                first = border
        yield sentences[first:]

    def _borders(self, sentences: Sequence[str]) -> list[int]:
        """The sentences before which the matter changes."""
        if len(sentences) < 2:
            return []
        vectors = self._embed(sentences)
        if len(vectors) != len(sentences):
            raise EmbeddingDimensionError(f"The embedder gave {len(vectors)} vectors for {len(sentences)} sentences.")
        alike = _similarities(np.asarray(vectors, dtype=np.float64), self._window)
        threshold = np.percentile(alike, self._percentile)
        around = np.pad(alike, 1, constant_values=np.inf)
        lowest = (alike <= around[:-2]) & (alike <= around[2:])
        return [int(gap) + 1 for gap in np.flatnonzero(lowest & (alike < threshold))]


def _similarities(vectors: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """For each gap between two sentences: the cosine of the sums of the (unit) vectors on either side, `window` each.

    Rounded, so that equal texts are equally alike.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    sums = np.vstack([np.zeros_like(units[:1]), np.cumsum(units, axis=0)])
    gaps = np.arange(1, len(units))
    before = sums[gaps] - sums[np.maximum(gaps - window, 0)]
    after = sums[np.minimum(gaps + window, len(units))] - sums[gaps]
    products = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosines: NDArray[np.float64] = np.divide(
        (before * after).sum(axis=1), products, out=np.zeros(len(gaps)), where=products > 0
    )
    return np.round(cosines, 9)
