"""What RAGSystem is wired from, and the stages that its synchronous and its asynchronous methods share."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dalil.answering.prompts import Prompt
from dalil.errors import RAGRetrievalError
from dalil.rag.base import BaseRAGSystem
from dalil.rag.caching import RetrievalCache
from dalil.rag.components import call, clean_up, probe, require_components
from dalil.rag.config import RAGConfig
from dalil.rag.expansion import QueryExpander
from dalil.rag.merging import merge_retrieval_results
from dalil.rag.prompting import PromptInput, custom_prompt, fallback_prompt, has_arabic
from dalil.rag.reranking import Reranker, RerankerConfig, RerankMode
from dalil.rag.routing import PromptRouter
from dalil.rag.sources import format_sources

logger = logging.getLogger("dalil.rag")

NOTHING_FOUND = "No relevant information found."
SEARCH_FAILED = "❌ Search error occurred."
Results = list[tuple[Any, float]]
_UNSEEN = object()


class Stages(BaseRAGSystem):
    """The parts of a RAGSystem, and one method for each stage that needs no waiting."""

    def __init__(
        self,
        vector_db: Any,
        llm: Any,
        chunker: Any,
        context_manager: Any,
        config: RAGConfig | None = None,
        prompt: PromptInput | None = None,
        enable_query_expansion: bool = True,
        query_expansion_variants: int = 3,
    ) -> None:
        super().__init__(config)
        require_components(vector_db=vector_db, llm=llm, chunker=chunker, context_manager=context_manager)
        self.vector_db = vector_db
        self.llm = llm
        self.chunker = chunker
        self.context_manager = context_manager
        self.prompt_router: PromptRouter | None
        self.set_prompt(prompt)
        instructed = llm if getattr(llm, "follows_prompts", True) else None  # one that only quotes cannot rephrase
        self.reranker = _reranker(self.config, instructed) if self.config.enable_reranking else None
        self._query_expander = (
            QueryExpander(llm=instructed, max_variants=query_expansion_variants, use_llm=True, fallback_synonyms=True)
            if enable_query_expansion
            else None
        )
        self._retrieval_cache = _retrieval_cache(self.config) if self.config.enable_retrieval_cache else None
        self._seen_version: Any = _UNSEEN
        logger.info(
            "RAGSystem ready: query expansion %s, reranking %s, prompt routing %s, retrieval cache %s",
            self._query_expander is not None,
            self.reranker is not None,
            self.prompt_router is not None,
            self._retrieval_cache is not None,
        )

    # Prompts

    def set_prompt(self, prompt: PromptInput | None) -> None:
        """Use a prompt of your own instead of the prompt router's; None goes back to what the config says.

        It is an object with `format(context=, question=)` (or `query=`), a function of (context, question), or a
        string with {context} and {question}.
        """
        self._custom_prompt = prompt
        routing = prompt is None and self.config.enable_prompt_routing
        self.prompt_router = PromptRouter(include_few_shot=self.config.include_few_shot) if routing else None

    def _resolve_prompt(self, query: str, context: str, language: str | None = None) -> str:
        """The prompt: the caller's own, else the router's, else the built-in one.

        Evidence that the context carries goes on with the prompt, for models that do not read prose.
        """
        prompt = self._filled_prompt(query, context, language)
        evidence = getattr(context, "evidence", None)
        if not isinstance(evidence, tuple):
            return prompt
        return Prompt(prompt, question=query, kind="answer", evidence=evidence)

    def _filled_prompt(self, query: str, context: str, language: str | None) -> str:
        language = language or self.config.prompt_language
        if self._custom_prompt is not None:
            prompt = custom_prompt(self._custom_prompt, context, query)
            if prompt is not None:
                return prompt
            logger.warning("A %s is no prompt; the default is used", type(self._custom_prompt).__name__)
        router = self.prompt_router
        if router is None:
            return self._build_prompt(query, context, language or self._detect_language_simple(query))
        if logger.isEnabledFor(logging.DEBUG):
            kind = router.detect_question_type(query)
            logger.debug("Prompt for %s, %s: %s", router.detect_language(query), kind, query[:60])
        return router.build(query=query, context=context, language=language)

    def _detect_language_simple(self, text: str) -> str:
        return "ar" if has_arabic(text) else "en"

    def _build_prompt(self, query: str, context: str, language_pr: str) -> str:
        return fallback_prompt(query, context, language_pr)

    # Ingesting

    def _index(self, counts: dict[str, int], chunks: list[Any]) -> dict[str, int]:
        """Hand `chunks` to the vector database; gives `counts` back."""
        if chunks:
            with self._indexing(counts):
                call(self.vector_db.add, chunks)
        return counts

    @contextmanager
    def _indexing(self, counts: dict[str, int]) -> Iterator[None]:
        """Around the writing of chunks: counts what was written, and forgets what was retrieved before."""
        documents, chunks = sum(map(bool, counts.values())), sum(counts.values())
        try:
            yield
        except Exception as error:
            logger.error("The vector database could not add %d chunks: %s", chunks, error)
            raise
        else:
            self._count(total_documents=documents, total_chunks=chunks)
            logger.info("Indexed %d documents in %d chunks", documents, chunks)
        finally:
            self.invalidate_cache()

    # Retrieving

    @contextmanager
    def _retrieving(self, query: str) -> Iterator[None]:
        """Around retrieval: every failure becomes a RAGRetrievalError."""
        try:
            yield
        except Exception as error:
            logger.error("Retrieval failed for %s: %s", query[:60], error)
            raise RAGRetrievalError(query, str(error) or type(error).__name__) from error

    def _variants(self, query: str) -> list[str]:
        """The question, and the question in other words."""
        return [query] if self._query_expander is None else self._query_expander.expand(query)

    def _ranked(self, query: str, found: list[Results], top_k: int) -> Results:
        """What the variants found, as one list."""
        results = found[0] if len(found) == 1 else merge_retrieval_results(found, top_k=top_k)
        if self.reranker is not None and results:
            results = self.reranker.rerank(query=query, chunks=results)
        logger.info("Retrieved %d chunks by %d variants: %s", len(results), len(found), query[:60])
        return results

    def _cache_for_now(self) -> RetrievalCache | None:
        """The cache, cleared if the vector database has a `data_version` and that has moved, by whomever."""
        cache = self._retrieval_cache
        if cache is not None:
            version = getattr(self.vector_db, "data_version", _UNSEEN)
            with self._counting:
                if self._seen_version is not _UNSEEN and self._seen_version != version:
                    cache.clear()
                self._seen_version = version
        return cache

    def invalidate_cache(self) -> None:
        """Forget what was retrieved. Needed only where others change the vector database."""
        if self._retrieval_cache is not None:
            self._retrieval_cache.clear()

    def get_cache_stats(self) -> dict[str, Any]:
        """The retrieval cache's counters; {} without one."""
        return {} if self._retrieval_cache is None else self._retrieval_cache.stats()

    # Answering

    def _has_evidence(self, query: str, retrieved: Results) -> bool:
        """Whether there is anything to answer from. A vector database may judge that by `bears_on(query, results)`."""
        judge = getattr(self.vector_db, "bears_on", None)
        return bool(retrieved) and (judge is None or bool(call(judge, query, retrieved)))

    def _answered(self, query: str, answer: str, retrieved: Results) -> str:
        """The answer with the sources of `retrieved` under it."""
        sources = self._format_sources(retrieved, max_sources=3)
        self._count(successful_queries=1)
        logger.info("Answered: %s", query[:60])
        return f"{answer}\n\n{sources}" if sources else answer

    def _without_evidence(self, query: str) -> str:
        self._count(failed_queries=1)
        logger.info("Nothing found: %s", query[:60])
        return NOTHING_FOUND

    def _failed(self, query: str, error: Exception) -> str:
        self._count(failed_queries=1)
        logger.error("No answer to %s: %s", query[:60], error)
        return SEARCH_FAILED if isinstance(error, RAGRetrievalError) else f"❌ There was an error: {error}"

    def _format_sources(self, chunks: Results, max_sources: int = 3) -> str:
        return format_sources(chunks, max_sources)

    # Looking after it

    def get_stats(self) -> dict[str, Any]:
        """The counters, what the system is made of, and the retrieval cache's own counters."""
        return {
            **self._counters(),
            "vector_db_size": getattr(self.vector_db, "size", 0),
            "llm_type": type(self.llm).__name__,
            "chunker_type": type(self.chunker).__name__,
            "query_expansion": self._query_expander is not None,
            "reranking": self.reranker is not None,
            "cache": self.get_cache_stats(),
        }

    def validate_connection(self, test_query: str = "test") -> dict[str, Any]:
        """Try each component once with `test_query`; nothing is stored, counted or cached.

        Gives {"success": bool, "reason": str, "components": {name: bool}}; the reason is "" or names every failure.
        """
        failures = probe(self, test_query)
        return {
            "success": not any(failures.values()),
            "reason": "; ".join(f"{name}: {reason}" for name, reason in failures.items() if reason),
            "components": {name: not reason for name, reason in failures.items()},
        }

    def cleanup(self) -> None:
        """Call `cleanup()` of each component that has one. What they raise is logged."""
        clean_up(self)
        logger.info("RAGSystem cleanup complete")

    def __repr__(self) -> str:
        stats = self._counters()
        return (
            f"{type(self).__name__}(docs={stats['total_documents']}, chunks={stats['total_chunks']}, "
            f"queries={stats['total_queries']}, expansion={self._query_expander is not None})"
        )


def _reranker(config: RAGConfig, llm: Any) -> Reranker:
    settings = RerankerConfig(
        mode=RerankMode(config.rerank_mode),
        top_k=config.rerank_top_k,
        original_score_weight=config.rerank_original_weight,
        llm_score_weight=config.rerank_llm_weight,
        diversity_weight=config.rerank_diversity_weight,
        length_weight=config.rerank_length_weight,
    )
    return Reranker(settings, llm=llm)


def _retrieval_cache(config: RAGConfig) -> RetrievalCache:
    return RetrievalCache(maxsize=config.cache_maxsize, ttl=config.cache_ttl if config.cache_ttl > 0 else None)
