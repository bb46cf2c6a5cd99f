"""Sentence weights of the extractive answerer by grid search: does the answer hold what is right?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.collecting import Question
from benchmarks.fit_fusion import Sets, Weights

SENTENCE_SIGNALS = ("similarity", "coverage", "passage", "embedded")
SENTENCES = 2
WORDS = 80
MARGINS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3)
_STEPS = (0.0, 0.01, 0.03, 0.06, 0.1, 0.2)


def grid(profile: str) -> Weights:
    """Rows of weights, in the order of `SENTENCE_SIGNALS`. One space needs no second embedding of sentences."""
    embedded = (0.0, 0.1, 0.2, 0.3, 0.5) if profile == "accurate" else (0.0,)
    return np.array(list(itertools.product(_STEPS, _STEPS, (1.0,), embedded)))


def fit_answer(sets: Sets, profile: str) -> Weights:
    """The middle of what cannot be told from the grid's best: the mean of the weights within one standard error of it.

    Each set counts the same. Breiman et al., "Classification and Regression Trees" (1984), for the rule.
    """
    combinations = grid(profile)
    scores = np.array([_grid_found(questions, combinations) for questions in sets.values()])
    sizes = np.array([len(questions) for questions in sets.values()])
    means = scores.mean(axis=0)
    top = scores[:, means.argmax()]
    error = np.sqrt((top * (1 - top) / sizes).sum()) / len(sizes)
    best: Weights = combinations[means >= means.max() - error].mean(axis=0)
    return best


def found(questions: Sequence[Question], weights: Weights) -> float:
    """The share of questions whose answer (two sentences, 80 words, from the best three passages) is right."""
    return float(_grid_found(questions, weights[None])[0])


def fit_margin(sets: Sets, weights: Weights) -> float:
    """The smallest margin of the grid with which no set loses a right answer to a further sentence left unsaid."""
    needed = (_gap_of_right(question, weights) for questions in sets.values() for question in questions)
    widest = max(needed, default=0.0)
    return next((margin for margin in MARGINS if margin >= widest), MARGINS[-1])


def _gap_of_right(question: Question, weights: Weights) -> float:
    """How far below the best sentence the first right one lies, if only a further sentence makes the answer right."""
    said = _said(question, weights)
    if not said or said[0][1]:
        return 0.0
    return next((said[0][0] - score for score, right in said if right), 0.0)


def _said(question: Question, weights: Weights) -> list[tuple[float, bool]]:
    """The score of each sentence that is said, and whether it is right."""
    scored = [
        (float(np.dot(weights, [getattr(sentence, name) for name in SENTENCE_SIGNALS])), sentence)
        for sentence in question.sentences
    ]
    said: list[tuple[float, bool]] = []
    budget = WORDS
    for score, sentence in sorted(scored, key=lambda pair: -pair[0]):
        if sentence.words <= budget and len(said) < SENTENCES:
            said.append((score, sentence.right))
            budget -= sentence.words
    return said


def _grid_found(questions: Sequence[Question], combinations: Weights) -> Weights:
    total = np.zeros(len(combinations))
    for question in questions:
        right = np.array([sentence.right for sentence in question.sentences], dtype=np.bool_)
        if not right.any():
            continue
        rows = [[getattr(sentence, name) for name in SENTENCE_SIGNALS] for sentence in question.sentences]
        words = np.array([sentence.words for sentence in question.sentences], dtype=np.int64)
        orders = np.argsort(-(np.array(rows) @ combinations.T), axis=0, kind="stable")
        total += [_is_right(orders[:, column], words, right) for column in range(len(combinations))]
    return total / max(1, len(questions))


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
