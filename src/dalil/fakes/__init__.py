"""A working in-memory fake of every port: no files, no network, no models, the same result every time.

    kit = FakeEngineKit()
    pipeline = IngestionPipeline(parser=kit.parser, classifier=kit.classifier, ...)

For a `Database` with transactions there is `FakeDatabase`; its sessions are what the three stores are made from.
"""

from dalil.fakes.database import FakeDatabase, FakeSession
from dalil.fakes.kit import FakeCache, FakeEngineKit
from dalil.fakes.models import (
    SMALL_TALK_REPLY,
    FakeContextualizer,
    FakeEmbedder,
    FakeLLMClient,
    FakeQueryRewriter,
    FakeReranker,
)
from dalil.fakes.reading import FakeChunker, FakeDocumentParser, FakePageClassifier
from dalil.fakes.stores import FakeDocumentStore, FakeLexicalStore, FakeVectorStore
from dalil.fakes.tracing import FakeTracer, RecordedSpan

__all__ = [
    "SMALL_TALK_REPLY",
    "FakeCache",
    "FakeChunker",
    "FakeContextualizer",
    "FakeDatabase",
    "FakeDocumentParser",
    "FakeDocumentStore",
    "FakeEmbedder",
    "FakeEngineKit",
    "FakeLLMClient",
    "FakeLexicalStore",
    "FakePageClassifier",
    "FakeQueryRewriter",
    "FakeReranker",
    "FakeSession",
    "FakeTracer",
    "FakeVectorStore",
    "RecordedSpan",
]
