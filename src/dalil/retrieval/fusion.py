"""Two rankings into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dalil.errors import ConfigurationError
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


def alpha_fusion(semantic: Sequence[ScoredChunk], keyword: Sequence[ScoredChunk], alpha: float) -> list[ScoredChunk]:
    """Two rankings as one: alpha * semantic + (1 - alpha) * keyword, scores stretched over [0, 1] list by list.

    The weakest of a list gets 0, as if it were absent; a list of equal scores counts 1 for each of them, or 0 where
    nothing matched. Chunks are told apart by id.

    Raises:
        ConfigurationError: unless 0 <= alpha <= 1.
    """
    check_alpha(alpha)
    chunks = {scored.chunk.id: scored.chunk for scored in (*keyword, *semantic)}
    meaning, words = _stretched(semantic), _stretched(keyword)
    fused = (
        ScoredChunk(chunk, alpha * meaning.get(key, 0.0) + (1.0 - alpha) * words.get(key, 0.0))
        for key, chunk in chunks.items()
    )
    return sorted(fused, key=lambda item: item.rank)


def check_alpha(alpha: float) -> None:
    """Refuse a weight outside [0, 1].

    Raises:
        ConfigurationError: if it is.
    """
    if not 0.0 <= alpha <= 1.0:
        raise ConfigurationError(f"alpha must lie between 0 (words alone) and 1 (meaning alone), not {alpha}.")


def _stretched(ranked: Sequence[ScoredChunk]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for item in ranked:
        scores[item.chunk.id] = max(item.score, scores.get(item.chunk.id, item.score))
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    if most - least <= 1e-9:
        return dict.fromkeys(scores, 1.0 if most > 0 else 0.0)
    return {key: (score - least) / (most - least) for key, score in scores.items()}


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
