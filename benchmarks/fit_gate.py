"""The gate's calibration: from tuning questions with and without their passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.collecting import Question
from dalil.retrieval import Candidate, Retrieval, WeightedFusion
from dalil.retrieval.gate import gate_features, gate_kind

FEATURES = ("dense", "coverage", "sentence", "standing", "lead")
LANGUAGE_FREE = ("standing", "lead")
"""For questions in another language than their passage: they share no words with it, and their cosines are lower."""
ABSOLUTE = ("dense", "coverage", "sentence")
"""For passages that have too few others beside them to stand out from."""
COST_OF_FALSE_REFUSALS = 3.0
"""To refuse what is there is three times as bad as to quote passages that do not answer: a quote can be checked."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """A retrieval in numbers; `topic` says what was left of the question's own article."""

    tuning_set: str
    group: str
    kind: str
    topic: str  # "gold": its passage is there; "near": only its article's other passages; "off": nothing of it
    features: dict[str, float]

    @property
    def answerable(self) -> bool:
        return self.topic == "gold"


def examples(tuning_set: str, questions: Sequence[Question], fusion: WeightedFusion) -> list[Example]:
    """Each question as it is, without its passage, and without its article.

    A question whose passage is not among the best three is no example of an answerable one.
    """
    found = []
    for question in questions:
        versions = {
            "gold": [True] * len(question.candidates),
            "near": [not hit for hit in question.relevant],
            "off": [title not in question.gold_titles for title in question.titles],
        }
        gold = {item.chunk.id for item, hit in zip(question.candidates, question.relevant, strict=True) if hit}
        for topic, kept in versions.items():
            candidates = _found_alone(question.candidates, kept, fusion)[:20]
            if not candidates or (topic == "gold" and not gold & {item.chunk.id for item in candidates[:3]}):
                continue
            retrieval = Retrieval(question.text, candidates=candidates)
            found.append(Example(tuning_set, question.group, gate_kind(retrieval), topic, gate_features(retrieval)))
    return found


def _found_alone(candidates: Sequence[Candidate], kept: Sequence[bool], fusion: WeightedFusion) -> list[Candidate]:
    """The kept candidates as they would have been found alone: word scores relative to the best that remains."""
    remaining = [item for item, keep in zip(candidates, kept, strict=True) if keep]
    best = max((item.signals.lexical for item in remaining), default=0.0)
    rescored = []
    for item in remaining:
        signals = replace(item.signals, lexical=item.signals.lexical / best if best else 0.0)
        rescored.append(Candidate(item.chunk, signals, fusion.score(signals)))
    return sorted(rescored, key=lambda item: item.scored.rank)


def fit_gate(rows: Sequence[Example]) -> dict[str, dict[str, Any]]:
    """The calibration of each kind, from questions in the language of their passage.

    There are fewer English questions, over one small shelf: they share the weights of all, and have an offset and a
    threshold of their own.
    """
    arabic = [row for row in rows if row.kind == "ar"]
    return {
        "en": fit_calibration(rows, judged="en"),
        "ar": fit_calibration(arabic),
        "across": fit_calibration(rows, LANGUAGE_FREE),
        "few": fit_calibration(rows, ABSOLUTE),
    }


def fit_calibration(
    rows: Sequence[Example], names: Sequence[str] = FEATURES, judged: str | None = None
) -> dict[str, Any]:
    """One calibration: logistic weights that tell questions with their passage from those without, and a threshold.

    With `judged`, a kind of question, the weights come from all rows, the offset and the threshold from those alone.
    """
    own = np.array([row.kind == judged for row in rows])
    features = np.array([[row.features[name] for name in names] for row in rows])
    answerable = np.array([row.answerable for row in rows])
    bias, weights = logistic(np.hstack([features, own[:, None]]) if judged else features, answerable)
    if judged:
        bias, weights = bias + float(weights[-1]), weights[:-1]
        features, answerable = features[own], answerable[own]
        rows = [row for row in rows if row.kind == judged]
    likely = 1 / (1 + np.exp(-(bias + features @ weights)))
    leads = [row.features["lead"] for row in rows if row.answerable]
    return {
        "bias": round(bias, 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
        "threshold": round(_threshold(likely, answerable), 4),
        "alone": round(float(np.mean(leads)), 4),
    }


def _threshold(likely: Matrix, answerable: NDArray[np.bool_]) -> float:
    """The mildest threshold whose cost cannot be told from the least: within one standard error of it.

    The cost of a threshold is the share of false answers plus `COST_OF_FALSE_REFUSALS` times that of false refusals.
    Breiman et al., "Classification and Regression Trees" (1984), for the rule.
    """
    cuts = np.quantile(likely, np.linspace(0, 1, 501))
    refused = np.array([(likely[answerable] < cut).mean() for cut in cuts])
    answered = np.array([(likely[~answerable] >= cut).mean() for cut in cuts])
    costs = COST_OF_FALSE_REFUSALS * refused + answered
    best = int(costs.argmin())
    spread = COST_OF_FALSE_REFUSALS**2 * refused[best] * (1 - refused[best]) / answerable.sum()
    spread += answered[best] * (1 - answered[best]) / (~answerable).sum()
    return float(cuts[np.flatnonzero(costs <= costs[best] + np.sqrt(spread))[0]])


def refuses(calibration: dict[str, Any], features: dict[str, float]) -> bool:
    """Whether a calibration would refuse."""
    logit = calibration["bias"] + sum(weight * features[name] for name, weight in calibration["weights"].items())
    return bool(1 / (1 + np.exp(-np.clip(logit, -60, 60))) < calibration["threshold"])


def logistic(features: Matrix, answerable: NDArray[np.bool_]) -> tuple[float, Matrix]:
    """Bias and weights of a ridge logistic regression with both classes weighing the same, by Newton's method."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled = np.hstack([np.ones((len(features), 1)), (features - mean) / spread])
    balance = np.where(answerable, 0.5 / answerable.mean(), 0.5 / (1 - answerable.mean()))
    ridge = np.diag([1e-9, *[1.0] * features.shape[1]])
    solution = np.zeros(scaled.shape[1])
    for _ in range(100):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ solution, -30, 30)))
        gradient = scaled.T @ (balance * (likely - answerable)) + ridge @ solution
        curvature = (scaled * (balance * likely * (1 - likely))[:, None]).T @ scaled + ridge
        step = np.linalg.solve(curvature, gradient)
        solution -= step
        if np.abs(step).max() < 1e-8:
            break
    weights = solution[1:] / spread
    return float(solution[0] - weights @ mean), weights
