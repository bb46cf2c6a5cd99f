"""Finding chunks, from one thread: expand, search, merge, rerank, remember."""

from __future__ import annotations

import inspect
import logging
from typing import Any

import pytest

from dalil.errors import RAGRetrievalError
from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, EchoLLM, MemoryVectorDB, Piece, build_system


class ByVariant(MemoryVectorDB):
    """Finds for each query what it was told to."""

    def __init__(self, found: dict[str, list[tuple[Any, float]]]) -> None:
        super().__init__()
        self.found = found

    def search(self, query: str, top_k: int, score_threshold: float) -> list[tuple[Any, float]]:
        self.searches.append((query, top_k, score_threshold))
        return self.found.get(query, [])


A, B, C = Piece("a", "d1", "1"), Piece("b", "d1", "2"), Piece("c", "d2", "3")
EXPANDING = EchoLLM("second wording\nthird wording")


def expanding(found: dict[str, list[tuple[Any, float]]], **changes: Any) -> RAGSystem:
    """A system whose LLM expands every question to two more wordings, without the synonym table."""
    system = build_system(vector_db=ByVariant(found), llm=EXPANDING, enable_query_expansion=True, **changes)
    system._query_expander.fallback_synonyms = False
    return system


def test_chunks_and_scores_with_the_best_first(filled: RAGSystem):
    results = filled.retrieve("annual leave")
    assert [(piece.text, score) for piece, score in results] == [
        ("annual leave is thirty days", 1.0),
        ("sick leave needs a note", 0.5),
    ]


@pytest.mark.parametrize("query", ["", "   ", "\n", None])
def test_a_blank_query_gives_nothing_and_asks_nobody(query: Any):
    system = build_system(vector_db=Broken(), llm=Broken(), enable_query_expansion=True)
    assert system.retrieve(query) == []


def test_top_k_defaults_to_the_config():
    system = build_system(top_k=3, min_score=0.25)
    system.retrieve("question")
    assert system.vector_db.searches == [("question", 3, 0.25)]


def test_top_k_can_be_given(filled: RAGSystem):
    assert len(filled.retrieve("leave", top_k=1)) == 1
    assert filled.vector_db.searches == [("leave", 1, 0.0)]


def test_every_variant_is_searched_with_the_same_settings():
    system = expanding({}, top_k=4, min_score=0.1)
    system.retrieve("first wording")
    assert system.vector_db.searches == [
        ("first wording", 4, 0.1),
        ("second wording", 4, 0.1),
        ("third wording", 4, 0.1),
    ]


def test_without_an_expander_only_the_question_is_searched():
    system = build_system()
    system.retrieve("phone number")
    assert [query for query, *_ in system.vector_db.searches] == ["phone number"]


def test_several_variants_are_merged_by_chunk_with_the_highest_score():
    system = expanding({"q": [(A, 0.7), (B, 0.5)], "second wording": [(A, 0.9), (C, 0.6)]})
    assert system.retrieve("q") == [(A, 0.9), (C, 0.6), (B, 0.5)]
    assert expanding({"q": [(A, 0.7), (B, 0.5)], "second wording": [(A, 0.9)]}).retrieve("q", top_k=1) == [(A, 0.9)]


def test_one_variant_skips_merging():
    as_found = [(B, 0.5), (A, 0.7), (A, 0.9)]
    assert build_system(vector_db=ByVariant({"q": as_found})).retrieve("q", top_k=1) == as_found


