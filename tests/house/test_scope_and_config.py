"""Scopes narrow and never widen; settings that cannot work are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil import ConfigurationError, IngestionConfig, QueryOptions, Scope

VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["a", "b"]))
FILTERS = st.dictionaries(st.sampled_from(["x", "y"]), st.one_of(VALUES, st.lists(VALUES, max_size=3)))
METADATA = st.dictionaries(st.sampled_from(["x", "y", "z"]), st.one_of(VALUES, st.lists(VALUES, max_size=3)))


@pytest.mark.parametrize("namespace", ["", "  ", "\n"])
def test_a_blank_namespace_is_refused(namespace: str) -> None:
    with pytest.raises(ValueError, match="non-empty"):
        Scope(namespace)


def test_filters_are_read_only_and_keep_their_values() -> None:
    scope = Scope("a", {"x": [1, 2]})
    assert scope.filters["x"] == [1, 2]
    with pytest.raises(TypeError):
        scope.filters["x"] = 3  # type: ignore[index]


@given(FILTERS, FILTERS, METADATA)
def test_more_filters_never_admit_more(first: dict, second: dict, metadata: dict) -> None:
    scope = Scope("a", first)
    narrowed = scope.with_filters(**second)
    if narrowed.admits("d", metadata):
        assert scope.admits("d", metadata)
        assert Scope("a", second).admits("d", metadata)


def test_document_ids_present_but_empty_match_nothing() -> None:
    assert not Scope("a", {"document_ids": []}).admits("d", {})
    assert Scope("a", {"document_ids": ["d"]}).admits("d", {})


@pytest.mark.parametrize("sizes", [(0, 0), (-1, 0), (10, 10), (10, -1)])
def test_chunk_sizes_that_cannot_work_are_refused(sizes: tuple[int, int]) -> None:
    with pytest.raises(ConfigurationError):
        IngestionConfig(chunk_size=sizes[0], chunk_overlap=sizes[1])


@pytest.mark.parametrize("name", ["retrieve_k", "rerank_k", "context_k"])
def test_every_k_is_positive(name: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        QueryOptions(**{name: 0})
