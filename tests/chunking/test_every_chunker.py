"""What holds for every chunker and every document: exact slices, nothing lost, bounded, in order, the same twice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.chunking import (
    FixedSizeChunker,
    ParentChildChunker,
    RecursiveChunker,
    SemanticChunker,
    SentenceAwareChunker,
    StructureChunker,
)
from dalil.chunking.outline import Outline
from dalil.models import Chunk, Page, Vector
from dalil.ports import Chunker
from dalil.text import estimate_tokens

from .conftest import DOCUMENT
from .test_nothing_is_lost import PAGES, SIZES


def count_letters(texts: Sequence[str]) -> Sequence[Vector]:
    return [(text.count("e") + text.count("ا"), len(text) % 5, 1.0) for text in texts]


BOUNDED = [
    FixedSizeChunker(),
    SentenceAwareChunker(),
    RecursiveChunker(),
    SemanticChunker(count_letters),
    ParentChildChunker(RecursiveChunker()),
]
EVERY = [*BOUNDED, ParentChildChunker(), ParentChildChunker(FixedSizeChunker(), parent_size=81)]
SETTINGS = settings(max_examples=80, deadline=None)

every_chunker = pytest.mark.parametrize("chunker", EVERY, ids=lambda chunker: type(chunker).__name__)
bounded_chunker = pytest.mark.parametrize("chunker", BOUNDED, ids=lambda chunker: type(chunker).__name__)


def cut(chunker: Chunker, pages: list[str], size: int, overlap: int) -> Sequence[Chunk]:
    numbered = [Page(number, text) for number, text in enumerate(pages, start=1)]
    return chunker.chunk(DOCUMENT, numbered, size=size, overlap=overlap)


@every_chunker
@SETTINGS
@given(pages=PAGES, size=SIZES, data=st.data())
def test_a_chunk_is_what_its_spans_say(chunker: Chunker, pages: list[str], size: int, data: st.DataObject):
    for ordinal, chunk in enumerate(cut(chunker, pages, size, data.draw(st.integers(0, size - 1)))):
        assert chunk.id == f"{DOCUMENT.id}:{ordinal}"
        assert (chunk.document_id, chunk.ordinal, chunk.source) == (DOCUMENT.id, ordinal, DOCUMENT.source)
        assert chunk.embed_text == chunk.text
        assert chunk.text == "\n".join(pages[span.page - 1][span.start : span.end] for span in chunk.spans)
        assert chunk.page == chunk.spans[0].page
        numbers = [span.page for span in chunk.spans]
        assert numbers == sorted(set(numbers))
        for span in chunk.spans:
            assert 0 <= span.start < span.end <= len(pages[span.page - 1])
            assert pages[span.page - 1][span.start : span.end].strip()


@every_chunker
@SETTINGS
@given(pages=PAGES, size=SIZES, data=st.data())
def test_every_character_is_in_a_chunk(chunker: Chunker, pages: list[str], size: int, data: st.DataObject):
    chunks = cut(chunker, pages, size, data.draw(st.integers(0, size - 1)))
    covered = {(span.page, place) for chunk in chunks for span in chunk.spans for place in range(span.start, span.end)}
    for number, text in enumerate(pages, start=1):
        assert all((number, place) in covered or text[place].isspace() for place in range(len(text)))


@every_chunker
@SETTINGS
@given(pages=PAGES, size=SIZES)
def test_without_overlap_no_character_is_in_two(chunker: Chunker, pages: list[str], size: int):
    chunks = cut(chunker, pages, size, 0)
    for number in range(1, len(pages) + 1):
        spans = [span for chunk in chunks for span in chunk.spans if span.page == number]
        assert all(before.end <= after.start for before, after in pairwise(spans))


@every_chunker
@SETTINGS
@given(pages=PAGES, size=SIZES, overlap=st.integers(0, 200))
def test_chunks_go_forward_whatever_the_overlap(chunker: Chunker, pages: list[str], size: int, overlap: int):
    chunks = cut(chunker, pages, size, overlap)
    starts = [(chunk.spans[0].page, chunk.spans[0].start) for chunk in chunks]
    ends = [(chunk.spans[-1].page, chunk.spans[-1].end) for chunk in chunks]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))


@bounded_chunker
@SETTINGS
@given(pages=PAGES, size=SIZES, overlap=st.integers(0, 100))
def test_no_chunk_is_larger_than_the_size(chunker: Chunker, pages: list[str], size: int, overlap: int):
    assert all(estimate_tokens(chunk.text) <= size for chunk in cut(chunker, pages, size, overlap))


@every_chunker
@SETTINGS
@given(pages=PAGES, size=SIZES, data=st.data())
def test_the_same_document_is_cut_the_same_way(chunker: Chunker, pages: list[str], size: int, data: st.DataObject):
    overlap = data.draw(st.integers(0, size - 1))
    assert cut(chunker, pages, size, overlap) == cut(chunker, pages, size, overlap)


@SETTINGS
@given(pages=PAGES, size=SIZES, data=st.data())
def test_the_outline_knows_what_the_structure_chunker_says(pages: list[str], size: int, data: st.DataObject):
    outline = Outline([Page(number, text) for number, text in enumerate(pages, start=1)])
    for chunk in cut(StructureChunker(), pages, size, data.draw(st.integers(0, size - 1))):
        assert {"source": DOCUMENT.source, **outline.standing(chunk.spans)} == chunk.metadata


@every_chunker
def test_chunks_know_their_headings(chunker: Chunker):
    pages = ["# Handbook\n\n## Leave\n\nTake all of it, every single year.", "## الرواتب\n\nتدفع الرواتب كل شهر."]
    chunks = cut(chunker, pages, 14, 0)
    assert next(chunk for chunk in chunks if "Take" in chunk.text).metadata["headings"] == ["Handbook", "Leave"]
    assert chunks[-1].metadata["headings"] == ["Handbook", "الرواتب"]


@every_chunker
def test_a_piece_of_a_table_keeps_its_header_beside_it(chunker: Chunker):
    header = "| Name | City |\n|---|---|"
    rows = "\n".join(f"| person {number} | town of {number} |" for number in range(40))
    chunks = cut(chunker, [f"Before the table.\n\n{header}\n{rows}"], 20, 0)
    assert "table_header" not in chunks[0].metadata
    assert {chunk.metadata["table_header"] for chunk in chunks[-10:]} == {header}


@every_chunker
def test_blank_documents_have_no_chunks(chunker: Chunker):
    assert list(cut(chunker, [], 10, 2)) == []
    assert list(cut(chunker, ["", " \n\t", "\n\n"], 10, 2)) == []


@every_chunker
@pytest.mark.parametrize("text", ["كلمة أخرى. " * 20_000, "x" * 200_000, "\n" * 200_000 + "end", "a " * 100_000])
def test_a_large_text_is_cut_in_good_time(chunker: Chunker, text: str):
    assert cut(chunker, [text], 64, 8)[-1].text.strip()
