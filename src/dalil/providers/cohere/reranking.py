"""Reranking by Cohere (https://docs.cohere.com/reference/rerank)."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.providers.cohere.embeddings import BASE_URL
from dalil.providers.hosting.address import Address
from dalil.providers.hosting.batching import Limits
from dalil.providers.hosting.calling import Calling
from dalil.providers.hosting.checking import checked_scores, numbers
from dalil.providers.hosting.failures import Cause, Failure
from dalil.providers.hosting.http import JsonService
from dalil.providers.hosting.reranker import HostedReranker
from dalil.providers.hosting.retrying import RetryPolicy

LIMITS = Limits(texts=1000, tokens=1_000_000, longest_text=12_000)
"""Cohere advises at most 1,000 documents, and cuts each at 4,096 tokens itself."""


class CohereReranker(HostedReranker):
    """A Reranker over `POST {base_url}/rerank`.

    Raises:
        MissingAPIKeyError: if Cohere itself is to be asked without a key.
        ConfigurationError: if the address or a number cannot be one.
    """

    def __init__(
        self,
        model: str = "rerank-v3.5",
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_seconds: float = 60.0,
        retry: RetryPolicy | None = None,
        concurrency: int = 4,
        limits: Limits = LIMITS,
    ):
        address = Address.of("cohere", base_url, api_key, default=BASE_URL, needs_key=True)
        calling = Calling(timeout_seconds, retry or RetryPolicy(), concurrency)
        super().__init__(f"cohere:{model}", limits, calling)
        self._model = model
        self._service = JsonService(self.name, "cohere", address, timeout_seconds)

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        await self._service.aclose()

    async def _ready(self) -> None:
        await self._service.ready()

    async def _ask(self, query: str, texts: Sequence[str], top_k: int) -> list[tuple[int, float]]:
        body = {"model": self._model, "query": query, "documents": list(texts), "top_n": top_k}
        answer = await self._service.post("rerank", body)
        try:
            scores = checked_scores(answer["results"], len(texts), top_k)
        except (KeyError, TypeError):
            raise Failure(Cause.MALFORMED, "it holds no scores", passing=True) from None
        self._meter.add(search_units=numbers(answer, "meta", "billed_units", "search_units"))
        return scores