class Reversing:
    """A reranker."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[Any]]] = []

    def rerank(self, *, query: str, chunks: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
        self.calls.append((query, list(chunks)))
        return chunks[::-1]


def test_results_are_reranked():
    system = build_system(vector_db=ByVariant({"q": [(A, 0.7), (B, 0.5)]}))
    system.reranker = Reversing()
    assert system.retrieve("q") == [(B, 0.5), (A, 0.7)]
    assert system.reranker.calls == [("q", [(A, 0.7), (B, 0.5)])]


def test_merged_results_are_reranked():
    system = expanding({"q": [(A, 0.7)], "second wording": [(C, 0.6)]})
    system.reranker = Reversing()
    system.retrieve("q")
    assert system.reranker.calls == [("q", [(A, 0.7), (C, 0.6)])]


def test_no_results_are_not_reranked():
    system = build_system(vector_db=ByVariant({}))
    system.reranker = Reversing()
    assert system.retrieve("q") == []
    assert system.reranker.calls == []


def test_the_configured_reranker_orders_the_results():
    long_text = " ".join(f"refund word{number}" for number in range(40))
    system = build_system(
        vector_db=ByVariant({"refund": [(Piece("x", "d1", "1"), 0.52), (Piece(long_text, "d2", "2"), 0.5)]}),
        enable_reranking=True,
    )
    assert [piece.chunk_id for piece, _ in system.retrieve("refund")] == ["2", "1"]


@pytest.mark.parametrize("stage", ["expansion", "search", "merge", "rerank"])
def test_a_failure_of_any_stage_is_a_retrieval_error_chained_from_its_cause(stage: str):
    error = ConnectionError("it is down")
    system = expanding({"q": [(A, 0.7)]})
    if stage == "expansion":
        system._query_expander = Broken(error)
    elif stage == "search":
        system.vector_db = Broken(error)
    elif stage == "rerank":
        system.reranker = Broken(error)
    else:
        system.vector_db.found = {"q": [("not a pair",)]}
    with pytest.raises(RAGRetrievalError) as caught:
        system.retrieve("q")
    assert caught.value.query == "q"
    assert caught.value.reason
    if stage == "merge":
        assert isinstance(caught.value.__cause__, ValueError)
    else:
        assert caught.value.reason == "it is down"
        assert caught.value.__cause__ is error


def test_a_failure_without_a_message_is_named_by_its_kind():
    with pytest.raises(RAGRetrievalError) as caught:
        build_system(vector_db=Broken(TimeoutError())).retrieve("q")
    assert caught.value.reason == "TimeoutError"


def test_log_lines_show_the_first_60_characters_of_a_query(filled: RAGSystem, caplog: pytest.LogCaptureFixture):
    query = "leave " + "x" * 54 + "SECRET"
    with caplog.at_level(logging.DEBUG, "dalil.rag"):
        filled.generate(query)
        filled.llm = Broken()
        filled.generate(query)
        filled.vector_db = Broken()
        filled.invalidate_cache()
        filled.generate(query)
    assert "Retrieval failed" in caplog.text
    assert query[:60] in caplog.text
    assert "SECRET" not in caplog.text


def test_hits_results_and_failures_are_logged_by_their_level(filled: RAGSystem, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG, "dalil.rag"):
        filled.retrieve("annual leave")
        filled.retrieve("annual leave")
        filled.vector_db = Broken()
        with pytest.raises(RAGRetrievalError):
            filled.retrieve("refunds")
    assert [record.levelname for record in caplog.records] == ["INFO", "DEBUG", "ERROR"]


# Remembering


def test_a_question_asked_again_comes_from_the_cache(filled: RAGSystem):
    first = filled.retrieve("annual leave")
    assert filled.retrieve("  Annual  LEAVE ") == first
    assert len(filled.vector_db.searches) == 1
    stats = filled.get_cache_stats()
    assert (stats["hits"], stats["misses"]) == (1, 1)


def test_a_hit_asks_neither_expander_nor_reranker(filled: RAGSystem):
    first = filled.retrieve("annual leave")
    filled._query_expander = Broken()
    filled.reranker = Broken()
    assert filled.retrieve("annual leave") == first


def test_another_top_k_is_another_entry(filled: RAGSystem):
    filled.retrieve("leave", top_k=1)
    assert len(filled.retrieve("leave", top_k=2)) == 2
    filled.retrieve("leave")
    filled.retrieve("leave", top_k=5)  # the config's
    assert len(filled.vector_db.searches) == 3


def test_an_empty_result_is_not_remembered(filled: RAGSystem):
    filled.retrieve("volcano")
    filled.retrieve("volcano")
    assert len(filled.vector_db.searches) == 2
    assert filled.get_cache_stats()["size"] == 0


def test_a_failure_is_not_remembered(filled: RAGSystem):
    working, filled.vector_db = filled.vector_db, Broken()
    with pytest.raises(RAGRetrievalError):
        filled.retrieve("annual leave")
    filled.vector_db = working
    assert filled.retrieve("annual leave")


def test_what_was_reranked_is_remembered():
    system = build_system(vector_db=ByVariant({"q": [(A, 0.7), (B, 0.5)]}))
    system.reranker = Reversing()
    assert system.retrieve("q") == system.retrieve("q") == [(B, 0.5), (A, 0.7)]


def test_a_caller_cannot_change_what_is_remembered(filled: RAGSystem):
    first = filled.retrieve("annual leave")
    kept = list(first)
    first.clear()
    second = filled.retrieve("annual leave")
    assert second == kept
    second.clear()
    assert filled.retrieve("annual leave") == kept


def test_without_a_cache_every_question_is_searched():
    system = build_system(enable_retrieval_cache=False)
    system.add_text("annual leave")
    assert system.retrieve("leave") == system.retrieve("leave")
    assert len(system.vector_db.searches) == 2
    assert system.get_cache_stats() == {}
    system.invalidate_cache()


def test_invalidate_cache_forgets(filled: RAGSystem):
    filled.retrieve("annual leave")
    filled.invalidate_cache()
    assert filled.get_cache_stats()["size"] == 0
    filled.retrieve("annual leave")
    assert len(filled.vector_db.searches) == 2


def test_the_signatures():
    assert list(inspect.signature(RAGSystem.retrieve).parameters) == ["self", "query", "top_k"]
    assert list(inspect.signature(RAGSystem.aretrieve).parameters) == ["self", "query", "top_k"]
