"""What is known of each candidate before it is scored."""

from __future__ import annotations

from dataclasses import dataclass

from dalil.models import Chunk, ScoredChunk


@dataclass(frozen=True)
class Signals:
    """The evidence for one chunk.

    `dense` is its cosine with the question, `lexical` its BM25 score over the best of this question (0 to 1),
    `coverage` the idf-weighted share of the question's words in it (0 to 1), `sentence` the greatest cosine of one
    of its sentences (0 where there are no sentence vectors).
    """

    dense: float = 0.0
    lexical: float = 0.0
    coverage: float = 0.0
    sentence: float = 0.0


@dataclass(frozen=True)
class Candidate:
    """A chunk, its signals, and the score that came of them."""

    chunk: Chunk
    signals: Signals
    score: float

    @property
    def scored(self) -> ScoredChunk:
        return ScoredChunk(self.chunk, self.score)
