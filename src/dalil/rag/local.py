"""A RAGSystem over a store of dalil's own: files, filters, and answers with checked citations."""

from __future__ import annotations

import asyncio
import copy
import logging
import os
from collections.abc import Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any, Self, cast

from dalil.answering.prompts import Prompt
from dalil.answering.replying import Reply
from dalil.answering.smalltalk import is_small_talk
from dalil.errors import DalilError, VectorDBPersistenceError
from dalil.ingestion import IngestionResult, IngestStatus
from dalil.ingestion.files import files_under, source_name
from dalil.models import Answer, Outcome, RawSource
from dalil.ports import Embedder
from dalil.rag.chunk_access import text_of
from dalil.rag.chunks import LocalChunk
from dalil.rag.components import acall, call
from dalil.rag.config import RAGConfig
from dalil.rag.documents import LoadedDocument
from dalil.rag.index import LOOP, LocalIndex
from dalil.rag.persistence import VECTOR_DB, read_stats
from dalil.rag.stages import Results
from dalil.rag.system import RAGSystem
from dalil.sage import RagSage
from dalil.status import NamespaceStatus
from dalil.stores.sqlite.copying import stored_embedder
from dalil.stores.sqlite.database import FILE_NAME
from dalil.text.messages import not_found

logger = logging.getLogger("dalil.rag")


