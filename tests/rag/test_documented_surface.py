"""The names, the parameters with their defaults, and the errors that the published description gives."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import dalil
from dalil import errors

COMPONENTS = "vector_db, llm, chunker, context_manager"
METHODS = {
    "RAGSystem.add_text": "text, doc_id=None, metadata=None",
    "RAGSystem.add_texts": "texts, metadata=None",
    "RAGSystem.add_documents": "docs",
    "RAGSystem.aadd_documents": "docs",
    "RAGSystem.retrieve": "query, top_k=None",
    "RAGSystem.aretrieve": "query, top_k=None",
    "RAGSystem.ask": "question, include_sources=False, language=None, **llm_kwargs",
    "RAGSystem.generate": "query, include_sources=False, language=None, **llm_kwargs",
    "RAGSystem.agenerate": "query, include_sources=False, language=None, **llm_kwargs",
    "RAGSystem.astream": "query, language=None, **llm_kwargs",
    "RAGSystem.set_prompt": "prompt",
    "RAGSystem._resolve_prompt": "query, context, language=None",
    "RAGSystem._detect_language_simple": "text",
    "RAGSystem._build_prompt": "query, context, language_pr",
    "RAGSystem._format_sources": "chunks, max_sources=3",
    "RAGSystem.remove_document": "doc_id",
    "RAGSystem.save": "path",
    "RAGSystem.load": f"path, {COMPONENTS}, config=None, enable_query_expansion=True",
    "RAGSystem.invalidate_cache": "",
    "RAGSystem.get_cache_stats": "",
    "RAGSystem.get_stats": "",
    "RAGSystem.cleanup": "",
    "LoadedDocument.to_dict": "",
    "RetrievalCache.get": "query, top_k",
    "RetrievalCache.invalidate": "query, top_k",
    "RetrievalCache.clear": "",
    "RetrievalCache.stats": "",
    "PromptRouter.detect_language": "text",
    "PromptRouter.detect_question_type": "query, language=None",
    "PromptRouter.build": "query, context, language=None, question_type=None",
    "QueryExpander.expand": "query",
    "DocumentVersionManager.add_or_update": "doc_id, text, metadata=None",
    "DocumentVersionManager.rollback": "doc_id, version, original_texts",
    "DocumentVersionManager.delete": "doc_id",
}
CONSTRUCTORS = {
    "RAGSystem": (f"{COMPONENTS}, config=None, prompt=None, enable_query_expansion=True, query_expansion_variants=3"),
    "LoadedDocument": "page_content, metadata=<factory>, doc_id=None",
    "RetrievalCache": "maxsize=256, ttl=300.0",
    "Reranker": "config=None, llm=None",
    "PromptRouter": "include_few_shot=True",
    "DocumentVersionManager": "rag_system, persist_path=None, chunk_size=512, chunk_overlap=128",
    "merge_retrieval_results": "results_per_query, top_k",
}
FAMILIES = {
    "DalilError": "ConfigurationError DocumentError VectorDatabaseError EmbeddingError LLMError RAGError PromptError "
    "CacheError",
    "ConfigurationError": "MissingAPIKeyError",
    "DocumentError": "EmptyDocumentError DocumentNotFoundError ChunkingError LoaderError",
    "LoaderError": "UnsupportedFormatError CorruptDocumentError",
    "VectorDatabaseError": "VectorDBConnectionError VectorDBWriteError VectorDBSearchError VectorDBPersistenceError",
    "EmbeddingError": "EmbeddingModelNotFoundError EmbeddingDimensionError EmbeddingAPIError",
    "LLMError": "LLMConnectionError LLMGenerationError LLMTimeoutError LLMRateLimitError",
    "RAGError": "RAGInitializationError RAGRetrievalError RAGGenerationError NoRelevantDocumentsError "
    "QueryExpansionError",
}


def parameters_of(function: Callable[..., Any]) -> str:
    """Names and defaults, as one would write them down."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name != "self"
    ]
    return str(inspect.Signature(parameters)).strip("()")


@pytest.mark.parametrize("name", METHODS)
def test_each_method_takes_what_is_documented(name: str):
    kind, method = name.split(".")
    assert parameters_of(getattr(getattr(dalil, kind), method)) == METHODS[name]


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_each_constructor_takes_what_is_documented(name: str):
    assert parameters_of(getattr(dalil, name)) == CONSTRUCTORS[name]


@pytest.mark.parametrize("name", ["aadd_documents", "aretrieve", "agenerate", "__aenter__", "__aexit__"])
def test_asynchronous_methods_are_awaited(name: str):
    assert inspect.iscoroutinefunction(getattr(dalil.RAGSystem, name))


@pytest.mark.parametrize("family", FAMILIES)
def test_each_error_belongs_to_its_family(family: str):
    parent = getattr(errors, family)
    for name in FAMILIES[family].split():
        assert issubclass(getattr(errors, name), parent), name


def test_errors_carry_what_they_are_about():
    persistence = errors.VectorDBPersistenceError("load", "some/where", "no room")
    assert (persistence.operation, persistence.path, persistence.reason) == ("load", "some/where", "no room")
    retrieval = errors.RAGRetrievalError("a question", "it is down")
    assert (retrieval.query, retrieval.reason) == ("a question", "it is down")
    assert errors.NoRelevantDocumentsError("a question").query == "a question"
    assert errors.QueryExpansionError("slow").reason == "slow"


def test_an_error_has_a_message_details_and_a_stable_code():
    error = errors.RAGRetrievalError("a question", "it is down")
    assert "it is down" in str(error)
    assert error.details == {"query": "a question", "reason": "it is down"}
    assert (error.code, errors.DalilError("anything").code) == ("rag_retrieval", "dalil")
