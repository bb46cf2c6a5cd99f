"""Sentence weights of the extractive answerer by grid search: does the answer hold what is right?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from benchmarks.collecting import SIGNALS, Question
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
    """The grid's best weights; the mean of those within 0.002 of the best. Each set counts the same."""
    combinations = np.array(list(itertools.product(*GRID.values())))
    scores = np.array([np.mean([found(questions, fusion, row) for questions in sets.values()]) for row in combinations])
    best: Weights = combinations[scores >= scores.max() - 0.002].mean(axis=0)
    return best


def found(questions: Sequence[Question], fusion: Weights, weights: Weights) -> float:
    """The share of questions whose answer (two sentences, 80 words, from the best three passages) is right."""
    return float(np.mean([_is_right(question, fusion, weights) for question in questions])) if questions else 0.0


def _is_right(question: Question, fusion: Weights, weights: Weights) -> bool:
    if not question.sentences:
        return False
    rows = np.array([sentence.row for sentence in question.sentences])
    signals = np.array([[getattr(item.signals, name) for name in SIGNALS] for item in question.candidates])
    passages = signals[: rows.max() + 1] @ fusion
    best = set(np.argsort(-passages, kind="stable")[:SOURCES].tolist())
    features = np.array([[s.similarity, s.coverage, passages[s.row]] for s in question.sentences])
    budget, said = WORDS, 0
    for position in np.argsort(-(features @ weights), kind="stable"):
        sentence = question.sentences[position]
        if sentence.row not in best or (sentence.words > budget and said):
            continue
        if sentence.right:
            return True
        budget -= sentence.words
        said += 1
        if said == SENTENCES:
            return False
    return False
