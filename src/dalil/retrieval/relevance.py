"""Fused scores as probabilities, so that one threshold means the same for every question."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Relevance:
    """A logistic model of one embedder's fused scores, fitted beside its weights.

    Fused scores of relevant and other passages lie close together, in a band that differs from embedder to embedder.
    The probability keeps their order; 0.5 is where a passage of either kind is equally likely to score so.
    """

    bias: float
    slope: float

    def __call__(self, score: float) -> float:
        """The probability, in (0, 1), that a passage with this fused score is relevant."""
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, self.bias + self.slope * score))))


def clamped(score: float) -> float:
    """The score itself, within [0, 1]: for embedders that were never measured."""
    return max(0.0, min(1.0, score))
