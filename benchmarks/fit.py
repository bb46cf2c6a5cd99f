"""Fits the fusion weights and the gate of a profile on the tuning sets, cross-validated, and writes its file.

python -m benchmarks.fit --profile accurate [--write]

Tuning sets: arcd (train split), mlqa-ar-dev, scifact (train). Nothing that is reported is touched.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.collecting import SIGNALS, TUNING_SETS, Question, collect
from benchmarks.stores import PROFILES
from dalil.retrieval import Candidate, FusionWeights, Retrieval, WeightedFusion
from dalil.retrieval.gate import gate_features, gate_kind

FOLDS = 5
GRID = {
    "dense": (1.0,),
    "lexical": (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3),
    "coverage": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8),
    "sentence": (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8),
}
FALSE_REFUSALS = 0.03
"""The share of answerable tuning questions that the gate may refuse."""

Sets = dict[str, list[Question]]
Weights = NDArray[np.float64]


# --- fusion --------------------------------------------------------------------------------------------------


def ndcg(question: Question, weights: Weights) -> float:
    """nDCG@10 of a question's candidates under these weights (binary relevance)."""
    scores = question.signals @ weights
    order = np.argsort(-np.round(scores, 9), kind="stable")[:10]
    gains = question.hits[order] / np.log2(np.arange(2, len(order) + 2))
    ideal = (1.0 / np.log2(np.arange(2, min(question.gold, 10) + 2))).sum()
    return float(gains.sum() / ideal)


def mean_ndcg(sets: Sets, weights: Weights) -> float:
    """The mean over the sets of their means: each set counts the same, whatever its size."""
    return float(np.mean([np.mean([ndcg(question, weights) for question in questions]) for questions in sets.values()]))


def fit_fusion(sets: Sets) -> Weights:
    """The best weights of the grid; among those within 0.0005 of the best, the mean, which is steadier."""
    combinations = np.array(list(itertools.product(*GRID.values())))
    scores = np.mean([_grid_scores(questions, combinations) for questions in sets.values()], axis=0)
    near = combinations[scores >= scores.max() - 0.0005]
    best: Weights = near.mean(axis=0)
    return best


def _grid_scores(questions: Sequence[Question], combinations: Weights) -> Weights:
    total = np.zeros(len(combinations))
    for question in questions:
        scores = question.signals @ combinations.T
        gold = np.flatnonzero(question.hits)
        if not len(gold):
            continue
        ideal = (1.0 / np.log2(np.arange(2, min(question.gold, 10) + 2))).sum()
        for row in gold:
            ranks = (scores > scores[row] + 1e-9).sum(axis=0)
            total += np.where(ranks < 10, 1.0 / np.log2(ranks + 2), 0.0) / ideal
    return total / len(questions)


# --- gate ----------------------------------------------------------------------------------------------------


def examples(questions: Sequence[Question], fusion: WeightedFusion) -> list[tuple[str, str, bool, dict[str, float]]]:
    """(kind, group, answerable, features): each question as it is, without its passage, without its article.

    A question whose passage was not among the best three is no example of an answerable one.
    """
    found = []
    for question in questions:
        versions = (
            (True, [True] * len(question.candidates)),
            (False, [not hit for hit in question.relevant]),
            (False, [title not in question.gold_titles for title in question.titles]),
        )
        for answerable, kept in versions:
            candidates = _refused(question.candidates, kept, fusion)
            if not candidates:
                continue
            retrieval = Retrieval(question.text, candidates=candidates[:20])
            if answerable:
                gold = {item.chunk.id for item, hit in zip(question.candidates, question.relevant, strict=True) if hit}
                if not gold & {item.chunk.id for item in candidates[:3]}:
                    continue
            found.append((gate_kind(retrieval), question.group, answerable, gate_features(retrieval)))
    return found


def _refused(candidates: Sequence[Candidate], kept: Sequence[bool], fusion: WeightedFusion) -> list[Candidate]:
    """The kept candidates as they would have been found alone: word scores relative to the best that remains."""
    remaining = [item for item, keep in zip(candidates, kept, strict=True) if keep]
    best = max((item.signals.lexical for item in remaining), default=0.0)
    rescored = []
    for item in remaining:
        signals = replace(item.signals, lexical=item.signals.lexical / best if best else 0.0)
        rescored.append(Candidate(item.chunk, signals, fusion.score(signals)))
    return sorted(rescored, key=lambda item: item.scored.rank)


