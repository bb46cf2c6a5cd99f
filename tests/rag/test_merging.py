"""Lists that several phrasings of a question found become one."""

from __future__ import annotations

import copy
import logging
import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.rag.merging import merge_retrieval_results


def chunk(identity: str) -> SimpleNamespace:
    return SimpleNamespace(chunk_id=identity)


class Unreadable:
    def __getattr__(self, name: str):
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError("str")


def test_each_chunk_keeps_its_highest_score():
    a, b, c = chunk("a"), chunk("b"), chunk("c")
    merged = merge_retrieval_results([[(a, 0.7), (b, 0.5)], [(a, 0.9), (c, 0.6)]], top_k=2)
    assert merged == [(a, 0.9), (c, 0.6)]


def test_the_higher_score_is_kept_whichever_list_it_came_in():
    a = chunk("a")
    assert merge_retrieval_results([[(a, 0.9)], [(a, 0.7)]], top_k=5) == [(a, 0.9)]


def test_the_object_with_the_higher_score_is_kept():
    low, high = chunk("a"), chunk("a")
    merged = merge_retrieval_results([[(low, 0.1)], [(high, 0.2)]], top_k=5)
    assert merged[0][0] is high


def test_chunks_are_told_apart_by_chunk_id_then_id_then_str():
    assert len(merge_retrieval_results([[(SimpleNamespace(chunk_id="x", id="1"), 0.1)], [(chunk("x"), 0.2)]], 5)) == 1
    assert len(merge_retrieval_results([[(SimpleNamespace(id="x"), 0.1), (SimpleNamespace(id="y"), 0.2)]], 5)) == 2
    assert len(merge_retrieval_results([[(SimpleNamespace(id="x"), 0.1)], [(SimpleNamespace(id="x"), 0.2)]], 5)) == 1
    assert merge_retrieval_results([[("raw", 0.8)], [("raw", 0.9)], [("other", 0.1)]], 5) == [
        ("raw", 0.9),
        ("other", 0.1),
    ]


def test_results_come_by_descending_score():
    merged = merge_retrieval_results([[("a", 0.1), ("b", 0.9)], [("c", 0.5)]], top_k=5)
    assert [score for _, score in merged] == [0.9, 0.5, 0.1]


def test_equal_scores_keep_the_order_in_which_they_came():
    merged = merge_retrieval_results([[("b", 0.5), ("a", 0.5)], [("c", 0.5)]], top_k=5)
    assert [found for found, _ in merged] == ["b", "a", "c"]


def test_cutting_is_logged_at_debug_and_only_then(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG, logger="dalil.rag"):
        merge_retrieval_results([[("a", 0.1), ("b", 0.2)]], top_k=2)
        assert not caplog.records
        merge_retrieval_results([[("a", 0.1), ("b", 0.2)]], top_k=1)
    assert [record.levelname for record in caplog.records] == ["DEBUG"]


def test_nothing_gives_nothing():
    assert merge_retrieval_results([], top_k=5) == []
    assert merge_retrieval_results([[], []], top_k=5) == []
    assert merge_retrieval_results([[("a", 1.0)]], top_k=0) == []
    assert merge_retrieval_results([[("a", 1.0), ("b", 1.0)]], top_k=-1) == []


def test_strange_chunks_never_raise():
    strange = [None, 7, {}, [], object(), Unreadable(), Unreadable(), SimpleNamespace(chunk_id=None, id=None)]
    assert len(merge_retrieval_results([[(each, 0.5) for each in strange]], top_k=20)) == len(strange)


def test_scores_that_are_no_number_come_last():
    merged = merge_retrieval_results(
        [[("a", math.nan), ("b", -math.inf), ("c", 0.1)], [("d", math.nan), ("d", 0.0)]], 9
    )
    assert [found for found, _ in merged] == ["c", "d", "b", "a"]


LISTS = st.lists(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.floats(allow_nan=False)), max_size=8), max_size=5)


@given(LISTS, st.integers(-1, 10))
def test_merging_is_the_best_of_the_best(lists: list[list[tuple[str, float]]], top_k: int):
    before = copy.deepcopy(lists)
    merged = merge_retrieval_results(lists, top_k)
    assert lists == before
    best: dict[str, float] = {}
    for found, score in (pair for results in lists for pair in results):
        best[found] = max(score, best.get(found, -math.inf))
    assert len(merged) == min(max(top_k, 0), len(best))
    assert [score for _, score in merged] == sorted(best.values(), reverse=True)[: len(merged)]
    assert all(best[found] == score for found, score in merged)
    assert merge_retrieval_results([merged], top_k) == merged
