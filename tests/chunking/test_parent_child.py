"""Every child lies within its parent, and knows where that is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.chunking import FixedSizeChunker, ParentChildChunker, RecursiveChunker, StructureChunker
from dalil.errors import ConfigurationError
from dalil.models import Chunk, Page, Span
from dalil.ports import Chunker
from dalil.text import estimate_tokens

from .conftest import DOCUMENT
from .test_nothing_is_lost import PAGES, SIZES


def children_of(
    *texts: str, size: int, overlap: int = 0, chunker: Chunker | None = None, **settings
) -> Sequence[Chunk]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return ParentChildChunker(chunker, **settings).chunk(DOCUMENT, pages, size=size, overlap=overlap)


@pytest.mark.parametrize("chunker", [StructureChunker(), FixedSizeChunker(), RecursiveChunker()])
@settings(max_examples=80, deadline=None)
@given(pages=PAGES, size=SIZES, data=st.data())
def test_children_lie_within_their_parents(chunker: Chunker, pages: list[str], size: int, data: st.DataObject):
    parent_size = data.draw(st.none() | st.integers(size + 1, 6 * size))
    children = children_of(
        *pages, size=size, overlap=data.draw(st.integers(0, size - 1)), chunker=chunker, parent_size=parent_size
    )
    numbered = [Page(number, text) for number, text in enumerate(pages, start=1)]
    parents = chunker.chunk(DOCUMENT, numbered, size=parent_size or 4 * size, overlap=0)
    assert [child.metadata["parent"]["ordinal"] for child in children] == sorted(
        child.metadata["parent"]["ordinal"] for child in children
    )
    assert {child.metadata["parent"]["ordinal"] for child in children} == set(range(len(parents)))
    for child in children:
        place = child.metadata["parent"]
        assert json.loads(json.dumps(place)) == place
        assert tuple(Span(*span) for span in place["spans"]) == parents[place["ordinal"]].spans
        for span in child.spans:
            assert any(
                page == span.page and start <= span.start < span.end <= end for page, start, end in place["spans"]
            )


SENTENCES = [f"Sentence number {number} says something of its own." for number in range(40)]


def test_a_parent_has_four_times_the_size_of_its_children():
    children = children_of(" ".join(SENTENCES), size=30)
    text = " ".join(SENTENCES)
    parents = [text[start:end] for child in children for _, start, end in child.metadata["parent"]["spans"]]
    assert all(100 < estimate_tokens(parent) <= 120 for parent in parents[:-10])


def test_children_of_one_parent_share_sentences_but_parents_share_nothing():
    children = children_of(" ".join(SENTENCES), size=30, overlap=15)
    for before, after in pairwise(children):
        same = before.metadata["parent"] == after.metadata["parent"]
        assert (after.spans[0].start < before.spans[0].end) == same


def test_a_child_knows_the_headings_above_its_parent():
    text = "# Handbook\n\n## Leave\n\n" + " ".join(SENTENCES)
    assert {tuple(child.metadata["headings"]) for child in children_of(text, size=30)} == {("Handbook", "Leave")}


def test_what_looks_like_a_heading_in_a_piece_of_code_is_none():
    text = "```\n" + "\n".join(f"line = {number}\n# comment {number}" for number in range(40)) + "\n```"
    assert all("headings" not in child.metadata for child in children_of(text, size=10))


@pytest.mark.parametrize("parent_size", [30, 10])
def test_a_parent_must_be_larger_than_its_children(parent_size: int):
    with pytest.raises(ConfigurationError, match=f"parent_size is {parent_size}, chunk_size is 30"):
        children_of("Text.", size=30, parent_size=parent_size)


def test_a_child_size_of_ones_own_holds_whatever_size_is_asked_for():
    text = " ".join(f"Sentence number {number} is about a flat." for number in range(60))
    children = children_of(text, size=400, overlap=50, child_size=20, parent_size=90)
    assert children == children_of(text, size=20, overlap=19, parent_size=90)
    assert max(estimate_tokens(child.text) for child in children) <= 20
    assert len({child.metadata["parent"]["ordinal"] for child in children}) > 1


@pytest.mark.parametrize("wrong", [{"child_size": 0}, {"parent_size": -1}])
def test_a_size_is_positive(wrong: dict[str, int]):
    with pytest.raises(ConfigurationError, match="must be positive"):
        ParentChildChunker(**wrong)
