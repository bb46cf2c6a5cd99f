"""Fused scores as probabilities: how relevant and other candidates of the tuning questions score."""

from __future__ import annotations

import numpy as np

from benchmarks.collecting import QUESTION_SETS
from benchmarks.fit_fusion import Sets
from benchmarks.fit_gate import logistic
from dalil.retrieval import WeightedFusion

CANDIDATES = 20  # of each question: what a user may be shown


def fit_relevance(sets: Sets, fusion: WeightedFusion) -> dict[str, float]:
    """Bias and slope that tell relevant candidates from the others by their fused scores, both weighing the same."""
    scores: list[float] = []
    relevant: list[bool] = []
    for name in QUESTION_SETS:
        for question in sets[name]:
            fused = np.array([fusion.score(candidate.signals) for candidate in question.candidates])
            best = np.argsort(-fused)[:CANDIDATES]
            scores.extend(fused[best])
            relevant.extend(question.relevant[best])
    bias, slope = logistic(np.array(scores)[:, None], np.array(relevant))
    return {"bias": round(bias, 4), "slope": round(float(slope[0]), 4)}
