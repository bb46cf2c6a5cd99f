"""Embeddings by OpenAI or a server that speaks its protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.providers.hosting.batching import Limits
from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.checking import in_order
from dalil.providers.hosting.embedder import HostedEmbedder, Side
from dalil.providers.hosting.retrying import RetryPolicy
from dalil.providers.hosting.sdk import sdk_failure
from dalil.providers.openai.client import address_of, clients_of, name_of

LIMITS = Limits(texts=256, tokens=150_000, longest_text=12_000)
"""OpenAI takes 2,048 texts and 300,000 tokens; half, as tokens are estimated, and fewer texts, as answers are long."""


class OpenAIEmbedder(HostedEmbedder):
    """An Embedder over `POST {base_url}/embeddings`. Questions and passages are embedded alike.

    `dimensions` asks for shorter vectors than the model's own. `provider` is the word before the model's name in
    `identity`; by default "openai", and "openai-compatible" at another address.

    Raises:
        MissingAPIKeyError: if OpenAI itself is to be asked without a key.
        ConfigurationError: if the address or a number cannot be one.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        dimensions: int | None = None,
        provider: str | None = None,
        timeout_seconds: float = 60.0,
        retry: RetryPolicy | None = None,
        concurrency: int = 4,
        limits: Limits = LIMITS,
    ):
        self._address = address_of(base_url, api_key, provider)
        calling = Calling(timeout_seconds, retry or RetryPolicy(), concurrency)
        super().__init__(name_of(model, self._address, provider), "one-sided", limits, dimensions, calling)
        self._model = model
        self._clients = clients_of(self.name, self._address, timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        await self._clients.aclose()

    async def _ready(self) -> None:
        await self._clients.here()

    async def _ask(self, batch: Sequence[str], side: Side) -> Sequence[Any]:
        import openai

        client = await self._clients.here()
        # Base64 is a third of the size, but not every server can write it.
        body: dict[str, Any] = {"encoding_format": "base64" if self._address.is_default else "float"}
        if self._dimensions is not None:
            body["dimensions"] = self._dimensions
        try:
            answer = await client.embeddings.create(model=self._model, input=list(batch), **body)
            vectors = in_order([item.embedding for item in answer.data], [item.index for item in answer.data])
            self._meter.add(input_tokens=getattr(answer.usage, "prompt_tokens", 0))
            return vectors
        except Exception as error:
            failure = sdk_failure(openai, error, self._address)
        raise failure
