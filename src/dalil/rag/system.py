"""RAGSystem: a vector database, an LLM, a chunker and a context manager, wired into one question-answering system."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from dalil.errors import VectorDBPersistenceError
from dalil.rag.components import acall, call, is_asynchronous, require_components
from dalil.rag.config import RAGConfig
from dalil.rag.documents import LoadedDocument, text_id
from dalil.rag.ingesting import achunk_documents, chunk_document, collected, documents_of, loaded_documents
from dalil.rag.persistence import VECTOR_DB, read_stats, write_stats
from dalil.rag.sources import pieces_without_dead_markers, without_dead_markers
from dalil.rag.stages import Results as Results
from dalil.rag.stages import Stages
from dalil.rag.streaming import pieces_of

if TYPE_CHECKING:
    from dalil.ports import Embedder
    from dalil.rag.local import LocalRAGSystem
    from dalil.rag.prompting import PromptInput

logger = logging.getLogger("dalil.rag")

BLANK_QUESTION = "⚠️ Please enter a valid question."


class RAGSystem(Stages):
    """Questions answered from documents: expand, search, merge, rerank, build a context and a prompt, generate.

    Every component may be synchronous or asynchronous. Synchronous methods wait for an asynchronous component on one
    background loop; asynchronous methods run it on the caller's loop, and synchronous components in threads.

    Args:
        vector_db: has `add(chunks)` and `search(query, top_k=, score_threshold=)` -> [(chunk, score)]; may have
            `aadd`, `asearch`, `remove_by_doc_id(doc_id)` -> int, `save(path)`, `load(path)`, `size`, `cleanup()`, and
            `data_version`, which differs whenever what it holds has changed.
        llm: has `generate(prompt, **kwargs)` -> str; may have `generate_async`, `astream`, `cleanup()`.
        chunker: has `chunk_text(text, doc_id)` or `chunk(text, doc_id)` -> chunks; may have `cleanup()`.
        context_manager: has `build(query, chunks)` -> str; may have `cleanup()`.
        config: the defaults of RAGConfig if None.
        prompt: a prompt of your own, see `set_prompt`; None: the prompt router's.
        enable_query_expansion: whether questions are also searched in other words.
        query_expansion_variants: in how many other words at most.

    Raises:
        RAGInitializationError: naming every component that is None.
        ConfigurationError: if the config does not validate.
    """

    @classmethod
    def local(
        cls,
        path: str | os.PathLike[str] = ".dalil",
        *,
        llm: Any = None,
        embedder: str | Embedder | None = None,
        config: RAGConfig | None = None,
        namespace: str = "default",
        chunker: Any = None,
        alpha: float | None = None,
        prompt: PromptInput | None = None,
        enable_query_expansion: bool = False,
        query_expansion_variants: int = 3,
    ) -> LocalRAGSystem:
        """A system over the store in the folder `path`: nothing else is needed, no server, no key, no download.

        Args:
            path: the store's folder, shared with the command `dalil`; made when it is first used.
            llm: any object with `generate`, an LLMClient, or its name; None quotes the documents word for word.
            embedder: "accurate", "fast" or any Embedder; None: the store's own, accurate for a new one.
            config: chunk sizes are in estimated tokens.
            namespace: whose documents; nothing is shared between namespaces.
            chunker: a name (see RAGConfig.chunking), a Chunker, or any object with `chunk_text` or `chunk`.
            alpha: the weight of meaning against words, from 0 to 1; None: the fitted fusion of both.
            prompt: a prompt of your own, see `set_prompt`.
            enable_query_expansion: off, for it was measured to hurt what the fitted fusion finds.
            query_expansion_variants: in how many other words a question is searched at most.

        Raises:
            ConfigurationError: if a value cannot work.
        """
        from dalil.rag.wiring import local_system

        return local_system(
            path,
            llm=llm,
            embedder=embedder,
            config=config,
            namespace=namespace,
            chunker=chunker,
            alpha=alpha,
            prompt=prompt,
            enable_query_expansion=enable_query_expansion,
            query_expansion_variants=query_expansion_variants,
        )

    # Ingesting

    def add_text(self, text: str, doc_id: str | None = None, metadata: dict[str, Any] | None = None) -> int:
        """Index one text; gives the number of its chunks. Without a `doc_id` it gets `text_{second}`."""
        document = LoadedDocument(page_content=text, metadata=dict(metadata or {}), doc_id=doc_id or text_id())
        return self.add_documents([document]).get(str(document.doc_id), 0)

    def add_texts(self, texts: dict[str, str], metadata: dict[str, dict[str, Any]] | None = None) -> dict[str, int]:
        """Index {doc_id: text}, with {doc_id: metadata}; gives {doc_id: number of chunks}."""
        of_each = metadata or {}
        return self.add_documents(
            [LoadedDocument(text, dict(of_each.get(doc_id) or {}), doc_id) for doc_id, text in texts.items()]
        )

    def add_documents(self, docs: list[LoadedDocument]) -> dict[str, int]:  # type: ignore[override]
        """Chunk and index documents; gives {doc_id: number of chunks}, 0 for one that is blank or cannot be chunked.

        Raises:
            ConfigurationError: for anything but a list of LoadedDocument.
            Exception: whatever the vector database raises; nothing is counted then.
        """
        documents = loaded_documents(docs)
        return self._index(*collected(documents, [chunk_document(self.chunker, document) for document in documents]))

    async def aadd_documents(self, docs: dict[str, str] | list[LoadedDocument]) -> dict[str, int]:
        """`add_documents` for {doc_id: text} or a list, `config.ingest_batch_size` documents chunked at a time."""
        documents = documents_of(docs)
        chunks_of_each = await achunk_documents(self.chunker, documents, self.config.ingest_batch_size)
        counts, chunks = collected(documents, chunks_of_each)
        if not is_asynchronous(self.vector_db, ("aadd", "add")):
            # In one piece, so that it is counted and the cache cleared even if this task is cancelled meanwhile.
            return await asyncio.to_thread(self._index, counts, chunks)
        if chunks:
            with self._indexing(counts):
                await acall(self.vector_db, ("aadd", "add"), chunks)
        return counts

    def remove_document(self, doc_id: str) -> int:
        """Remove a document; gives the number of its chunks, 0 if there was none or on any error."""
        try:
            removed = int(call(self.vector_db.remove_by_doc_id, doc_id))
        except Exception as error:
            logger.error("Document %s could not be removed: %s", doc_id, error)
            return 0
        finally:
            self.invalidate_cache()
        if removed > 0:
            self._count(total_documents=-1, total_chunks=-removed)
        return removed

    # Retrieving

    def retrieve(self, query: str, top_k: int | None = None) -> Results:
        """The (chunk, score) pairs that bear on `query`, the best first; [] for a blank query.

        `top_k` None means config.top_k.

        Raises:
            RAGRetrievalError: if expanding, searching, merging or reranking fails.
        """
        if _is_blank(query):
            return []
        k = self.config.top_k if top_k is None else top_k
        with self._retrieving(query):
            cache = self._cache_for_now()
            epoch = cache.epoch if cache is not None else None
            if cache is not None and (known := cache.get(query, k)) is not None:
                logger.debug("Cache hit: %s", query[:60])
                return known
            settings = {"top_k": k, "score_threshold": self.config.min_score}
            found = [list(call(self.vector_db.search, variant, **settings)) for variant in self._variants(query)]
            results = self._ranked(query, found, k)
            if cache is not None and results:
                cache.set(query, k, results, epoch=epoch)
            return results

    async def aretrieve(self, query: str, top_k: int | None = None) -> Results:
        """`retrieve` with all variants searched at once, and without the cache."""
        if _is_blank(query):
            return []
        k = self.config.top_k if top_k is None else top_k
        with self._retrieving(query):
            variants = await asyncio.to_thread(self._variants, query)
            names, settings = ("asearch", "search"), {"top_k": k, "score_threshold": self.config.min_score}
            found = await asyncio.gather(*(acall(self.vector_db, names, variant, **settings) for variant in variants))
            return await asyncio.to_thread(self._ranked, query, [list(results) for results in found], k)

    # Answering

    def ask(self, question: str, include_sources: bool = False, language: str | None = None, **llm_kwargs: Any) -> str:
        """The same as `generate`."""
        return self.generate(question, include_sources=include_sources, language=language, **llm_kwargs)

    def generate(
        self, query: str, include_sources: bool = False, language: str | None = None, **llm_kwargs: Any
    ) -> str:
        """The answer to `query`, or a sentence that says why there is none. It never raises.

        `language` is "ar", "en" or None: config.prompt_language, else the question's. `llm_kwargs` go to the LLM.
        """
        self._count(total_queries=1)
        if _is_blank(query):
            return BLANK_QUESTION
        try:
            retrieved = self.retrieve(query)
            if not self._has_evidence(query, retrieved):
                return self._without_evidence(query)
            context = call(self.context_manager.build, query, retrieved)
            prompt = self._resolve_prompt(query, context, language)
            answer = call(self.llm.generate, prompt, **llm_kwargs)
            answer = without_dead_markers(prompt, answer)
            return self._answered(query, answer, retrieved if include_sources else [])
        except Exception as error:
            return self._failed(query, error)

    async def agenerate(
        self, query: str, include_sources: bool = False, language: str | None = None, **llm_kwargs: Any
    ) -> str:
        """`generate` without blocking the loop: the same strings, the same counts. It never raises."""
        self._count(total_queries=1)
        if _is_blank(query):
            return BLANK_QUESTION
        try:
            retrieved = await self.aretrieve(query)
            if not self._has_evidence(query, retrieved):
                return self._without_evidence(query)
            prompt = await self._aprompt(query, retrieved, language)
            answer = await acall(self.llm, ("generate_async", "generate"), prompt, **llm_kwargs)
            answer = without_dead_markers(prompt, answer)
            return self._answered(query, answer, retrieved if include_sources else [])
        except Exception as error:
            return self._failed(query, error)

    async def astream(self, query: str, language: str | None = None, **llm_kwargs: Any) -> AsyncGenerator[Any, None]:
        """The answer in pieces, as the LLM's `astream` makes them (see `pieces_of`), or in one if it has none.

        It never raises: the strings of `generate` say why there is no answer, and the same is counted. A stream that
        its reader leaves early counts as neither success nor failure.
        """
        self._count(total_queries=1)
        if _is_blank(query):
            yield BLANK_QUESTION
            return
        try:
            retrieved = await self.aretrieve(query)
            if not self._has_evidence(query, retrieved):
                yield self._without_evidence(query)
                return
            prompt = await self._aprompt(query, retrieved, language)
            if getattr(self.llm, "astream", None) is None:
                answer = await acall(self.llm, ("generate_async", "generate"), prompt, **llm_kwargs)
                yield without_dead_markers(prompt, answer)
            else:
                async with aclosing(pieces_of(self.llm.astream(prompt, **llm_kwargs))) as pieces:
                    async for piece in pieces_without_dead_markers(prompt, pieces):
                        yield piece
            self._answered(query, "", [])
        except Exception as error:
            yield self._failed(query, error)

    async def _aprompt(self, query: str, retrieved: Results, language: str | None) -> str:
        context = await acall(self.context_manager, ("build",), query, retrieved)
        return await asyncio.to_thread(self._resolve_prompt, query, context, language)

    # Keeping

    def save(self, path: str) -> None:
        """Write the vector database and the counters into the directory `path`, which is made if it is not there.

        Raises:
            VectorDBPersistenceError: if that fails.
        """
        directory = Path(path)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            call(self.vector_db.save, directory / VECTOR_DB)
            write_stats(directory, self._counters())
        except Exception as error:
            raise VectorDBPersistenceError("save", path, str(error)) from error

    @classmethod
    def load(
        cls,
        path: str,
        vector_db: Any,
        llm: Any,
        chunker: Any,
        context_manager: Any,
        config: RAGConfig | None = None,
        enable_query_expansion: bool = True,
    ) -> Self:
        """A system with the documents and the counters saved at `path`, and the components given.

        Raises:
            FileNotFoundError: if there is nothing at `path`.
            RAGInitializationError, ConfigurationError: as the constructor does, before anything is loaded.
            VectorDBPersistenceError: if the counters are damaged, before anything is loaded, or if the vector
                database cannot load.
        """
        components = {"vector_db": vector_db, "llm": llm, "chunker": chunker, "context_manager": context_manager}
        directory = Path(path)
        if not directory.exists():
            raise FileNotFoundError(f"There is no saved RAGSystem at {path}.")
        require_components(**components)
        if config is not None:
            config.validate()
        try:
            stats = read_stats(directory)
            call(vector_db.load, directory / VECTOR_DB)
        except Exception as error:
            raise VectorDBPersistenceError("load", path, str(error)) from error
        system = cls(**components, config=config, enable_query_expansion=enable_query_expansion)
        system.stats.update(stats)
        return system


def _is_blank(query: object) -> bool:
    return not isinstance(query, str) or not query.strip()
