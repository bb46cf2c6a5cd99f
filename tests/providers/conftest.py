"""Every hosted adapter over a service on this machine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

import pytest

from dalil.providers.anthropic import AnthropicLLM
from dalil.providers.cohere import CohereEmbedder, CohereReranker
from dalil.providers.hosting import RetryPolicy
from dalil.providers.openai import OpenAIEmbedder, OpenAILLM
from dalil.providers.voyage import VoyageEmbedder, VoyageReranker
from providers import protocols
from providers.service import Service

QUICK = RetryPolicy(first_wait=0.01, longest_wait=2.0)

ADAPTERS: dict[str, tuple[Any, Callable[[Any], protocols.Reply], str]] = {
    "openai-embedder": (OpenAIEmbedder, protocols.openai_embeddings, "/v1"),
    "voyage-embedder": (VoyageEmbedder, protocols.voyage_embeddings, "/v1"),
    "cohere-embedder": (CohereEmbedder, protocols.cohere_embeddings, "/v2"),
    "voyage-reranker": (VoyageReranker, protocols.voyage_rerank, "/v1"),
    "cohere-reranker": (CohereReranker, protocols.cohere_rerank, "/v2"),
    "openai-llm": (OpenAILLM, protocols.openai_chat, "/v1"),
    "anthropic-llm": (AnthropicLLM, protocols.anthropic_messages, ""),
}
EMBEDDERS = [name for name in ADAPTERS if name.endswith("-embedder")]
RERANKERS = [name for name in ADAPTERS if name.endswith("-reranker")]
LLMS = [name for name in ADAPTERS if name.endswith("-llm")]


class Connect(Protocol):
    def __call__(self, name: str, **options: Any) -> Awaitable[tuple[Any, Service]]: ...


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Makes an adapter by its name in ADAPTERS, and the service that it asks; both are closed at the end."""
    opened: list[tuple[Any, Service]] = []

    async def make(name: str, **options: Any) -> tuple[Any, Service]:
        adapter, answer, path = ADAPTERS[name]
        service = Service(answer)
        await service.start()
        options = {"api_key": protocols.KEY, "base_url": service.address + path, "retry": QUICK, **options}
        opened.append((adapter("the-model", **options), service))
        return opened[-1]

    yield make
    for model, service in opened:
        await model.aclose()
        await service.stop()
