"""What was fitted for each of our embedders: a small versioned file a profile."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from dalil.retrieval.fusion import FusionWeights, WeightedFusion
from dalil.retrieval.gate import Calibration, EvidenceGate


@dataclass(frozen=True)
class Profile:
    """Fusion and gate for one embedder. `gate` is None where only the neutral rules hold."""

    fusion: WeightedFusion
    gate: EvidenceGate | None


UNMEASURED = Profile(WeightedFusion(), None)
"""For embedders that are not ours: neutral weights, no sentence signal, and the plain not-found rule."""


def load_profile(name: str | None) -> Profile:
    """The fitted profile called `name`; `UNMEASURED` for None and for names without a file."""
    if name is None:
        return UNMEASURED
    file = files("dalil.retrieval") / "fitted" / f"{name}.json"
    if not file.is_file():
        return UNMEASURED
    fitted = json.loads(file.read_text("utf-8"))
    gate = fitted.get("gate")
    return Profile(
        WeightedFusion(FusionWeights(**fitted["fusion"])),
        gate and EvidenceGate({kind: Calibration(**values) for kind, values in gate.items()}),
    )
