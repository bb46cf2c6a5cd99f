"""What every RAG system has: a config, counters, and asynchronous twins of its synchronous methods."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Any, Literal, Self

from dalil.rag.config import RAGConfig

QUERY_COUNTERS = ("total_queries", "successful_queries", "failed_queries")
COUNTERS = (*QUERY_COUNTERS, "total_documents", "total_chunks")


class BaseRAGSystem(ABC):
    """Subclass this where retrieve, context, prompt, generate is not the shape of what you build.

    `stats` is a live dict of five counters. The asynchronous methods run the synchronous ones in a thread.

    Raises:
        ConfigurationError: if the config does not validate.
    """

    def __init__(self, config: RAGConfig | None = None):
        self.config = RAGConfig() if config is None else config
        self.config.validate()
        self.stats: dict[str, int] = dict.fromkeys(COUNTERS, 0)
        self._counting = threading.Lock()

    @abstractmethod
    def add_documents(self, docs: dict[str, str]) -> dict[str, int]:
        """Index `docs` ({doc_id: text}); gives {doc_id: number of chunks}."""

    @abstractmethod
    def retrieve(self, query: str, top_k: int | None = None) -> list[tuple[Any, float]]:
        """The (chunk, score) pairs that bear on `query`, the best first."""

    @abstractmethod
    def generate(
        self, query: str, include_sources: bool = False, language: str | None = None, **llm_kwargs: Any
    ) -> str:
        """The answer to `query`."""

    def remove_document(self, doc_id: str) -> int:
        """Remove a document; gives the number of its chunks."""
        raise NotImplementedError(f"{type(self).__name__} cannot remove documents.")

    def save(self, path: str) -> None:
        """Write the system to the directory `path`."""
        raise NotImplementedError(f"{type(self).__name__} cannot be saved.")

    @classmethod
    def load(cls, path: str, *args: Any, **kwargs: Any) -> BaseRAGSystem:
        """A system with what was saved at `path`."""
        raise NotImplementedError(f"{cls.__name__} cannot be loaded.")

    def get_stats(self) -> dict[str, Any]:
        """A copy of the counters."""
        return dict(self._counters())

    def reset_stats(self) -> None:
        """Set the query counters to zero; what is indexed stays counted."""
        with self._counting:
            self.stats.update(dict.fromkeys(QUERY_COUNTERS, 0))

    def validate_connection(self, test_query: str = "test") -> dict[str, Any]:
        """Whether a question can be looked up: {"success": bool, "reason": str, "components": {name: bool}}."""
        try:
            self.retrieve(test_query)
        except Exception as error:
            return {"success": False, "reason": f"retrieve: {error}", "components": {"retrieve": False}}
        return {"success": True, "reason": "", "components": {"retrieve": True}}

    def cleanup(self) -> None:  # noqa: B027 - a system that holds nothing has nothing to do
        """Release what the system holds. It never raises."""

    async def aadd_documents(self, docs: dict[str, str]) -> dict[str, int]:
        """`add_documents`, in a thread."""
        return await asyncio.to_thread(self.add_documents, docs)

    async def aretrieve(self, query: str, top_k: int | None = None) -> list[tuple[Any, float]]:
        """`retrieve`, in a thread."""
        return await asyncio.to_thread(self.retrieve, query, top_k)

    async def agenerate(
        self, query: str, include_sources: bool = False, language: str | None = None, **llm_kwargs: Any
    ) -> str:
        """`generate`, in a thread."""
        return await asyncio.to_thread(self.generate, query, include_sources, language, **llm_kwargs)

    def _counters(self) -> dict[str, int]:
        """The counters at one moment."""
        with self._counting:
            return dict(self.stats)

    def _count(self, **changes: int) -> None:
        """Change counters together, none below zero."""
        with self._counting:
            for name, change in changes.items():
                self.stats[name] = max(0, self.stats.get(name, 0) + change)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self.cleanup()
        return False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        # In a thread: a cleanup that waits for something of this loop would otherwise wait for ever.
        await asyncio.to_thread(self.cleanup)
        return False