class LocalRAGSystem(RAGSystem):
    """A RAGSystem over a store of dalil's own. Build it with `RAGSystem.local`.

    What `dalil add` stored is there, and what is added here is there for the command: a `doc_id` is a source name.
    Its `total_documents` and `total_chunks` are what the namespace held, whoever put it there, when this system last
    added or removed something, or `get_stats` was called.
    """

    vector_db: LocalIndex

    # --- documents -----------------------------------------------------------------------------------------

    def add_documents(self, docs: list[LoadedDocument]) -> dict[str, int]:  # type: ignore[override]
        counts = super().add_documents(docs)
        LOOP.run(self._recount())
        return counts

    async def aadd_documents(self, docs: dict[str, str] | list[LoadedDocument]) -> dict[str, int]:
        counts = await super().aadd_documents(docs)
        await LOOP.arun(self._recount())
        return counts

    def remove_document(self, doc_id: str) -> int:
        removed = super().remove_document(doc_id)
        LOOP.run(self._recount())
        return removed

    def add_files(self, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> dict[str, int]:
        """Read files and folders of every format that dalil reads; gives {source name: number of chunks}.

        A file that cannot be read has 0 chunks, and the reason is logged; the others are unaffected. Names are those
        that `dalil add` gives: relative to the folder that holds the store.
        """
        return LOOP.run(self._add_files(paths))

    async def aadd_files(self, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> dict[str, int]:
        """`add_files` for asynchronous callers."""
        return await LOOP.arun(self._add_files(paths))

    def index_documents(self, file_paths: Iterable[str | os.PathLike[str]]) -> dict[str, int]:
        """The same as `add_files`."""
        return self.add_files(file_paths)

    async def _add_files(self, paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> dict[str, int]:
        given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        store = Path(self.vector_db.store)
        files = await asyncio.to_thread(lambda: list(files_under([Path(path) for path in given], store)))
        counts = {}
        sources = [RawSource(source_name(file, store), path=file) for file in files]
        async with (
            self.vector_db.used() as sage,
            aclosing(sage.ingest_many(sources, self.vector_db.whole)) as results,
        ):
            async for result in results:
                counts[result.source] = await self._chunks_of(result, sage)
        self.invalidate_cache()
        await self._recount()
        return counts

    async def _chunks_of(self, result: IngestionResult, sage: RagSage) -> int:
        if result.error is not None:
            logger.error("%s was not added: %s", result.source, result.error)
        if result.status is not IngestStatus.UNCHANGED:
            return result.chunk_count
        record = await sage.record(self.vector_db.whole, result.document.id)
        return 0 if record is None else record.chunks

    # --- answers with citations ----------------------------------------------------------------------------

    def answer(self, question: str, *, top_k: int | None = None, language: str | None = None) -> Answer:
        """The answer with the quote, page and place behind each of its markers.

        Raises:
            RAGRetrievalError: if finding fails.
            LLMError: or whatever the model raises.
        """
        return self._answer_from(question, self.retrieve(question, top_k), language)

    async def aanswer(self, question: str, *, top_k: int | None = None, language: str | None = None) -> Answer:
        """`answer` without blocking the loop."""
        retrieved = await self.aretrieve(question, top_k)
        if is_small_talk(question) or not self._has_evidence(question, retrieved):
            return await LOOP.arun(self._without_documents(question))
        prompt = await self._aprompt(question, retrieved, language)
        text = await acall(self.llm, ("generate_async", "generate"), prompt)
        return await LOOP.arun(self._cited(question, prompt, text))

    def query(self, question: str, k: int = 5) -> dict[str, Any]:
        """{"answer": str, "sources": [{"text", "score", "metadata"}]}: the answer and the best `k` passages."""
        retrieved = self.retrieve(question, k)
        answer = self._answer_from(question, retrieved, None)
        return {"answer": answer.text, "sources": [_source(chunk, score) for chunk, score in retrieved]}

    def _answer_from(self, question: str, retrieved: Results, language: str | None) -> Answer:
        if is_small_talk(question) or not self._has_evidence(question, retrieved):
            return LOOP.run(self._without_documents(question))
        context = call(self.context_manager.build, question, retrieved)
        prompt = self._resolve_prompt(question, context, language)
        return LOOP.run(self._cited(question, prompt, call(self.llm.generate, prompt)))

    async def _without_documents(self, question: str) -> Answer:
        """Small talk is answered by the engine; anything else is not found."""
        if not is_small_talk(question):
            self._count(total_queries=1, failed_queries=1)
            return Answer(not_found(question), (), Outcome.NOT_FOUND)
        async with self.vector_db.used() as sage:
            answer = await sage.query(question, self.vector_db.scope)
        self._count(total_queries=1, successful_queries=1)
        return answer

    async def _cited(self, question: str, prompt: str, said: object) -> Answer:
        text = "" if said is None else str(said)
        if not isinstance(prompt, Prompt):  # another context manager's, which numbers nothing
            self._count(total_queries=1, successful_queries=1)
            return Answer(text)
        reply = Reply(prompt, not_found(question))
        shown = reply.feed(text) + reply.finish()
        if reply.declined:
            self._count(total_queries=1, failed_queries=1)
            return Answer(shown, (), Outcome.NOT_FOUND)
        citations = await self.vector_db.cite(shown, prompt.evidence)
        self._count(total_queries=1, successful_queries=1)
        return Answer(shown, citations)

    # --- keeping ---------------------------------------------------------------------------------------------

    def get_stats(self) -> dict[str, Any]:
        """The counters, the documents and chunks counted at this moment, and what the system is made of."""
        LOOP.run(self._recount())
        return super().get_stats()

    @classmethod
    def load(
        cls,
        path: str,
        vector_db: Any = None,
        llm: Any = None,
        chunker: Any = None,
        context_manager: Any = None,
        config: RAGConfig | None = None,
        enable_query_expansion: bool = False,
        *,
        namespace: str = "default",
        embedder: str | Embedder | None = None,
    ) -> Self:
        """What was saved at `path`: put in the place of all that `vector_db` holds, or, without one, opened there.

        Opened there, the other components, `namespace` and `embedder` are as in `RAGSystem.local`, and what is added
        changes the copy.

        Raises:
            FileNotFoundError: if there is nothing at `path`.
            VectorDBPersistenceError: if the copy is not sound; nothing has changed then.
        """
        if vector_db is not None:
            system = super().load(path, vector_db, llm, chunker, context_manager, config, enable_query_expansion)
        else:
            stats = _checked(Path(path))
            system = cast(
                Self,
                cls.local(
                    Path(path) / VECTOR_DB,
                    llm=llm,
                    embedder=embedder,
                    namespace=namespace,
                    chunker=chunker,
                    config=config,
                    enable_query_expansion=enable_query_expansion,
                ),
            )
            system.context_manager = context_manager or system.context_manager
            system.stats.update(stats)
        LOOP.run(system._recount())
        return system

    # --- views -----------------------------------------------------------------------------------------------

    def where(self, **filters: Any) -> LocalRAGSystem:
        """The same system, seeing only documents whose metadata has these values; a list means any of them.

        What is added goes to the namespace as anywhere else, in the place of a document of that name; it is seen here
        if its metadata has the values. What is not seen cannot be removed.
        """
        view = copy.copy(self)
        view.vector_db = self.vector_db.narrowed(**filters)
        view._retrieval_cache = None  # entries do not say what they were narrowed to
        return view

    async def _recount(self) -> None:
        await self.vector_db.counts(self._counted)

    def _counted(self, held: NamespaceStatus) -> None:
        with self._counting:
            self.stats.update(total_documents=held.documents, total_chunks=held.chunks)


def _checked(directory: Path) -> dict[str, Any]:
    """The counters of a saved system whose store is sound."""
    if not directory.exists():
        raise FileNotFoundError(f"There is no saved RAGSystem at {directory}.")
    try:
        stored_embedder(directory / VECTOR_DB / FILE_NAME)
        return read_stats(directory)
    except (DalilError, OSError, ValueError) as error:
        raise VectorDBPersistenceError("load", directory, str(error)) from error


def _source(chunk: Any, score: float) -> dict[str, Any]:
    metadata = dict(chunk.metadata)
    if isinstance(chunk, LocalChunk):
        first = chunk.spans[0] if chunk.spans else None
        place = {"page": chunk.page, "start": first.start, "end": first.end} if first else {"page": chunk.page}
        metadata = {**metadata, "source": chunk.doc_id, **place}
    return {"text": text_of(chunk), "score": score, "metadata": metadata}
