"""How well documents are ranked. Relevance is binary: a document is labelled relevant, or it is not.

The names are those of trec_eval and ir-measures, which give the same figures.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log2

DEPTH = 10
"""nDCG and recall look at the first ten documents."""


def ndcg(ranked: Sequence[str], relevant: Collection[str], k: int = DEPTH) -> float:
    """Normalised discounted cumulative gain at `k`: Järvelin and Kekäläinen (2002), gains discounted by log2(rank + 1).

    0.0 where nothing is relevant.
    """
    gained = sum(1 / log2(rank + 1) for rank, name in enumerate(ranked[:k], start=1) if name in relevant)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(relevant), k) + 1))
    return gained / ideal if ideal else 0.0


def recall(ranked: Sequence[str], relevant: Collection[str], k: int = DEPTH) -> float:
    """The share of what is relevant that stands among the first `k`; 0.0 where nothing is relevant."""
    return sum(name in relevant for name in ranked[:k]) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """1 / the rank of the first relevant one, 0.0 where there is none. Its mean is the MRR: Voorhees (1999)."""
    return next((1 / rank for rank, name in enumerate(ranked, start=1) if name in relevant), 0.0)
