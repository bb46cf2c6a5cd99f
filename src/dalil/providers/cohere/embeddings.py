"""Embeddings by Cohere (https://docs.cohere.com/reference/embed)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.providers.hosting.address import Address
from dalil.providers.hosting.batching import Limits
from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.checking import numbers
from dalil.providers.hosting.embedder import Side, TwoSidedEmbedder
from dalil.providers.hosting.failures import Cause, Failure
from dalil.providers.hosting.http import JsonService
from dalil.providers.hosting.retrying import RetryPolicy

BASE_URL = "https://api.cohere.com/v2"
LIMITS = Limits(texts=96, tokens=60_000, longest_text=40_000)
"""Cohere takes 96 texts; for all tokens of a request it names no limit, so this one keeps answers short."""


class CohereEmbedder(TwoSidedEmbedder):
    """An Embedder and QueryEmbedder: passages with the input type "search_document", questions with "search_query".

    Raises:
        MissingAPIKeyError: if Cohere itself is to be asked without a key.
        ConfigurationError: if the address or a number cannot be one.
    """

    def __init__(
        self,
        model: str = "embed-v4.0",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        dimensions: int | None = None,
        timeout_seconds: float = 60.0,
        retry: RetryPolicy | None = None,
        concurrency: int = 4,
        limits: Limits = LIMITS,
    ):
        address = Address.of("cohere", base_url, api_key, default=BASE_URL, needs_key=True)
        provider = "cohere" if address.is_default else "cohere-compatible"
        calling = Calling(timeout_seconds, retry or RetryPolicy(), concurrency)
        super().__init__(f"{provider}:{model}", "input_type=search_document/search_query", limits, dimensions, calling)
        self._model = model
        self._service = JsonService(self.name, "cohere", address, timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        await self._service.aclose()

    async def _ready(self) -> None:
        await self._service.ready()

    async def _ask(self, batch: Sequence[str], side: Side) -> Sequence[Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "texts": list(batch),
            "input_type": f"search_{side}",
            "embedding_types": ["float"],
            "truncate": "END",
        }
        if self._dimensions is not None:
            body["output_dimension"] = self._dimensions
        answer = await self._service.post("embed", body)
        try:
            vectors = list(answer["embeddings"]["float"])
        except (KeyError, TypeError):
            raise Failure(Cause.MALFORMED, "it holds no vectors", passing=True) from None
        self._meter.add(input_tokens=numbers(answer, "meta", "billed_units", "input_tokens"))
        return vectors
