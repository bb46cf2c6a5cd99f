"""Fusion weights by grid search on nDCG@10."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.collecting import Question

GRID = {
    "dense": (1.0,),
    "lexical": (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3),
    "coverage": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8),
    "sentence": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8),
}
Sets = dict[str, list[Question]]
Weights = NDArray[np.float64]


def fit_fusion(sets: Sets) -> Weights:
    """The best weights of the grid, summing to 1: the mean of those within 0.0005 of the best, which is steadier.

    Each set counts the same, whatever its size.
    """
    combinations = np.array(list(itertools.product(*GRID.values())))
    scores = np.mean([grid_ndcg(questions, combinations) for questions in sets.values()], axis=0)
    best: Weights = combinations[scores >= scores.max() - 0.0005].mean(axis=0)
    normalised: Weights = best / best.sum()
    return normalised


def mean_ndcg(sets: Sets, weights: Weights) -> float:
    """The mean over the sets of their nDCG@10 under one choice of weights."""
    return float(np.mean([grid_ndcg(questions, weights[None])[0] for questions in sets.values()]))


def grid_ndcg(questions: Sequence[Question], combinations: Weights) -> Weights:
    """Mean nDCG@10 (binary relevance) of the questions for each row of weights."""
    total = np.zeros(len(combinations))
    for question in questions:
        scores = question.signals @ combinations.T
        ideal = (1.0 / np.log2(np.arange(2, min(question.gold, 10) + 2))).sum()
        for row in np.flatnonzero(question.hits):
            ranks = (scores > scores[row] + 1e-9).sum(axis=0)
            total += np.where(ranks < 10, 1.0 / np.log2(ranks + 2), 0.0) / ideal
    return total / max(1, len(questions))
