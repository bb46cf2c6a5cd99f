"""The settings of a RAGSystem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dalil.errors import ConfigurationError

RERANK_MODES = ("heuristic", "llm", "hybrid")
CHUNKERS = ("structure", "fixed_size", "sentence_aware", "recursive", "semantic", "parent_child")
_WEIGHTS = ("rerank_original_weight", "rerank_llm_weight", "rerank_diversity_weight", "rerank_length_weight")
_WEIGHT_TOLERANCE = 0.01 + 1e-9  # a hundredth, and what adding four floats may be off by


@dataclass
class RAGConfig:
    """What a RAGSystem can be set to. `validate()` is called by whoever is built with it.

    `chunk_size` and `overlap` are for chunkers that are built from this config; `chunking` names the chunker of a
    local system. `rerank_top_k` None keeps as many chunks as came in, and the four rerank weights sum to 1.
    `prompt_language` None means the language of the question. `context_max_length` is in characters, `cache_maxsize`
    in entries, `cache_ttl` in seconds, where 0 and below mean that entries never expire. `ingest_batch_size` is how
    many documents are chunked at a time by the asynchronous ingest.
    """

    chunk_size: int = 512
    overlap: int = 128
    top_k: int = 5
    min_score: float = 0.0
    enable_reranking: bool = False
    rerank_mode: Literal["heuristic", "llm", "hybrid"] = "heuristic"
    rerank_top_k: int | None = None
    rerank_original_weight: float = 0.40
    rerank_llm_weight: float = 0.40
    rerank_diversity_weight: float = 0.10
    rerank_length_weight: float = 0.10
    enable_prompt_routing: bool = True
    prompt_language: Literal["ar", "en"] | None = None
    include_few_shot: bool = True
    context_max_length: int = 4000
    enable_retrieval_cache: bool = True
    cache_maxsize: int = 256
    cache_ttl: float = 300.0
    ingest_batch_size: int = 64
    chunking: str = "structure"

    def validate(self) -> None:
        """Check that the values can work together.

        Raises:
            ConfigurationError: (a ValueError) for a chunk_size or top_k that is not positive, an overlap that is
                negative or not below chunk_size, an unknown rerank_mode or chunking, or rerank weights that do not
                sum to 1 within 0.01.
        """
        for name in ("chunk_size", "top_k"):
            if getattr(self, name) <= 0:
                raise ConfigurationError(f"{name} must be positive, not {getattr(self, name)}.")
        if not 0 <= self.overlap < self.chunk_size:
            raise ConfigurationError(
                f"overlap must be at least 0 and below chunk_size ({self.chunk_size}), not {self.overlap}."
            )
        for name, known in (("rerank_mode", RERANK_MODES), ("chunking", CHUNKERS)):
            if getattr(self, name) not in known:
                raise ConfigurationError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}.")
        total = sum(getattr(self, name) for name in _WEIGHTS)
        if not abs(total - 1.0) <= _WEIGHT_TOLERANCE:
            raise ConfigurationError(f"The rerank weights must sum to 1.0, not {total:g}.")
