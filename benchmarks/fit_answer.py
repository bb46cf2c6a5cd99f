"""Sentence weights of the extractive answerer by grid search: does the answer hold what is right?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.collecting import QUOTED, SIGNALS, Question
from benchmarks.fit_fusion import Sets, Weights

GRID = {
    "similarity": (0.0, 0.01, 0.03, 0.06, 0.1, 0.2),
    "coverage": (0.0, 0.01, 0.03, 0.06, 0.1, 0.2),
    "passage": (1.0,),
}
SOURCES = 3
SENTENCES = 2
WORDS = 80


def fit_answer(sets: Sets, fusion: Weights) -> Weights:
    """The middle of what cannot be told from the grid's best: the mean of the weights within one standard error of it.

    Each set counts the same. Breiman et al., "Classification and Regression Trees" (1984), for the rule.
    """
    combinations = np.array(list(itertools.product(*GRID.values())))
    scores = np.array([_grid_found(questions, fusion, combinations) for questions in sets.values()])
    sizes = np.array([len(questions) for questions in sets.values()])
    means = scores.mean(axis=0)
    top = scores[:, means.argmax()]
    error = np.sqrt((top * (1 - top) / sizes).sum()) / len(sizes)
    best: Weights = combinations[means >= means.max() - error].mean(axis=0)
    return best


def found(questions: Sequence[Question], fusion: Weights, weights: Weights) -> float:
    """The share of questions whose answer (two sentences, 80 words, from the best three passages) is right."""
    return float(_grid_found(questions, fusion, weights[None])[0])


def _grid_found(questions: Sequence[Question], fusion: Weights, combinations: Weights) -> Weights:
    total = np.zeros(len(combinations))
    for question in questions:
        features, words, right = _quotable(question, fusion)
        if not right.any():
            continue
        orders = np.argsort(-(features @ combinations.T), axis=0, kind="stable")
        total += [_is_right(orders[:, column], words, right) for column in range(len(combinations))]
    return total / max(1, len(questions))


def _quotable(question: Question, fusion: Weights) -> tuple[Weights, NDArray[np.int64], NDArray[np.bool_]]:
    """Similarity, coverage and passage score of each sentence of the best passages; its words; whether it is right."""
    candidates = question.candidates[:QUOTED]
    passages = (
        np.array([[getattr(item.signals, name) for name in SIGNALS] for item in candidates]).reshape(-1, 4) @ fusion
    )
    best = set(np.argsort(-passages, kind="stable")[:SOURCES].tolist())
    kept = [sentence for sentence in question.sentences if sentence.row in best]
    rows = [[sentence.similarity, sentence.coverage, passages[sentence.row]] for sentence in kept]
    return (
        np.array(rows, dtype=np.float64).reshape(-1, 3),
        np.array([sentence.words for sentence in kept], dtype=np.int64),
        np.array([sentence.right for sentence in kept], dtype=np.bool_),
    )


def _is_right(order: NDArray[np.int64], words: NDArray[np.int64], right: NDArray[np.bool_]) -> bool:
    budget, said = WORDS, 0
    for position in order.tolist():
        if words[position] > budget:
            continue
        if right[position]:
            return True
        budget -= int(words[position])
        said += 1
        if said == SENTENCES:
            return False
    return False
