"""Finding chunks without blocking the loop: the same stages, all variants at once, and no cache."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from dalil.errors import RAGRetrievalError
from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, MemoryVectorDB, Piece, build_system
from tests.rag.test_retrieving import A, B, ByVariant, C, Reversing, expanding


async def test_the_same_results_as_the_synchronous_method(filled: RAGSystem):
    for query in ("annual leave", "refunds take days", "volcano"):
        assert await filled.aretrieve(query) == filled.retrieve(query)


@pytest.mark.parametrize("query", ["", "  ", None])
async def test_a_blank_query_gives_nothing(query: Any):
    assert await build_system(vector_db=Broken()).aretrieve(query) == []


async def test_top_k_and_threshold():
    system = build_system(top_k=3, min_score=0.25)
    await system.aretrieve("q")
    await system.aretrieve("q", top_k=9)
    assert system.vector_db.searches == [("q", 3, 0.25), ("q", 9, 0.25)]


async def test_several_variants_are_merged_and_reranked():
    system = expanding({"q": [(A, 0.7), (B, 0.5)], "second wording": [(A, 0.9), (C, 0.6)]})
    system.reranker = Reversing()
    assert await system.aretrieve("q", top_k=2) == [(C, 0.6), (A, 0.9)]
    assert system.reranker.calls == [("q", [(A, 0.9), (C, 0.6)])]


async def test_one_variant_skips_merging():
    as_found = [(B, 0.5), (A, 0.7), (A, 0.9)]
    assert await build_system(vector_db=ByVariant({"q": as_found})).aretrieve("q") == as_found


async def test_the_cache_is_neither_asked_nor_filled(filled: RAGSystem):
    await filled.aretrieve("annual leave")
    assert filled.get_cache_stats()["size"] == 0
    filled.retrieve("annual leave")
    before = filled.get_cache_stats()
    await filled.aretrieve("annual leave")
    assert filled.get_cache_stats() == before
    assert len(filled.vector_db.searches) == 3


async def test_variants_are_searched_concurrently_in_threads():
    barrier = threading.Barrier(3, timeout=10)
    threads: set[int] = set()

    class Together(MemoryVectorDB):
        def search(self, query: str, top_k: int, score_threshold: float) -> list[tuple[Any, float]]:
            barrier.wait()
            threads.add(threading.get_ident())
            return [(Piece(query, "d", query), 1.0)]

    system = expanding({})
    system.vector_db = Together()
    assert len(await system.aretrieve("q")) == 3
    assert threading.get_ident() not in threads


async def test_asearch_is_preferred_and_runs_on_the_callers_loop():
    loops = set()
    barrier = asyncio.Barrier(3)

    class Both(Broken):
        async def asearch(self, query: str, top_k: int, score_threshold: float) -> list[tuple[Any, float]]:
            loops.add(asyncio.get_running_loop())
            await barrier.wait()
            return [(Piece(query, "d", query), float(top_k))]

    system = expanding({})
    system.vector_db = Both()
    assert [score for _, score in await system.aretrieve("q", top_k=8)] == [8.0, 8.0, 8.0]
    assert loops == {asyncio.get_running_loop()}


async def test_reranking_runs_in_a_thread(filled: RAGSystem):
    class Placed(Reversing):
        def rerank(self, *, query: str, chunks: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
            self.thread = threading.get_ident()
            return chunks

    filled.reranker = Placed()
    await filled.aretrieve("leave")
    assert filled.reranker.thread != threading.get_ident()


@pytest.mark.parametrize("stage", ["expansion", "search", "rerank"])
async def test_a_failure_of_any_stage_is_a_retrieval_error_chained_from_its_cause(stage: str):
    error = ConnectionError("it is down")
    system = expanding({"q": [(A, 0.7)]})
    if stage == "expansion":
        system._query_expander = Broken(error)
    elif stage == "search":
        system.vector_db = Broken(error)
    else:
        system.reranker = Broken(error)
    with pytest.raises(RAGRetrievalError) as caught:
        await system.aretrieve("q")
    assert (caught.value.query, caught.value.reason) == ("q", "it is down")
    assert caught.value.__cause__ is error
