"""Whether there is an answer at all, decided by evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Literal, Protocol, runtime_checkable

from dalil.retrieval.retriever import Retrieval
from dalil.text import detect_language


@dataclass(frozen=True)
class Verdict:
    """Whether the documents can answer, and the estimated probability that they can."""

    answerable: bool
    confidence: float


@runtime_checkable
class Gate(Protocol):
    """Judges what was found before anything is said."""

    def judge(self, retrieval: Retrieval) -> Verdict: ...


@dataclass(frozen=True)
class Calibration:
    """A logistic model of one kind of question: its features' weights, and the least probability that passes.

    `alone` stands for the lead of a passage that has no other to be compared with.
    """

    bias: float
    weights: Mapping[str, float]
    threshold: float
    alone: float = 0.0


FOLLOWERS = 9
"""How many of the next best candidates the lead of the best one is measured against."""

Kind = Literal["en", "ar", "across", "few"]


@dataclass(frozen=True)
class EvidenceGate:
    """A calibration for each kind of question: see `gate_kind`."""

    calibrations: Mapping[Kind, Calibration]

    def judge(self, retrieval: Retrieval) -> Verdict:
        """The verdict on a retrieval; nothing found is never answerable."""
        if not retrieval.candidates:
            return Verdict(False, 0.0)
        calibration = self.calibrations[gate_kind(retrieval)]
        features = gate_features(retrieval)
        if len(retrieval.candidates) == 1:
            features["lead"] = calibration.alone
        logit = calibration.bias + sum(weight * features[name] for name, weight in calibration.weights.items())
        confidence = 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))
        return Verdict(confidence >= calibration.threshold, confidence)


def gate_kind(retrieval: Retrieval) -> Kind:
    """Which calibration a retrieval falls under.

    The language of a question and its best passage, "en" or "ar", for cosines differ between languages; "across" when
    they are not in the same one; "few" when there are not enough others for the best to stand out from.
    """
    language = detect_language(retrieval.question)
    if language != detect_language(retrieval.candidates[0].chunk.text):
        return "across"
    if len(retrieval.candidates) <= FOLLOWERS:
        return "few"
    return "ar" if language == "ar" else "en"


def gate_features(retrieval: Retrieval) -> dict[str, float]:
    """The evidence in numbers: signals of the best passage, and how far it stands out from the rest.

    `standing` is how many standard deviations the greatest cosine lies above the mean of all candidates, `lead` how
    much the best score exceeds the mean of the next nine.
    """
    best = retrieval.candidates[0].signals
    dense = [candidate.signals.dense for candidate in retrieval.candidates]
    scores = [candidate.score for candidate in retrieval.candidates]
    spread = pstdev(dense)
    return {
        "dense": max(dense),
        "standing": (max(dense) - fmean(dense)) / spread if spread > 1e-9 else 0.0,
        "coverage": best.coverage,
        "sentence": best.sentence,
        "lead": scores[0] - fmean(scores[1 : 1 + FOLLOWERS]) if len(scores) > 1 else 0.0,
    }
