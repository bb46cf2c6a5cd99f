"""Counters, reports, connection checks and cleaning up."""

from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from dalil.rag.base import BaseRAGSystem
from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, EchoLLM, MemoryVectorDB, build_system

COMPONENTS = ("vector_db", "llm", "chunker", "context_manager")


def test_get_stats_tells_counters_and_parts(filled: RAGSystem):
    filled.generate("annual leave")
    assert filled.get_stats() == {
        "total_queries": 1,
        "successful_queries": 1,
        "failed_queries": 0,
        "total_documents": 3,
        "total_chunks": 4,
        "vector_db_size": 4,
        "llm_type": "EchoLLM",
        "chunker_type": "LineChunker",
        "query_expansion": False,
        "reranking": False,
        "cache": filled.get_cache_stats(),
    }


def test_get_stats_with_other_parts():
    class Sizeless:
        search = MemoryVectorDB.search

    stats = build_system(
        vector_db=Sizeless(), enable_query_expansion=True, enable_reranking=True, enable_retrieval_cache=False
    ).get_stats()
    assert (stats["vector_db_size"], stats["query_expansion"], stats["reranking"]) == (0, True, True)
    assert stats["cache"] == {}


def test_cache_stats_are_the_caches(filled: RAGSystem):
    filled.retrieve("leave")
    assert filled.get_cache_stats() == filled._retrieval_cache.stats()
    assert filled.get_cache_stats()["size"] == 1


def test_reset_stats_keeps_what_is_indexed(filled: RAGSystem):
    filled.generate("annual leave")
    filled.reset_stats()
    assert list(filled.stats.values()) == [0, 0, 0, 3, 4]


def test_repr(filled: RAGSystem):
    filled.generate("annual leave")
    assert repr(filled) == "RAGSystem(docs=3, chunks=4, queries=1, expansion=False)"
    assert repr(build_system(enable_query_expansion=True)) == "RAGSystem(docs=0, chunks=0, queries=0, expansion=True)"


# Connections


def test_a_working_system_has_working_connections(filled: RAGSystem):
    report = filled.validate_connection("annual leave")
    assert report == {"success": True, "reason": "", "components": dict.fromkeys(COMPONENTS, True)}
    assert filled.validate_connection()["success"]


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_broken_component_is_named_with_its_reason(filled: RAGSystem, name: str):
    setattr(filled, name, Broken())
    report = filled.validate_connection("annual leave")
    assert report["success"] is False
    assert report["reason"] == f"{name}: it is down"
    assert report["components"] == dict.fromkeys(COMPONENTS, True) | {name: False}


def test_a_component_without_its_method_is_named(filled: RAGSystem):
    filled.llm = object()
    report = filled.validate_connection()
    assert report["components"]["llm"] is False
    assert "generate" in report["reason"]


def test_checking_changes_nothing(filled: RAGSystem):
    before = filled.get_stats()
    filled.validate_connection("annual leave")
    assert filled.get_stats() == before
    assert filled.vector_db.size == 4


def test_the_cache_does_not_vouch_for_the_vector_database(filled: RAGSystem):
    filled.retrieve("annual leave")
    filled.vector_db = Broken()
    assert filled.validate_connection("annual leave")["success"] is False


# Cleaning up


def test_every_component_is_cleaned_up(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "dalil.rag"):
        system.cleanup()
    assert [getattr(system, name).cleaned for name in COMPONENTS] == [1, 1, 1, 1]
    assert caplog.messages[-1] == "RAGSystem cleanup complete"


def test_components_are_cleaned_up_in_the_order_of_the_constructor():
    class Noting:
        def __init__(self, name: str) -> None:
            self.name = name

        def cleanup(self) -> None:
            cleaned.append(self.name)

    cleaned: list[str] = []
    build_system(**{name: Noting(name) for name in COMPONENTS}).cleanup()
    assert cleaned == list(COMPONENTS)


def test_what_cannot_be_cleaned_up_is_passed_over():
    class Plain:
        def generate(self, prompt: str) -> str:
            return prompt

    system = build_system(llm=Plain())
    system.cleanup()
    assert system.chunker.cleaned == 1


def test_a_failing_cleanup_is_logged_and_stops_no_other(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    system.vector_db = Broken()
    system.chunker = Broken(RuntimeError("stuck"))
    system.cleanup()
    assert (system.llm.cleaned, system.context_manager.cleaned) == (1, 1)
    errors = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert ["vector_db" in errors[0], "chunker" in errors[1], "stuck" in errors[1]] == [True, True, True]


def test_leaving_the_context_cleans_up_and_lets_errors_through(system: RAGSystem):
    assert system.__enter__() is system
    with pytest.raises(RuntimeError, match="inside"), system:
        raise RuntimeError("inside")
    assert system.llm.cleaned == 1
    assert system.__exit__(None, None, None) is False


async def test_leaving_the_asynchronous_context_cleans_up_and_lets_errors_through(system: RAGSystem):
    assert await system.__aenter__() is system
    with pytest.raises(RuntimeError, match="inside"):
        async with system:
            raise RuntimeError("inside")
    assert system.llm.cleaned == 1
    assert await system.__aexit__(None, None, None) is False


async def test_the_loop_goes_on_while_a_component_is_cleaned_up(system: RAGSystem):
    class Placed(EchoLLM):
        def cleanup(self) -> None:
            self.thread = threading.get_ident()

    system.llm = Placed()
    async with system:
        pass
    assert system.llm.thread != threading.get_ident()


def test_a_rag_system_is_a_base_rag_system(system: RAGSystem):
    assert isinstance(system, BaseRAGSystem)


@pytest.mark.parametrize("name", ["aadd_documents", "aretrieve", "agenerate"])
def test_the_asynchronous_methods_are_its_own(name: str):
    assert any(name in vars(kind) for kind in RAGSystem.__mro__[: RAGSystem.__mro__.index(BaseRAGSystem)])
    assert not hasattr(BaseRAGSystem, "astream")


def test_stats_is_a_live_dict(system: RAGSystem):
    live: dict[str, Any] = system.stats
    system.add_text("text")
    assert live["total_chunks"] == 1
    live["total_chunks"] = 7
    assert system.get_stats()["total_chunks"] == 7
