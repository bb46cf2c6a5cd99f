"""Whether there is an answer at all, decided by evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Protocol, runtime_checkable

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
    """A logistic model of one kind of question: its features' weights, and the least probability that passes."""

    bias: float
    weights: Mapping[str, float]
    threshold: float


@dataclass(frozen=True)
class EvidenceGate:
    """Calibrations by "<question language>-<language of the best passage>", with "other" for the rest."""

    calibrations: Mapping[str, Calibration]

    def judge(self, retrieval: Retrieval) -> Verdict:
        """The verdict on a retrieval; nothing found is never answerable."""
        if not retrieval.candidates:
            return Verdict(False, 0.0)
        features = gate_features(retrieval)
        calibration = self.calibrations.get(gate_kind(retrieval)) or self.calibrations["other"]
        logit = calibration.bias + sum(weight * features[name] for name, weight in calibration.weights.items())
        confidence = 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))
        return Verdict(confidence >= calibration.threshold, confidence)


def gate_kind(retrieval: Retrieval) -> str:
    """Which calibration a retrieval falls under: the languages of the question and of its best passage."""
    return f"{detect_language(retrieval.question)}-{detect_language(retrieval.candidates[0].chunk.text)}"


def gate_features(retrieval: Retrieval) -> dict[str, float]:
    """The evidence in numbers: signals of the best passage, and how far it stands out from the rest."""
    best = retrieval.candidates[0].signals
    dense = sorted((candidate.signals.dense for candidate in retrieval.candidates), reverse=True)
    spread = pstdev(dense) if len(dense) > 1 else 0.0
    return {
        "dense": max(dense),
        "margin": dense[0] - dense[1] if len(dense) > 1 else 0.0,
        "standing": (dense[0] - fmean(dense)) / spread if spread > 1e-9 else 0.0,
        "coverage": best.coverage,
        "sentence": best.sentence,
        "score": retrieval.candidates[0].score,
    }
