"""The parts an engine is assembled from: the compute kit, the store kit, and stores for reads between sessions."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dalil.models import Chunk, Document, EmbeddedChunk, ScoredChunk, StoredVectors, Vector
from dalil.ports import (
    Cache,
    Chunker,
    Contextualizer,
    Database,
    DocumentParser,
    DocumentStore,
    Embedder,
    Identified,
    LexicalStore,
    LLMClient,
    PageClassifier,
    QueryRewriter,
    Reranker,
    Tracer,
    Transacting,
    VectorReuse,
    VectorStore,
)
from dalil.scope import Scope

_Result = TypeVar("_Result")


def _memory_cache() -> Cache:
    from dalil.ingestion.caching import MemoryCache

    return MemoryCache()


@dataclass(frozen=True)
class ComputeKit:
    """The adapters that do not depend on a session; one instance serves every call.

    Replace one of them with `dataclasses.replace(kit, embedder=...)`.
    """

    parser: DocumentParser
    classifier: PageClassifier
    chunker: Chunker
    contextualizer: Contextualizer
    embedder: Embedder
    reranker: Reranker | None
    llm: LLMClient
    rewriter: QueryRewriter | None = None
    cache: Cache = field(default_factory=_memory_cache)
    tracer: Tracer | None = None

    @classmethod
    def local(cls, embedder: Embedder, llm: LLMClient) -> ComputeKit:
        """The kit that needs nothing from outside: our parser and chunker, titles and headings as context."""
        from dalil.chunking import StructureChunker
        from dalil.ingestion.contextualizing import TitleContextualizer
        from dalil.parsing import HeuristicBackend, LayoutPageClassifier

        return cls(
            parser=HeuristicBackend(),
            classifier=LayoutPageClassifier(),
            chunker=StructureChunker(),
            contextualizer=TitleContextualizer(),
            embedder=embedder,
            reranker=None,
            llm=llm,
        )


@dataclass(frozen=True)
class StoreKit:
    """How to build the three stores of one session."""

    vector_store: Callable[[Any], VectorStore]
    lexical_store: Callable[[Any], LexicalStore]
    document_store: Callable[[Any], DocumentStore]

    def of(self, session: Any) -> tuple[VectorStore, LexicalStore, DocumentStore]:
        """The three stores of one session."""
        return self.vector_store(session), self.lexical_store(session), self.document_store(session)

    @classmethod
    def sqlite(cls) -> StoreKit:
        """The stores of the embedded engine."""
        from dalil.stores.sqlite import SqliteDocumentStore, SqliteLexicalStore, SqliteVectorStore

        return cls(SqliteVectorStore, SqliteLexicalStore, SqliteDocumentStore)


def embedder_identity(embedder: Embedder) -> str:
    """Who made the vectors: what the embedder says of itself, or its class's full name."""
    if isinstance(embedder, Identified):
        return embedder.identity
    return f"{type(embedder).__module__}.{type(embedder).__qualname__}"


async def read(database: Database, scope: Scope, work: Callable[[Any], Coroutine[Any, Any, _Result]]) -> _Result:
    """`work(session)` in a read-only session, in one go where the database can."""
    if isinstance(database, Transacting):
        return await database.transact(scope, work, read_only=True)
    async with database.session(scope, read_only=True) as session:
        return await work(session)


class SessionlessDocuments:
    """A DocumentStore of which every call is a session of its own: for preparing, which holds no transaction."""

    def __init__(self, database: Database, stores: StoreKit):
        self._database = database
        self._stores = stores

    async def save(self, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None:
        async with self._database.session(scope) as session:
            await self._stores.document_store(session).save(scope, document, chunks)

    async def find_by_hash(self, scope: Scope, content_hash: str) -> Document | None:
        async def work(session: Any) -> Document | None:
            return await self._stores.document_store(session).find_by_hash(scope, content_hash)

        return await read(self._database, scope, work)

    async def get(self, scope: Scope, document_id: str) -> Document | None:
        async def work(session: Any) -> Document | None:
            return await self._stores.document_store(session).get(scope, document_id)

        return await read(self._database, scope, work)

    async def list(self, scope: Scope) -> Sequence[Document]:
        async with self._database.session(scope, read_only=True) as session:
            return await self._stores.document_store(session).list(scope)

    async def delete(self, scope: Scope, document_id: str) -> None:
        async with self._database.session(scope) as session:
            await self._stores.document_store(session).delete(scope, document_id)


class SessionlessVectors:
    """A VectorStore of which every call is a session of its own."""

    def __init__(self, database: Database, stores: StoreKit):
        self._database = database
        self._stores = stores

    async def upsert(self, scope: Scope, records: Sequence[EmbeddedChunk]) -> None:
        async with self._database.session(scope) as session:
            await self._stores.vector_store(session).upsert(scope, records)

    async def search(self, scope: Scope, query_vector: Vector, *, k: int) -> Sequence[ScoredChunk]:
        async with self._database.session(scope, read_only=True) as session:
            return await self._stores.vector_store(session).search(scope, query_vector, k=k)

    async def delete(self, scope: Scope, document_id: str) -> None:
        async with self._database.session(scope) as session:
            await self._stores.vector_store(session).delete(scope, document_id)

    async def stored_vectors(self, scope: Scope, embed_texts: Sequence[str]) -> Mapping[str, StoredVectors]:
        async def work(session: Any) -> Mapping[str, StoredVectors]:
            store = self._stores.vector_store(session)
            return await store.stored_vectors(scope, embed_texts) if isinstance(store, VectorReuse) else {}

        return await read(self._database, scope, work)


class SessionlessWords:
    """A LexicalStore of which every call is a session of its own."""

    def __init__(self, database: Database, stores: StoreKit):
        self._database = database
        self._stores = stores

    async def index(self, scope: Scope, chunks: Sequence[Chunk]) -> None:
        async with self._database.session(scope) as session:
            await self._stores.lexical_store(session).index(scope, chunks)

    async def search(self, scope: Scope, query: str, *, k: int) -> Sequence[ScoredChunk]:
        async with self._database.session(scope, read_only=True) as session:
            return await self._stores.lexical_store(session).search(scope, query, k=k)

    async def delete(self, scope: Scope, document_id: str) -> None:
        async with self._database.session(scope) as session:
            await self._stores.lexical_store(session).delete(scope, document_id)
