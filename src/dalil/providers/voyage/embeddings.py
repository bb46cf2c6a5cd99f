"""Embeddings by Voyage AI (https://docs.voyageai.com/reference/embeddings-api)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.batching import Limits
from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.checking import in_order, numbers
from dalil.providers.hosting.embedder import Side, TwoSidedEmbedder
from dalil.providers.hosting.failures import Cause, Failure
from dalil.providers.hosting.http import JsonService
from dalil.providers.hosting.retrying import RetryPolicy

BASE_URL = "https://api.voyageai.com/v1"
LIMITS = Limits(texts=128, tokens=60_000, longest_text=40_000)
"""Voyage takes 1,000 texts and at least 120,000 tokens; half, as tokens are estimated, and fewer texts."""


class VoyageEmbedder(TwoSidedEmbedder):
    """An Embedder and QueryEmbedder: passages with the input type "document", questions with "query".

    Raises:
        MissingAPIKeyError: if Voyage itself is to be asked without a key.
        ConfigurationError: if the address or a number cannot be one.
    """

    def __init__(
        self,
        model: str = "voyage-3-large",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        dimensions: int | None = None,
        timeout_seconds: float = 60.0,
        retry: RetryPolicy | None = None,
        concurrency: int = 4,
        limits: Limits = LIMITS,
    ):
        address = Address.of("voyage", base_url, api_key, default=BASE_URL, needs_key=True)
        provider = "voyage" if address.is_default else "voyage-compatible"
        calling = Calling(timeout_seconds, retry or RetryPolicy(), concurrency)
        super().__init__(f"{provider}:{model}", "input_type=document/query", limits, dimensions, calling)
        self._model = model
        self._service = JsonService(self.name, "voyage", address, timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        await self._service.aclose()

    async def _ready(self) -> None:
        await self._service.ready()

    async def _ask(self, batch: Sequence[str], side: Side) -> Sequence[Any]:
        body: dict[str, Any] = {"model": self._model, "input": list(batch), "input_type": side, "truncation": True}
        if self._dimensions is not None:
            body["output_dimension"] = self._dimensions
        answer = await self._service.post("embeddings", body)
        try:
            items = answer["data"]
            vectors = in_order([item["embedding"] for item in items], [item.get("index") for item in items])
        except (KeyError, TypeError, AttributeError):
            raise Failure(Cause.MALFORMED, "it holds no vectors", passing=True) from None
        self._meter.add(input_tokens=numbers(answer, "usage", "total_tokens"))
        return vectors
