"""What hosted rerankers do alike: batch, ask, check, merge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from dalil.models import ScoredChunk
from dalil.providers.hosting.batching import Limits, batches, clean
from dalil.providers.hosting.calling import Calling, all_of
from dalil.providers.hosting.errors import llm_error
from dalil.providers.hosting.failures import Failure
from dalil.providers.hosting.usage import ProviderUsage, UsageMeter
from dalil.text import estimate_tokens


class HostedReranker(ABC):
    """Scores in [0, 1] from a service that reads the question and a passage together.

    What it reads is the chunk's `embed_text`: the passage told where it stands.
    """

    def __init__(self, name: str, limits: Limits, calling: Calling):
        self.name = name
        self._limits = limits
        self._line = calling.line(name)
        self._meter = UsageMeter()

    @property
    def usage(self) -> ProviderUsage:
        """What all calls until now have cost."""
        return self._meter.total

    async def rerank(self, query: str, candidates: Sequence[ScoredChunk], *, top_k: int) -> Sequence[ScoredChunk]:
        """The best `top_k` candidates with the service's scores, best first; nothing to rank costs no call.

        Raises:
            LLMError: if the service refuses, fails, or cannot be reached.
            MissingExtraError: if the provider's package is not installed.
        """
        if not candidates or top_k <= 0:
            return []
        await self._ready()
        asked = clean(query, self._limits)
        texts = [clean(candidate.chunk.embed_text, self._limits) for candidate in candidates]
        runs = list(batches(texts, self._limits, for_each=estimate_tokens(asked)))
        found = await all_of([self._batch(asked, run, top_k) for run in runs])
        ranked: list[ScoredChunk] = []
        start = 0
        for run, pairs in zip(runs, found, strict=True):
            ranked += [ScoredChunk(candidates[start + index].chunk, score) for index, score in pairs]
            start += len(run)
        return sorted(ranked, key=lambda scored: scored.rank)[:top_k]

    async def _batch(self, query: str, texts: Sequence[str], top_k: int) -> list[tuple[int, float]]:
        try:
            return await self._line.call(lambda: self._ask(query, texts, min(top_k, len(texts))))
        except Failure as failed:
            failure = failed
        raise llm_error(self.name, failure)

    @abstractmethod
    async def _ready(self) -> None:
        """Have a client."""

    @abstractmethod
    async def _ask(self, query: str, texts: Sequence[str], top_k: int) -> list[tuple[int, float]]:
        """The best `top_k` as pairs (index of the text, its score), checked.

        Raises:
            Failure: if this attempt failed.
        """

    @abstractmethod
    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