def fit_logistic(features: Weights, answerable: NDArray[np.bool_]) -> tuple[float, Weights]:
    """Bias and weights of a ridge logistic regression with both classes weighing the same, by Newton's method."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = np.hstack([np.ones((len(features), 1)), (features - mean) / spread])
    balance = np.where(answerable, 0.5 / answerable.mean(), 0.5 / (1 - answerable.mean()))
    ridge = np.diag([0.0, *[1.0] * features.shape[1]])
    solution = np.zeros(scaled.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ solution, -30, 30)))
        gradient = scaled.T @ (balance * (likely - answerable)) + ridge @ solution
        curvature = (scaled * (balance * likely * (1 - likely))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curvature + 1e-9 * np.eye(len(solution)), gradient)
        solution -= step
        if np.abs(step).max() < 1e-8:
            break
    weights = solution[1:] / spread
    return float(solution[0] - weights @ mean), weights


FEATURES = ("dense", "standing", "coverage", "sentence", "margin")


def fit_gate(rows: list[tuple[str, str, bool, dict[str, float]]]) -> dict[str, Any]:
    """One calibration: logistic weights, and the threshold that refuses at most `FALSE_REFUSALS` of the answerable."""
    features = np.array([[row[3][name] for name in FEATURES] for row in rows])
    answerable = np.array([row[2] for row in rows])
    bias, weights = fit_logistic(features, answerable)
    probability = 1 / (1 + np.exp(-(bias + features @ weights)))
    return {
        "bias": round(bias, 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)},
        "threshold": round(float(np.quantile(probability[answerable], FALSE_REFUSALS)), 4),
    }


def judge(calibration: dict[str, Any], features: dict[str, float]) -> float:
    """The probability that a calibration gives."""
    logit = calibration["bias"] + sum(calibration["weights"][name] * features[name] for name in FEATURES)
    return float(1 / (1 + np.exp(-np.clip(logit, -60, 60))))


def fold_of(group: str) -> int:
    """The fold of a question, by its article, the same in every run."""
    return zlib.crc32(group.encode()) % FOLDS


# --- the whole ---------------------------------------------------------------------------------------------


async def run(profile: str, *, write: bool) -> dict[str, Any]:
    """Fit, cross-validate, and with `write` store the profile's file."""
    sets: Sets = {}
    for name in TUNING_SETS:
        sets[name] = await collect(name, profile)
    report: dict[str, Any] = {
        "profile": profile,
        "questions": {name: len(questions) for name, questions in sets.items()},
    }
    held_out = []
    for fold in range(FOLDS):
        train = {name: [q for q in questions if fold_of(q.group) != fold] for name, questions in sets.items()}
        test = {name: [q for q in questions if fold_of(q.group) == fold] for name, questions in sets.items()}
        held_out.append(mean_ndcg(test, fit_fusion(train)))
    weights = fit_fusion(sets)
    weights = weights / weights.sum()
    fusion = WeightedFusion(
        FusionWeights(**{name: round(float(w), 4) for name, w in zip(SIGNALS, weights, strict=True)})
    )
    report["fusion"] = vars(fusion.weights)
    report["ndcg"] = {
        "held out": round(float(np.mean(held_out)), 4),
        **{name: round(mean_ndcg({name: questions}, weights), 4) for name, questions in sets.items()},
        **{
            f"{name} {signal} alone": round(mean_ndcg({name: questions}, np.eye(4)[position]), 4)
            for name, questions in sets.items()
            for position, signal in enumerate(SIGNALS)
        },
    }
    rows = {name: examples(questions, fusion) for name, questions in sets.items()}
    arabic = rows["arcd"] + rows["mlqa-ar-dev"]
    english = rows["scifact"]
    everything = arabic + english
    gate: dict[str, Any] = {"ar-ar": fit_gate(arabic), "en-en": fit_gate(english), "other": fit_gate(everything)}
    # A question in another language than its passage shares no words with it, and its cosines are lower: words may
    # not count against it, and only clear misses are refused.
    report["gate"] = {}
    for kind, kind_rows in (("ar-ar", arabic), ("en-en", english)):
        report["gate"][kind] = _cross_validated(kind_rows)
    if write:
        file = Path(__file__).parents[1] / "src" / "dalil" / "retrieval" / "fitted" / f"{profile}.json"
        fitted = {"version": 1, "tuned_on": list(TUNING_SETS), "fusion": vars(fusion.weights), "gate": gate}
        file.write_text(json.dumps(fitted, indent=2) + "\n", "utf-8")
    report["calibration"] = gate
    return report


def _cross_validated(rows: list[tuple[str, str, bool, dict[str, float]]]) -> dict[str, float]:
    refused: dict[bool, list[bool]] = {True: [], False: []}
    for fold in range(FOLDS):
        calibration = fit_gate([row for row in rows if fold_of(row[1]) != fold])
        for _, group, answerable, features in rows:
            if fold_of(group) == fold:
                refused[answerable].append(judge(calibration, features) < calibration["threshold"])
    return {
        "false refusals": round(float(np.mean(refused[True])), 4),
        "refused unanswerable": round(float(np.mean(refused[False])), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.fit", description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--write", action="store_true", help="store the result in the package")
    options = parser.parse_args()
    print(json.dumps(asyncio.run(run(options.profile, write=options.write)), indent=2))


if __name__ == "__main__":
    main()
