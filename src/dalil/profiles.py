"""What was fitted for each of our embedders: a small versioned file a profile, written by `benchmarks.fit`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from dalil.answering.extractive import SentenceWeights
from dalil.errors import ConfigurationError
from dalil.retrieval import Calibration, EvidenceGate, FusionWeights, Relevance, WeightedFusion, clamped

VERSION = 1


@dataclass(frozen=True)
class Profile:
    """Fusion, gate and sentence weights for one embedder. `gate` is None where only the plain rule holds.

    `relevance` turns a fused score into one within [0, 1] that a threshold can use.
    """

    fusion: WeightedFusion
    gate: EvidenceGate | None
    answer: SentenceWeights
    relevance: Callable[[float], float] = clamped


UNMEASURED = Profile(WeightedFusion(), None, SentenceWeights())
"""For embedders that are not ours: neutral weights, no sentence signal, and the plain not-found rule."""


@lru_cache
def load_profile(name: str | None) -> Profile:
    """The fitted profile called `name`; `UNMEASURED` for None and for names without a file.

    Raises:
        ConfigurationError: if the file is of another version.
    """
    file = files("dalil") / "fitted" / f"{name}.json"
    if name is None or not file.is_file():
        return UNMEASURED
    fitted = json.loads(file.read_text("utf-8"))
    if fitted["version"] != VERSION:
        raise ConfigurationError(f"The fitted profile {name!r} has version {fitted['version']}, not {VERSION}.")
    gate = fitted.get("gate")
    return Profile(
        WeightedFusion(FusionWeights(**fitted["fusion"])),
        EvidenceGate({kind: Calibration(**values) for kind, values in gate.items()}) if gate else None,
        SentenceWeights(**fitted["answer"]),
        Relevance(**fitted["relevance"]) if "relevance" in fitted else clamped,
    )
