"""The hosted models that a ProviderConfig stands for."""

from __future__ import annotations

from dataclasses import dataclass

from dalil.ports import Embedder, LLMClient, Reranker
from dalil.providers.config import ProviderConfig


@dataclass(frozen=True)
class ConfiguredModels:
    """Voyage for embedding and reranking, OpenAI for all else: one client for each length of reply."""

    embedder: Embedder
    reranker: Reranker
    llm: LLMClient
    context_llm: LLMClient
    rewrite_llm: LLMClient

    @classmethod
    def of(cls, config: ProviderConfig) -> ConfiguredModels:
        """The models of `config`. Their packages are loaded when they are first used.

        Raises:
            ConfigurationError: if an address or a key cannot be one.
        """
        from dalil.providers.openai import OpenAILLM
        from dalil.providers.voyage import VoyageEmbedder, VoyageReranker

        timeout, key, url = config.timeout_seconds, config.voyage_api_key, config.voyage_base_url

        def chat(model: str, max_tokens: int | None) -> OpenAILLM:
            return OpenAILLM(
                model,
                api_key=config.openai_api_key,
                base_url=config.openai_base_url,
                vision_model=config.vision_model,
                max_tokens=max_tokens,
                vision_max_tokens=config.vision_max_tokens,
                timeout_seconds=timeout,
            )

        return cls(
            embedder=VoyageEmbedder(config.embedding_model, api_key=key, base_url=url, timeout_seconds=timeout),
            reranker=VoyageReranker(config.rerank_model, api_key=key, base_url=url, timeout_seconds=timeout),
            llm=chat(config.generation_model, None),
            context_llm=chat(config.contextualize_model, config.context_max_tokens),
            rewrite_llm=chat(config.generation_model, config.rewrite_max_tokens),
        )
