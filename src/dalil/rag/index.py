"""The vector database of a local system: dalil's embedded store behind the names that RAGSystem calls."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from dalil.answering.evidence import Evidence
from dalil.assembly import ComputeKit
from dalil.config import QueryOptions
from dalil.errors import ConfigurationError, EmbedderMismatchError, StoreReadOnlyError
from dalil.identity import content_hash, document_id
from dalil.ingestion import ChunkedDocument
from dalil.models import Citation, Document, ScoredChunk
from dalil.rag.chunk_access import document_of
from dalil.rag.chunks import LocalChunk, as_local, shared_metadata
from dalil.rag.loop import BackgroundLoop
from dalil.rag.opened import OpenSage
from dalil.retrieval import Retrieval, alpha_fusion, clamped
from dalil.retrieval.fusion import check_alpha
from dalil.retrieval.parents import parent_sentences
from dalil.sage import RagSage
from dalil.scope import Scope
from dalil.status import NamespaceStatus
from dalil.stores.sqlite import SqliteDatabase
from dalil.stores.sqlite.copying import copy_store, stored_embedder
from dalil.stores.sqlite.database import FILE_NAME

_LOG = logging.getLogger("dalil.rag")
LOOP = BackgroundLoop("dalil-local")
"""Where every local index works, so that synchronous and asynchronous callers share one open store."""


class LocalIndex:
    """Documents of one namespace, searched by meaning and by words at once. Any thread may call it.

    `open_sage` opens the engine over the store; it is called again after `load`. `embedder` is the identity of
    the one that was asked for by name (None: the store's own). `alpha` replaces the fitted fusion by alpha * meaning +
    (1 - alpha) * words. `batch` documents are embedded and stored together.
    """

    def __init__(
        self,
        open_sage: Callable[[], RagSage],
        namespace: str,
        *,
        embedder: str | None = None,
        alpha: float | None = None,
        batch: int = 64,
    ):
        if alpha is not None:
            check_alpha(alpha)
        self._embedder = embedder
        self._batch = batch
        self.alpha = alpha
        self.scope = Scope(namespace)
        self._open = OpenSage(open_sage)

    @property
    def sage(self) -> RagSage:
        """The engine over the store, for what needs no waiting; see `used`."""
        return self._open.sage

    @property
    def whole(self) -> Scope:
        """The namespace without filters: a document is its name there, whoever can see it."""
        return Scope(self.scope.namespace)

    def narrowed(self, **filters: Any) -> LocalIndex:
        """The same index, seeing only documents whose metadata has these values (see `Scope`)."""
        view = copy.copy(self)
        view.scope = self.scope.with_filters(**filters)
        return view

    # --- what RAGSystem calls ----------------------------------------------------------------------------

    def add(self, chunks: Sequence[Any]) -> None:
        """Store chunks as whole documents, each in the place of its older version.

        Chunks of dalil's chunkers bring their source text; those of others become one page each.

        Raises:
            ConfigurationError: for a chunk without a `doc_id`.
            StoreError, EmbeddingError: if the store or the embedder fails.
        """
        LOOP.run(self._add(chunks))

    async def aadd(self, chunks: Sequence[Any]) -> None:
        """The same, for asynchronous callers."""
        await LOOP.arun(self._add(chunks))

    def search(self, query: str, top_k: int = 5, score_threshold: float = 0.0) -> list[tuple[LocalChunk, float]]:
        """The best chunks with scores in [0, 1], best first; those below `score_threshold` are left out."""
        return LOOP.run(self._search(query, top_k, score_threshold))

    async def asearch(self, query: str, top_k: int = 5, score_threshold: float = 0.0) -> list[tuple[LocalChunk, float]]:
        """The same, for asynchronous callers."""
        return await LOOP.arun(self._search(query, top_k, score_threshold))

    def bears_on(self, query: str, results: Sequence[tuple[Any, float]]) -> bool:
        """Whether what was found is evidence enough to answer `query` from, by the gate fitted for the embedder."""
        del query  # the retrievals know what was asked
        retrievals = {id(chunk.found): chunk.found for chunk, _ in results if isinstance(chunk, LocalChunk)}
        gate = self.sage.profile.gate if results else None
        if gate is None:
            return bool(results)
        return any(found is None or gate.judge(found).answerable for found in retrievals.values())

    def remove_by_doc_id(self, doc_id: str) -> int:
        """Remove a document; how many chunks it had."""
        return LOOP.run(self._remove(doc_id))

    def save(self, path: str | Path) -> None:
        """Copy the whole store, as it stands at one moment, into the folder `path`: it can be opened as a store."""
        LOOP.run(self._saved(Path(path)))

    def load(self, path: str | Path) -> None:
        """Put what was saved to `path` in the place of everything that the store holds; all of it or nothing.

        Raises:
            StoreError: if there is no sound copy at `path`, or its vectors are another embedder's.
        """
        LOOP.run(self._loaded(Path(path)))

    @property
    def store(self) -> Path:
        """The folder of the store."""
        return self._database.folder

    @property
    def size(self) -> int:
        """How many chunks the namespace holds."""
        return LOOP.run(self.counts()).chunks

    @property
    def data_version(self) -> tuple[int, ...]:
        """Moves with every change of the store by anyone; see `SqliteDatabase.data_version`."""
        self._open.check_process()
        try:
            return (self._open.times, *self._database.data_version())
        except StoreReadOnlyError:  # not opened yet, and nobody knows that it can only be read
            return (self._open.times, time.monotonic_ns())

    def cleanup(self) -> None:
        """Close the store when everyone at work is done; it opens anew when it is used again."""
        LOOP.run(self._open.close())

    # --- on the loop -------------------------------------------------------------------------------------

    def used(self) -> AbstractAsyncContextManager[RagSage]:
        """The engine, which stays open until the block ends. To be used on `LOOP`, and not nested."""
        return self._open.used()

    async def compute(self) -> ComputeKit:
        """The adapters in use, the embedder chosen. To be awaited on `LOOP`."""
        async with self.used() as sage:
            await sage.migrate()
            return sage.compute

    async def _add(self, chunks: Sequence[Any]) -> None:
        documents = [document for document in map(_chunked, _by_document(chunks)) if _has_text(document)]
        async with self.used() as sage:
            for start in range(0, len(documents), self._batch):
                await sage.ingest_chunked(documents[start : start + self._batch], self.whole)

    async def _search(self, query: str, top_k: int, threshold: float) -> list[tuple[LocalChunk, float]]:
        if top_k <= 0:
            raise ConfigurationError(f"top_k must be positive, not {top_k}.")
        async with self.used() as sage:
            await sage.migrate()
            found, retrieval = await self._found_by(sage, query, top_k)
        relevance = sage.profile.relevance if self.alpha is None else clamped
        scored = ((item, relevance(item.score)) for item in found)
        return [(_found(item, retrieval), score) for item, score in scored if score >= threshold]

    async def _found_by(self, sage: RagSage, query: str, top_k: int) -> tuple[list[ScoredChunk], Retrieval]:
        async with sage.database.session(self.scope, read_only=True) as session:
            engine = sage.engine_for(session)
            # As many as the engine itself looks at, so that the gate judges the same evidence.
            retrieval = await engine.retrieve(query, self.scope, k=max(top_k, QueryOptions().retrieve_k))
            found = [candidate.scored for candidate in retrieval.candidates]
            if self.alpha is not None:
                found = alpha_fusion(retrieval.dense, retrieval.lexical, self.alpha)
            found = (await engine.in_parents(found, self.scope))[:top_k]
        sentences = {**retrieval.sentences, **parent_sentences(found, retrieval)}
        return found, replace(retrieval, sentences=sentences)

    async def cite(self, text: str, evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
        """The quotes behind the markers of `text`, checked against the stored pages. To be awaited on `LOOP`."""
        async with self.used() as sage:
            await sage.migrate()
            async with sage.database.session(self.scope, read_only=True) as session:
                return await sage.engine_for(session).cite(text, evidence, self.scope)

    async def counts(self, use: Callable[[NamespaceStatus], object] | None = None) -> NamespaceStatus:
        """How many documents and chunks the namespace holds. To be awaited on `LOOP`.

        `use` is called with it; of two counts it never gets the older one last.
        """
        self._open.check_process()
        async with self._open.counting:
            async with self.used() as sage:
                held = (await sage.status()).of(self.scope.namespace)
            if use is not None:
                use(held)
            return held

    async def _remove(self, doc_id: str) -> int:
        async with self.used() as sage:
            record = await sage.record(self.scope, document_id(doc_id))
            if record is None:
                return 0
            await sage.delete_document(self.scope, record.document.id)
            return record.chunks

    async def _saved(self, folder: Path) -> None:
        await self.compute()  # opens the store, and makes it when it is missing
        await asyncio.to_thread(copy_store, self._database.file, folder / FILE_NAME)

    async def _loaded(self, folder: Path) -> None:
        await self.compute()
        stored = await asyncio.to_thread(stored_embedder, folder / FILE_NAME)
        if self._embedder is not None and stored not in (None, self._embedder):
            raise EmbedderMismatchError(
                f"The vectors at {folder} were made by [{stored}], not by [{self._embedder}].",
                details={"stored": stored, "given": self._embedder},
            )
        await asyncio.to_thread(copy_store, folder / FILE_NAME, self._database.file)
        await self._open.renew()

    @property
    def _database(self) -> SqliteDatabase:
        database = self.sage.database
        assert isinstance(database, SqliteDatabase)
        return database


def _by_document(chunks: Iterable[Any]) -> Iterable[list[LocalChunk]]:
    """The chunks of each document; where one comes twice, what came last."""
    local: dict[str, list[LocalChunk]] = {}
    foreign: dict[str, list[Any]] = {}
    for chunk in chunks:
        doc_id = document_of(chunk)
        if not doc_id:
            raise ConfigurationError(
                "A chunk does not say which document it belongs to.", advice="Give it a doc_id or a document_id."
            )
        if not isinstance(chunk, LocalChunk) or not chunk.pages:  # one that was found has no pages with it
            foreign.setdefault(doc_id, []).append(chunk)
        elif doc_id in local and local[doc_id][0].pages is not chunk.pages:
            _LOG.warning("The document %r was given twice; the later one is kept.", doc_id)
            local[doc_id] = [chunk]
        else:
            local.setdefault(doc_id, []).append(chunk)
    for doc_id, others in foreign.items():
        local[doc_id] = as_local(others, doc_id, shared_metadata(others))
    return local.values()


def _chunked(chunks: Sequence[LocalChunk]) -> ChunkedDocument:
    """A whole document. Its hash is of the pages, where they were cut, and its metadata: if one differs, it changed."""
    first = chunks[0]
    said = sorted(map(repr, first.document_metadata.items()))
    cut = json.dumps([[page.text for page in first.pages], [chunk.spans for chunk in chunks], said])
    document = Document(document_id(first.doc_id), first.doc_id, content_hash(cut.encode()), first.document_metadata)
    return ChunkedDocument(document, first.pages, [chunk.chunk for chunk in chunks])


def _has_text(document: ChunkedDocument) -> bool:
    return any(page.text.strip() for page in document.pages)


def _found(scored: ScoredChunk, retrieval: Retrieval) -> LocalChunk:
    return LocalChunk(scored.chunk, scored.chunk.source, found=retrieval, fused=scored.score)
