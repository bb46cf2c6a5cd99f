"""All fakes in one hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dalil import ports
from dalil.fakes.database import FakeSession
from dalil.fakes.models import FakeContextualizer, FakeEmbedder, FakeLLMClient, FakeReranker
from dalil.fakes.reading import FakeChunker, FakeDocumentParser, FakePageClassifier
from dalil.fakes.stores import FakeDocumentStore, FakeLexicalStore, FakeVectorStore
from dalil.fakes.tracing import FakeTracer

_OVER_SHARED_STATE: Any = None


class FakeCache:
    """A dictionary."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    async def get(self, key: str) -> Any | None:
        return self._values.get(key)

    async def set(self, key: str, value: Any) -> None:
        self._values[key] = value


@dataclass
class FakeEngineKit:
    """A fake for every port; any may be replaced. Stores that are not given share one state."""

    parser: ports.DocumentParser = field(default_factory=FakeDocumentParser)
    classifier: ports.PageClassifier = field(default_factory=FakePageClassifier)
    chunker: ports.Chunker = field(default_factory=FakeChunker)
    contextualizer: ports.Contextualizer = field(default_factory=FakeContextualizer)
    embedder: ports.Embedder = field(default_factory=FakeEmbedder)
    reranker: ports.Reranker = field(default_factory=FakeReranker)
    llm: ports.LLMClient = field(default_factory=FakeLLMClient)
    vector_store: ports.VectorStore = _OVER_SHARED_STATE
    lexical_store: ports.LexicalStore = _OVER_SHARED_STATE
    document_store: ports.DocumentStore = _OVER_SHARED_STATE
    cache: ports.Cache = field(default_factory=FakeCache)
    tracer: ports.Tracer = field(default_factory=FakeTracer)

    def __post_init__(self) -> None:
        session = FakeSession()
        if self.vector_store is _OVER_SHARED_STATE:
            self.vector_store = FakeVectorStore(session)
        if self.lexical_store is _OVER_SHARED_STATE:
            self.lexical_store = FakeLexicalStore(session)
        if self.document_store is _OVER_SHARED_STATE:
            self.document_store = FakeDocumentStore(session)
