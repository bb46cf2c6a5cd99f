"""The parts an engine is assembled from: the compute kit, the store kit, and stores for reads between sessions."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from dalil.config import IngestionConfig, QueryOptions
from dalil.models import Chunk, Document, EmbeddedChunk, ScoredChunk, StoredVectors, Vector
from dalil.offloop import off_loop
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
    TextRecognizer,
    Tracer,
    Transacting,
    VectorReuse,
    VectorStore,
)
from dalil.scope import Scope

if TYPE_CHECKING:
    from dalil.parsing import ParsingLimits
    from dalil.providers import ProviderConfig
    from dalil.stores.postgres import PostgresConfig

_Result = TypeVar("_Result")


def _memory_cache() -> Cache:
    from dalil.ingestion.caching import MemoryCache

    return MemoryCache()


def _usual_limits() -> ParsingLimits:
    from dalil.parsing import ParsingLimits

    return ParsingLimits()


@dataclass(frozen=True)
class RagSageConfig:
    """What `RagSage.from_config` needs: where documents are kept, which hosted models are used, and the defaults.

    `parsing` bounds what reading a document may cost.
    """

    postgres: PostgresConfig
    providers: ProviderConfig
    ingestion: IngestionConfig = field(default_factory=IngestionConfig)
    query: QueryOptions = field(default_factory=QueryOptions)
    parsing: ParsingLimits = field(default_factory=_usual_limits)


@dataclass(frozen=True)
class ComputeKit:
    """The adapters that do not depend on a session; one instance serves every call.

    Replace one of them with `dataclasses.replace(kit, embedder=...)`. `recognizer` reads the pictures of pages that
    `llm` does not; without one they are only warned about. `clients` are what was made for this kit and is closed
    with it.
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
    recognizer: TextRecognizer | None = None
    clients: tuple[Any, ...] = field(default=(), repr=False)

    @classmethod
    def from_config(cls, config: RagSageConfig) -> ComputeKit:
        """Our parser and chunker, headings and neighbours as context, and the hosted models of `config.providers`.

        Raises:
            MissingExtraError: if a provider's package is not installed.
        """
        from dalil.answering.rewriting import ModelQueryRewriter
        from dalil.ingestion.contextualizing import HeadingWindowContextualizer
        from dalil.providers import ConfiguredModels

        models, settings = ConfiguredModels.of(config.providers), config.providers
        return replace(
            cls.local(models.embedder, models.llm, config.parsing),
            contextualizer=HeadingWindowContextualizer(max_context_tokens=settings.context_max_tokens),
            reranker=models.reranker,
            rewriter=ModelQueryRewriter(models.rewrite_llm, settings.rewrite_max_tokens),
            clients=(models.embedder, models.reranker, models.llm, models.rewrite_llm),
        )

    @classmethod
    def with_model_contextualizer(cls, config: RagSageConfig) -> ComputeKit:
        """The same kit, but a model says where each chunk stands in its document.

        Raises:
            MissingExtraError: if a provider's package is not installed.
        """
        from dalil.ingestion.model_contextualizing import ModelContextualizer
        from dalil.providers import ConfiguredModels

        kit, model = cls.from_config(config), ConfiguredModels.of(config.providers).context_llm
        contextualizer = ModelContextualizer(model, config.providers.context_max_tokens)
        return replace(kit, contextualizer=contextualizer, clients=(*kit.clients, model))

    @classmethod
    def local(cls, embedder: Embedder, llm: LLMClient, limits: ParsingLimits | None = None) -> ComputeKit:
        """The kit that needs nothing from outside: our parser and chunker, titles and headings as context, and
        Tesseract where it is installed. `limits` bound what reading a document may cost."""
        from dalil.chunking import StructureChunker
        from dalil.ingestion.contextualizing import TitleContextualizer
        from dalil.parsing import HeuristicBackend, LayoutPageClassifier, TesseractRecognizer

        return cls(
            parser=HeuristicBackend(limits),
            classifier=LayoutPageClassifier(),
            chunker=StructureChunker(),
            contextualizer=TitleContextualizer(),
            embedder=embedder,
            reranker=None,
            llm=llm,
            recognizer=TesseractRecognizer.found(limits),
        )

    async def aclose(self) -> None:
        """Close the connections of what was made for this kit; it may be used again, and connects anew."""
        for client in self.clients:
            if hasattr(client, "aclose"):
                await off_loop(client.aclose())


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
    def from_config(cls, config: RagSageConfig) -> StoreKit:
        """The stores of the PostgreSQL engine; the config says nothing that they need.

        Raises:
            MissingExtraError: if its packages are not installed.
        """
        del config
        return cls.postgres()

    @classmethod
    def postgres(cls) -> StoreKit:
        """The stores of the PostgreSQL engine."""
        from dalil.stores.postgres import PostgresDocumentStore, PostgresLexicalStore, PostgresVectorStore

        return cls(PostgresVectorStore, PostgresLexicalStore, PostgresDocumentStore)

    @classmethod
    def sqlite(cls) -> StoreKit:
        """The stores of the embedded engine."""
        from dalil.stores.sqlite import SqliteDocumentStore, SqliteLexicalStore, SqliteVectorStore

        return cls(SqliteVectorStore, SqliteLexicalStore, SqliteDocumentStore)


def database_at(location: str | os.PathLike[str]) -> tuple[Database, StoreKit]:
    """The database in a folder, or at the URL of a PostgreSQL server, and its stores. Nothing is opened.

    Raises:
        ConfigurationError: if the URL cannot be one.
        MissingExtraError: if its packages are not installed.
    """
    if is_url(location):
        from dalil.stores.postgres import Database as PostgresDatabase
        from dalil.stores.postgres import PostgresConfig

        return PostgresDatabase(PostgresConfig(str(location))), StoreKit.postgres()
    from dalil.stores.sqlite import SqliteDatabase

    return SqliteDatabase(location), StoreKit.sqlite()


def is_url(location: str | os.PathLike[str]) -> bool:
    """Whether it is the URL of a PostgreSQL database, and not a folder."""
    return str(location).startswith(("postgres://", "postgresql://", "postgresql+asyncpg://"))


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
