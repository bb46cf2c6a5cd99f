"""Reciprocal rank fusion, by its formula."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil import reciprocal_rank_fusion
from dalil.models import ScoredChunk

from .conftest import chunk_of

CHUNKS = [chunk_of("text", document=f"d{number}") for number in range(8)]


def ranked(*numbers: int) -> list[ScoredChunk]:
    return [ScoredChunk(CHUNKS[number], 100.0 - rank) for rank, number in enumerate(numbers)]


def scores(*lists: list[ScoredChunk]) -> dict[str, float]:
    return {item.chunk.id: item.score for item in reciprocal_rank_fusion(*lists)}


def test_ranks_count_from_zero_and_the_constant_is_sixty():
    assert scores(ranked(0, 1)) == {"d0:0": 1 / 60, "d1:0": 1 / 61}
    assert scores(ranked(0, 1), ranked(1, 2)) == {
        "d1:0": pytest.approx(1 / 61 + 1 / 60),
        "d0:0": 1 / 60,
        "d2:0": 1 / 61,
    }


def test_a_chunk_is_given_once_however_many_lists_hold_it():
    assert [item.chunk.id for item in reciprocal_rank_fusion(ranked(0, 1), ranked(0), ranked(1, 0))] == ["d0:0", "d1:0"]


def test_the_scores_that_came_in_do_not_matter():
    cheap = [ScoredChunk(item.chunk, -item.score) for item in ranked(3, 4)]
    assert scores(cheap) == scores(ranked(3, 4))


def test_nothing_to_fuse():
    assert reciprocal_rank_fusion() == []
    assert reciprocal_rank_fusion([], []) == []


def test_ties_go_by_source_then_ordinal():
    first, second = chunk_of("x", document="a", ordinal=1), chunk_of("x", document="a", ordinal=2)
    other = chunk_of("x", document="b", ordinal=0)
    lists = [[ScoredChunk(chunk, 1.0)] for chunk in (other, second, first)]
    assert [item.chunk for item in reciprocal_rank_fusion(*lists)] == [first, second, other]


RANKINGS = st.lists(st.permutations(range(8)).flatmap(lambda p: st.integers(0, 8).map(lambda n: p[:n])), max_size=5)


@settings(max_examples=150, deadline=None)
@given(RANKINGS, st.data())
def test_the_order_of_the_lists_does_not_matter(rankings: list[list[int]], data: st.DataObject):
    shuffled = data.draw(st.permutations(rankings))
    here = reciprocal_rank_fusion(*(ranked(*numbers) for numbers in rankings))
    there = reciprocal_rank_fusion(*(ranked(*numbers) for numbers in shuffled))
    assert [item.chunk for item in here] == [item.chunk for item in there]
    assert [item.score for item in here] == pytest.approx([item.score for item in there])


@settings(max_examples=100, deadline=None)
@given(RANKINGS)
def test_best_first_and_nothing_lost(rankings: list[list[int]]):
    fused = reciprocal_rank_fusion(*(ranked(*numbers) for numbers in rankings))
    assert {item.chunk.id for item in fused} == {f"d{number}:0" for numbers in rankings for number in numbers}
    assert [item.rank for item in fused] == sorted(item.rank for item in fused)
    for item in fused:
        number = int(item.chunk.document_id[1:])
        expected = sum(1 / (60 + numbers.index(number)) for numbers in rankings if number in numbers)
        assert item.score == pytest.approx(expected)
