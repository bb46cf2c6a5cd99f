"""One weight between meaning and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import ConfigurationError
from dalil.models import Chunk, ScoredChunk
from dalil.retrieval import alpha_fusion


def ranked(**scores: float) -> list[ScoredChunk]:
    found = [
        ScoredChunk(Chunk(name, "d", "the same beginning of every passage", 1, number), score)
        for number, (name, score) in enumerate(scores.items())
    ]
    return sorted(found, key=lambda item: item.rank)


def ids(fused: list[ScoredChunk]) -> list[str]:
    return [item.chunk.id for item in fused]


def test_alpha_chooses_between_meaning_and_words() -> None:
    meaning, words = ranked(a=0.9, b=0.8, c=0.7), ranked(c=12.0, b=6.0, a=0.5)
    assert ids(alpha_fusion(meaning, words, 1.0))[0] == "a"
    assert ids(alpha_fusion(meaning, words, 0.0))[0] == "c"
    assert alpha_fusion(meaning, words, 0.5)[0].score == pytest.approx(0.5)


def test_passages_that_begin_alike_stay_apart() -> None:
    assert sorted(ids(alpha_fusion(ranked(a=0.9, b=0.8), ranked(c=3.0), 0.5))) == ["a", "b", "c"]


def test_a_list_of_equal_scores_counts_in_full() -> None:
    fused = {item.chunk.id: item.score for item in alpha_fusion(ranked(a=0.4, b=0.4), [], 0.5)}
    assert fused == {"a": 0.5, "b": 0.5}


def test_empty_lists_and_lists_of_zeros_add_nothing() -> None:
    assert alpha_fusion([], [], 0.5) == []
    fused = {item.chunk.id: item.score for item in alpha_fusion(ranked(a=0.9, b=0.1), ranked(a=0.0, b=0.0), 0.5)}
    assert fused == {"a": 0.5, "b": 0.0}


@pytest.mark.parametrize("alpha", [-0.1, 1.1, float("nan")])
def test_alpha_lies_between_nothing_and_everything(alpha: float) -> None:
    with pytest.raises(ConfigurationError, match="alpha"):
        alpha_fusion(ranked(a=1.0), [], alpha)


scored = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1, 50), max_size=8).map(lambda s: ranked(**s))


@given(scored, scored, st.floats(0, 1))
def test_scores_stay_within_bounds_in_order_and_lose_no_chunk(
    meaning: list[ScoredChunk], words: list[ScoredChunk], alpha: float
) -> None:
    fused = alpha_fusion(meaning, words, alpha)
    assert all(0.0 <= item.score <= 1.0 for item in fused)
    assert [item.rank for item in fused] == sorted(item.rank for item in fused)
    assert set(ids(fused)) == {item.chunk.id for item in (*meaning, *words)}
