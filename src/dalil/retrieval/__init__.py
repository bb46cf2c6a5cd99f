"""Finding: search by meaning and by words, fusion, reranking, and the decision whether there is an answer."""

from dalil.retrieval.fusion import FusionWeights, WeightedFusion, alpha_fusion, reciprocal_rank_fusion
from dalil.retrieval.gate import Calibration, EvidenceGate, Gate, Verdict
from dalil.retrieval.relevance import Relevance, clamped
from dalil.retrieval.retriever import Retrieval, Retriever
from dalil.retrieval.signals import Candidate, Signals

__all__ = [
    "Calibration",
    "Candidate",
    "EvidenceGate",
    "FusionWeights",
    "Gate",
    "Relevance",
    "Retrieval",
    "Retriever",
    "Signals",
    "Verdict",
    "WeightedFusion",
    "alpha_fusion",
    "clamped",
    "reciprocal_rank_fusion",
]
