"""Finding: search by meaning and by words, fusion, reranking, and the decision whether there is an answer."""

from dalil.retrieval.fusion import FusionWeights, WeightedFusion, reciprocal_rank_fusion
from dalil.retrieval.gate import EvidenceGate, Gate, Verdict
from dalil.retrieval.profiles import Profile, load_profile
from dalil.retrieval.retriever import Retrieval, Retriever
from dalil.retrieval.signals import Candidate, Signals

__all__ = [
    "Candidate",
    "EvidenceGate",
    "FusionWeights",
    "Gate",
    "Profile",
    "Retrieval",
    "Retriever",
    "Signals",
    "Verdict",
    "WeightedFusion",
    "load_profile",
    "reciprocal_rank_fusion",
]
