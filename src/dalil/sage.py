"""RagSage: the assembled engine, from a path to answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from dalil.assembly import (
    ComputeKit,
    RagSageConfig,
    SessionlessDocuments,
    SessionlessVectors,
    SessionlessWords,
    StoreKit,
    database_at,
)
from dalil.choosing import Choice, profile_of, settle
from dalil.config import IngestionConfig, QueryOptions
from dalil.errors import ConfigurationError, EmbedderMismatchError
from dalil.ingestion import ChunkedDocument, IngestionPipeline, IngestionResult, PreparedDocument
from dalil.ingestion.attachments import remove_document
from dalil.ingestion.many import OnProgress, ingest_many
from dalil.models import Answer, AnswerEvent, Document, DocumentRecord, Page, RawSource, ScoredChunk, Turn
from dalil.ports import (
    Chunker,
    Database,
    Described,
    DocumentRecords,
    Embedder,
    LexicalStore,
    LLMClient,
    PageStore,
    Purge,
    Reranker,
    Tracer,
    Transacting,
    VectorStore,
)
from dalil.profiles import Profile
from dalil.query import QueryEngine
from dalil.scope import Scope
from dalil.status import NamespaceStatus, StoreStatus, status_of

if TYPE_CHECKING:
    from dalil.parsing import ParsingLimits

__all__ = ["ComputeKit", "NamespaceStatus", "RagSage", "RagSageConfig", "StoreKit", "StoreStatus"]


class RagSage:
    """Ingests, answers and keeps documents over one database.

    `compute` may be None for an engine whose embedder is the store's own: it is chosen at first use. `profile`
    carries the fusion weights and the gate fitted for the embedder; ours bring theirs.
    """

    def __init__(
        self,
        *,
        database: Database,
        compute: ComputeKit | None,
        stores: StoreKit,
        ingestion: IngestionConfig | None = None,
        query: QueryOptions | None = None,
        profile: Profile | None = None,
    ):
        self.database = database
        self._compute = compute
        self._stores = stores
        self._ingestion = ingestion or IngestionConfig()
        self._query = query or QueryOptions()
        self._profile = profile
        self._choice: Choice | None = None
        self._assembled = False
        self._mismatch: EmbedderMismatchError | None = None
        self._assembling = asyncio.Lock()

    @classmethod
    def open(
        cls,
        location: str | os.PathLike[str] = ".dalil",
        *,
        embedder: str | Embedder | None = None,
        llm: str | LLMClient | None = None,
        reranker: str | Reranker | None = None,
        chunker: str | Chunker | None = None,
        ingestion: IngestionConfig | None = None,
        query: QueryOptions | None = None,
        profile: Profile | None = None,
        tracer: Tracer | None = None,
        limits: ParsingLimits | None = None,
    ) -> RagSage:
        """The engine over the store at `location`: a folder, or the URL of a PostgreSQL database.

        Nothing is opened until it is first used; tables and files are made then, for vectors as wide as the embedder's.

        `embedder` is a name ("accurate", "fast", "openai:text-embedding-3-small", ...) or any Embedder; None means the
        store's own, or "accurate" for a new one. `llm` and `reranker` are names or any LLMClient and Reranker; None
        means the extractive answerer, and no reranking. `chunker` is a name (see `dalil.chunking.CHUNKERS`) or any
        Chunker; None means "structure". `tracer` hears what each stage produced. `limits` bound what reading a
        document may cost.

        Raises:
            ConfigurationError: if there is no model or chunker of that name.
        """
        database, stores = database_at(location)
        sage = cls(database=database, compute=None, stores=stores, ingestion=ingestion, query=query, profile=profile)
        sage._choice = Choice.of(embedder, llm, reranker, chunker, tracer, limits)
        return sage

    @classmethod
    def from_config(
        cls,
        config: RagSageConfig,
        *,
        database: Database | None = None,
        compute: ComputeKit | None = None,
        stores: StoreKit | None = None,
    ) -> RagSage:
        """The engine that `config` describes, over PostgreSQL with hosted models; each layer may be replaced.

        Call `migrate` before the first use.

        Raises:
            MissingExtraError: if a package is not installed that a layer needs.
        """
        if database is None:
            from dalil.stores.postgres import Database as PostgresDatabase

            database = PostgresDatabase(config.postgres)
        return cls(
            database=database,
            compute=ComputeKit.from_config(config) if compute is None else compute,
            stores=StoreKit.from_config(config) if stores is None else stores,
            ingestion=config.ingestion,
            query=config.query,
        )

    # --- writing -----------------------------------------------------------------------------------------

    async def ingest(self, source: RawSource, scope: Scope, config: IngestionConfig | None = None) -> IngestionResult:
        """Put one document into `scope`, and those that it carries, in the place of its older version.

        Raises:
            DocumentError: if it cannot be read or holds no text; what stood there before still stands.
            StoreError, EmbeddingError: if the store or the embedder fails.
        """
        await self._ready_to_embed()
        prepared = await self._preparing().prepare(source, scope, config or self._ingestion)
        return (await self._commit([prepared], scope))[0]

    async def ingest_many(
        self,
        sources: Iterable[RawSource],
        scope: Scope,
        config: IngestionConfig | None = None,
        *,
        on_progress: OnProgress | None = None,
    ) -> AsyncGenerator[IngestionResult, None]:
        """The result of each source as soon as it is stored; a bad document is a failed result, not an error.

        Raises:
            StoreError: if the store fails.
        """
        await self._ready_to_embed()

        async def commit(prepared: Sequence[PreparedDocument]) -> Sequence[IngestionResult]:
            return await self._commit(prepared, scope)

        results = ingest_many(
            sources,
            scope,
            config or self._ingestion,
            pipeline=self._preparing(),
            commit=commit,
            on_progress=on_progress,
        )
        async with aclosing(results):
            async for result in results:
                yield result

    async def ingest_chunked(
        self, documents: Iterable[ChunkedDocument], scope: Scope, config: IngestionConfig | None = None
    ) -> list[IngestionResult]:
        """Put documents that were cut elsewhere into `scope`: embedded together, stored in one transaction.

        Raises:
            StoreError, EmbeddingError: if the store or the embedder fails; then none of them is stored.
        """
        await self._ready_to_embed()
        pipeline = self._preparing()
        drafts = [await pipeline.draft(document, config or self._ingestion) for document in documents]
        return await self._commit(await pipeline.embed(drafts, scope), scope)

    async def delete_document(self, scope: Scope, document_id: str) -> None:
        """Remove a document with all that belongs to it, attachments too. Removing what is not there does nothing."""
        await self._ready()
        async with self.database.session(scope) as session:
            await remove_document(scope, document_id, *self._stores.of(session))

    async def purge(self, scope: Scope) -> None:
        """Remove everything of the scope's namespace, whatever the scope's filters say."""
        await self._ready()
        whole = Scope(scope.namespace)
        async with self.database.session(whole) as session:
            for store in self._stores.of(session):
                if isinstance(store, Purge):
                    await store.purge(whole)

    # --- asking ------------------------------------------------------------------------------------------

    async def query(
        self, question: str, scope: Scope, options: QueryOptions | None = None, *, history: Sequence[Turn] = ()
    ) -> Answer:
        """Answer `question` from the documents of `scope`."""
        await self._ready_to_embed()
        async with self.database.session(scope, read_only=True) as session:
            return await self.engine_for(session).query(question, scope, options or self._query, history=history)

    async def stream(
        self, question: str, scope: Scope, options: QueryOptions | None = None, *, history: Sequence[Turn] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The answer as it is made; the session lives as long as the stream is read."""
        await self._ready_to_embed()
        async with self.database.session(scope, read_only=True) as session:
            events = self.engine_for(session).stream(question, scope, options or self._query, history=history)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def search(
        self,
        question: str,
        scope: Scope,
        *,
        k: int = 10,
        options: QueryOptions | None = None,
        mode: Literal["hybrid", "words"] = "hybrid",
    ) -> list[ScoredChunk]:
        """The best `k` passages, best first. `mode="words"` asks the word index alone and needs no embedder."""
        await (self._ready() if mode == "words" else self._ready_to_embed())
        async with self.database.session(scope, read_only=True) as session:
            if mode == "words":
                return list(await self._stores.lexical_store(session).search(scope, question, k=k))
            return await self.engine_for(session).search(question, scope, k=k, options=options or self._query)

    # --- looking -----------------------------------------------------------------------------------------

    async def documents(self, scope: Scope) -> list[Document]:
        """The documents of `scope` by source name."""
        async with self.database.session(scope, read_only=True) as session:
            return list(await self._stores.document_store(session).list(scope))

    async def records(self, scope: Scope) -> list[DocumentRecord]:
        """The documents of `scope` with their size, time of adding and warnings."""
        async with self.database.session(scope, read_only=True) as session:
            store = self._stores.document_store(session)
            return list(await store.records(scope)) if isinstance(store, DocumentRecords) else []

    async def record(self, scope: Scope, document_id: str) -> DocumentRecord | None:
        """One document with its size; None when `scope` does not hold it."""
        async with self.database.session(scope, read_only=True) as session:
            store = self._stores.document_store(session)
            return await store.record(scope, document_id) if isinstance(store, DocumentRecords) else None

    async def pages(self, scope: Scope, document_id: str) -> list[Page]:
        """The stored pages of a document; empty when `scope` does not hold it."""
        async with self.database.session(scope, read_only=True) as session:
            store = self._stores.document_store(session)
            return list(await store.pages(scope, document_id)) if isinstance(store, PageStore) else []

    async def status(self) -> StoreStatus:
        """What the store is and holds."""
        return await status_of(self.database)

    @property
    def embedder(self) -> Embedder:
        """The embedder in use; chosen at the first call that needs it (`migrate` is one).

        Raises:
            ConfigurationError: if it is not chosen yet.
        """
        return self.compute.embedder

    @property
    def compute(self) -> ComputeKit:
        """The adapters in use; see `embedder`."""
        if self._compute is None:
            raise ConfigurationError(
                "The engine's embedder is not chosen yet.", advice="Call `await sage.migrate()` first."
            )
        return self._compute

    @property
    def profile(self) -> Profile:
        """What was fitted for the embedder in use, or given in its place."""
        return self._profile or profile_of(self.compute.embedder)

    # --- assembling --------------------------------------------------------------------------------------

    def pipeline_for(self, session: Any) -> IngestionPipeline:
        """The ingestion pipeline over the stores of one session: its `commit` is part of that session."""
        return self._pipeline(*self._stores.of(session))

    def engine_for(self, session: Any) -> QueryEngine:
        """The query engine over the stores of one session."""
        kit = self.compute
        vectors, words, documents = self._stores.of(session)
        return QueryEngine(
            embedder=kit.embedder,
            vector_store=vectors,
            lexical_store=words,
            reranker=kit.reranker,
            llm=kit.llm,
            rewriter=kit.rewriter,
            tracer=kit.tracer,
            fusion=self.profile.fusion,
            gate=self.profile.gate,
            page_store=documents if isinstance(documents, PageStore) else None,
        )

    async def migrate(self) -> None:
        """Make the store, or bring an older one up to date."""
        await self._ready()  # first: it may say how wide the vectors are
        await self.database.migrate()

    async def dispose(self) -> None:
        """Close everything; the engine may be used again, and opens anew."""
        if self._compute is not None:
            await self._compute.aclose()
        await self.database.dispose()

    async def __aenter__(self) -> RagSage:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.dispose()

    def _pipeline(self, vectors: VectorStore, words: LexicalStore, documents: Any) -> IngestionPipeline:
        kit = self.compute
        return IngestionPipeline(
            parser=kit.parser,
            classifier=kit.classifier,
            chunker=kit.chunker,
            contextualizer=kit.contextualizer,
            embedder=kit.embedder,
            vector_store=vectors,
            lexical_store=words,
            document_store=documents,
            llm=kit.llm,
            cache=kit.cache,
            tracer=kit.tracer,
            recognizer=kit.recognizer,
        )

    def _preparing(self) -> IngestionPipeline:
        """A pipeline that prepares outside any session: what it asks of the store are short reads."""
        return self._pipeline(
            SessionlessVectors(self.database, self._stores),
            SessionlessWords(self.database, self._stores),
            SessionlessDocuments(self.database, self._stores),
        )

    async def _commit(self, prepared: Sequence[PreparedDocument], scope: Scope) -> list[IngestionResult]:
        async def work(session: Any) -> list[IngestionResult]:
            pipeline = self.pipeline_for(session)
            return [await pipeline.commit(document, scope) for document in prepared]

        if isinstance(self.database, Transacting):
            return await self.database.transact(scope, work)
        async with self.database.session(scope) as session:
            return await work(session)

    async def _ready_to_embed(self) -> None:
        await self._ready()
        if self._mismatch is not None:
            raise self._mismatch

    async def _ready(self) -> None:
        """Choose the embedder, once: the one given, or the one whose vectors the store holds."""
        if self._assembled:
            return
        async with self._assembling:
            if self._assembled:
                return
            await self._assemble()
            self._assembled = True

    async def _assemble(self) -> None:
        if isinstance(self.database, Described):
            self._compute, self._mismatch = await settle(self.database, self._choice, self._compute, self._profile)
