"""Finding: search by meaning and by words, fusion, reranking, and the decision whether there is an answer."""

from dalil.retrieval.fusion import FusionWeights, WeightedFusion, reciprocal_rank_fusion
from dalil.retrieval.gate import Calibration, EvidenceGate, Gate, Verdict
from dalil.retrieval.retriever import Retrieval, Retriever
from dalil.retrieval.signals import Candidate, Signals

__all__ = [
    "Calibration",
    "Candidate",
    "EvidenceGate",
    "FusionWeights",
    "Gate",
    "Retrieval",
    "Retriever",
    "Signals",
    "Verdict",
    "WeightedFusion",
    "reciprocal_rank_fusion",
]
