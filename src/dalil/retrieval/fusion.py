"""Two rankings into one."""

from __future__ import annotations

from dataclasses import dataclass

from dalil.models import Chunk, ScoredChunk
from dalil.retrieval.signals import Signals

RRF_CONSTANT = 60


def reciprocal_rank_fusion(*ranked_lists: list[ScoredChunk]) -> list[ScoredChunk]:
    """Several rankings as one: a chunk scores the sum of 1 / (60 + rank) over the lists that hold it, ranks from 0.

    Chunks are told apart by id. Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
    Individual Rank Learning Methods" (2009).
    """
    chunks: dict[str, Chunk] = {}
    scores: dict[str, float] = {}
    for ranked in ranked_lists:
        for rank, scored in enumerate(ranked):
            chunks.setdefault(scored.chunk.id, scored.chunk)
            scores[scored.chunk.id] = scores.get(scored.chunk.id, 0.0) + 1.0 / (RRF_CONSTANT + rank)
    return sorted((ScoredChunk(chunks[key], score) for key, score in scores.items()), key=lambda item: item.rank)


@dataclass(frozen=True)
class FusionWeights:
    """How much each signal counts in the weighted sum."""

    dense: float
    lexical: float
    coverage: float
    sentence: float


NEUTRAL = FusionWeights(dense=0.5, lexical=0.25, coverage=0.25, sentence=0.0)
"""For embedders that were never measured: half meaning, half words, so that a chunk strong in either is found."""


@dataclass(frozen=True)
class WeightedFusion:
    """score = sum of weight * signal, over the union of what both channels found.

    Unlike ranks, the signals keep how much better one chunk is than the next, and a weak channel cannot outvote a
    strong one.
    """

    weights: FusionWeights = NEUTRAL

    def score(self, signals: Signals) -> float:
        weights = self.weights
        return (
            weights.dense * signals.dense
            + weights.lexical * signals.lexical
            + weights.coverage * signals.coverage
            + weights.sentence * signals.sentence
        )
