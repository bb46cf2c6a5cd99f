"""What hosted embedders do alike: clean, batch, ask, check, count."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import Any, Literal

from dalil.errors import ConfigurationError
from dalil.models import Vector
from dalil.providers.hosting.batching import Limits, batches, clean
from dalil.providers.hosting.calling import Calling, all_of
from dalil.providers.hosting.checking import checked_vectors
from dalil.providers.hosting.errors import embedding_error
from dalil.providers.hosting.failures import Failure
from dalil.providers.hosting.usage import ProviderUsage, UsageMeter

Side = Literal["document", "query"]


class HostedEmbedder(ABC):
    """One vector for each text, in order. Texts are sent in batches, several at a time, each until it succeeds."""

    def __init__(self, name: str, scheme: str, limits: Limits, dimensions: int | None, calling: Calling):
        if dimensions is not None and dimensions < 1:
            raise ConfigurationError(f"dimensions must be positive, not {dimensions}.")
        self.name = name
        self._scheme = scheme
        self._limits = limits
        self._dimensions = dimensions
        self._line = calling.line(name)
        self._width = dimensions
        self._width_lock = threading.Lock()
        self._meter = UsageMeter()

    @property
    def identity(self) -> str:
        """The provider and model, the width that was asked for, and how texts and questions are told apart."""
        return f"{self.name} dim={self._dimensions or 'native'} {self._scheme}"

    @property
    def usage(self) -> ProviderUsage:
        """What all calls until now have cost."""
        return self._meter.total

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One vector for each text, in order; no texts cost no call.

        Raises:
            EmbeddingModelNotFoundError: if the service does not know the model.
            EmbeddingDimensionError: if vectors are missing, or not all of one width.
            EmbeddingAPIError: if the service refuses, fails, or cannot be reached.
            MissingExtraError: if the provider's package is not installed.
        """
        return await self._embedded(texts, "document")

    async def _embedded(self, texts: Sequence[str], side: Side) -> Sequence[Vector]:
        if not texts:
            return []
        await self._ready()
        sent = [clean(text, self._limits) for text in texts]
        found = await all_of([self._batch(batch, side) for batch in batches(sent, self._limits)])
        return [vector for vectors in found for vector in vectors]

    async def _batch(self, batch: Sequence[str], side: Side) -> list[array[float]]:
        try:
            found = await self._line.call(lambda: self._ask(batch, side))
        except Failure as failed:
            failure = failed
        else:
            with self._width_lock:
                vectors = checked_vectors(self.name, found, len(batch), self._width)
                self._width = len(vectors[0])
            return vectors
        raise embedding_error(self.name, failure)

    @abstractmethod
    async def _ready(self) -> None:
        """Have a client."""

    @abstractmethod
    async def _ask(self, batch: Sequence[str], side: Side) -> Sequence[Any]:
        """What the service answers to one batch: lists of numbers, in the order of the texts.

        Raises:
            Failure: if this attempt failed.
        """

    @abstractmethod
    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""


class TwoSidedEmbedder(HostedEmbedder):
    """A hosted embedder that is told whether a text is a passage or a question."""

    async def embed_query(self, text: str) -> Vector:
        """The vector of a question.

        Raises:
            EmbeddingError: as `embed` does.
        """
        return (await self._embedded([text], "query"))[0]
