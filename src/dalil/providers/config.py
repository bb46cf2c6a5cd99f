"""The hosted models that an engine is assembled from, as one plain object."""

from __future__ import annotations

from dataclasses import dataclass, field

from dalil.errors import ConfigurationError, MissingAPIKeyError


@dataclass(frozen=True)
class ProviderConfig:
    """Keys, model names and limits of the default hosted models. Reads no environment; needs no provider's package.

    `context_max_tokens`, `rewrite_max_tokens` and `vision_max_tokens` bound what a model writes to situate a chunk,
    to rewrite a follow-up and to transcribe a page. The two addresses are for gateways and servers of one's own.

    Raises:
        MissingAPIKeyError: if a key is blank.
        ConfigurationError: if a model's name is blank, or a number is not positive.
    """

    openai_api_key: str = field(repr=False)
    voyage_api_key: str = field(repr=False)
    embedding_model: str = "voyage-3-large"
    rerank_model: str = "rerank-2"
    contextualize_model: str = "gpt-4o-mini"
    generation_model: str = "gpt-4o"
    vision_model: str = "gpt-4o"
    timeout_seconds: float = 60
    context_max_tokens: int = 128
    rewrite_max_tokens: int = 256
    vision_max_tokens: int = 4096
    openai_base_url: str | None = field(default=None, repr=False)
    voyage_base_url: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in ("openai_api_key", "voyage_api_key"):
            if not getattr(self, name).strip():
                raise MissingAPIKeyError(f"{name} is blank.")
        for name in ("embedding_model", "rerank_model", "contextualize_model", "generation_model", "vision_model"):
            if not getattr(self, name).strip():
                raise ConfigurationError(f"{name} is blank.")
        for name in ("timeout_seconds", "context_max_tokens", "rewrite_max_tokens", "vision_max_tokens"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(f"{name} must be positive, not {getattr(self, name)}.")
