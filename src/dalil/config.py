"""The policy settings of ingesting and querying: plain, frozen, read from no environment."""

from __future__ import annotations

from dataclasses import dataclass

from dalil.errors import ConfigurationError


@dataclass(frozen=True)
class IngestionConfig:
    """How a document is cut. Sizes are in estimated tokens (see `dalil.text.tokens`).

    Raises:
        ConfigurationError: unless chunk_size > 0 and 0 <= chunk_overlap < chunk_size.
    """

    chunk_size: int = 512
    chunk_overlap: int = 64
    contextualize: bool = True

    def __post_init__(self) -> None:
        if self.chunk_size <= 0:
            raise ConfigurationError(f"chunk_size must be positive, not {self.chunk_size}.")
        if not 0 <= self.chunk_overlap < self.chunk_size:
            raise ConfigurationError(
                f"chunk_overlap must be at least 0 and below chunk_size ({self.chunk_size}), not {self.chunk_overlap}."
            )


@dataclass(frozen=True)
class QueryOptions:
    """How many candidates each stage of a query keeps, and the least score that counts as evidence.

    Raises:
        ConfigurationError: unless every k is positive.
    """

    retrieve_k: int = 20
    rerank_k: int = 5
    context_k: int = 3
    min_score: float = 0.0

    def __post_init__(self) -> None:
        for name in ("retrieve_k", "rerank_k", "context_k"):
            if getattr(self, name) <= 0:
                raise ConfigurationError(f"{name} must be positive, not {getattr(self, name)}.")
