"""Whatever a document holds: its chunks are exact slices of it, and together they are all of it."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.chunking import make_token_counter
from dalil.models import Chunk
from dalil.text import estimate_tokens, split_sentences

from .conftest import DOCUMENT, cut_pages

PIECES = st.sampled_from(
    [
        *(
            "The rule holds for everyone. ",
            "It is old! ",
            "Dr. Smith said so. ",
            "18.5 percent, or less; ",
            "and so on ",
        ),
        *("تسري القاعدة على الجميع. ", "هل هي قديمة؟ ", "مُدَرِّسَةٌ في المدرسة، ", "١٢٣٫٥ "),
        *("成語しりとりをした。", "👩‍👩‍👧 ", "e\u0301", "\u0301\u0301", "supercalifragilistic", "…", "\u00a0", "  "),
        *("\n", "\n\n", "\n# Rules\n", "\n## Leave\n", "\n### \n", "\n- an item\n", "\n١. بند\n"),
        *(
            "\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
            "\n| lonely | row |\n",
            "| x |",
            "\n```\ncode here\n```\n",
            "\n~~~\n",
        ),
    ]
)
PAGES = st.lists(st.lists(PIECES | st.text(max_size=8), max_size=14).map("".join), max_size=4)
SIZES = st.integers(1, 80)
SETTINGS = settings(max_examples=150, deadline=None)


@SETTINGS
@given(PAGES, SIZES, st.data())
def test_a_chunk_is_what_its_spans_say(pages: list[str], size: int, data: st.DataObject):
    chunks = cut_pages(*pages, size=size, overlap=data.draw(st.integers(0, size - 1)))
    for ordinal, chunk in enumerate(chunks):
        assert chunk.id == f"{DOCUMENT.id}:{ordinal}"
        assert (chunk.document_id, chunk.ordinal, chunk.source) == (DOCUMENT.id, ordinal, DOCUMENT.source)
        assert chunk.text.strip()
        assert chunk.embed_text == chunk.text
        assert chunk.text == "\n".join(pages[span.page - 1][span.start : span.end] for span in chunk.spans)
        assert chunk.page == chunk.spans[0].page
        numbers = [span.page for span in chunk.spans]
        assert numbers == sorted(set(numbers))
        assert all(0 <= span.start < span.end <= len(pages[span.page - 1]) for span in chunk.spans)


@SETTINGS
@given(PAGES, SIZES, st.data())
def test_every_character_is_in_a_chunk(pages: list[str], size: int, data: st.DataObject):
    chunks = cut_pages(*pages, size=size, overlap=data.draw(st.integers(0, size - 1)))
    for number, text in enumerate(pages, start=1):
        covered = set()
        for span in _spans(chunks, number):
            covered.update(range(span[0], span[1]))
        assert all(place in covered or text[place].isspace() for place in range(len(text)))


@SETTINGS
@given(PAGES, SIZES)
def test_without_overlap_no_character_is_in_two(pages: list[str], size: int):
    chunks = cut_pages(*pages, size=size)
    for number in range(1, len(pages) + 1):
        spans = _spans(chunks, number)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))


@SETTINGS
@given(PAGES, SIZES, st.data())
def test_chunks_go_forward(pages: list[str], size: int, data: st.DataObject):
    chunks = cut_pages(*pages, size=size, overlap=data.draw(st.integers(0, size - 1)))
    ends = [(chunk.spans[-1].page, chunk.spans[-1].end) for chunk in chunks]
    assert ends == sorted(set(ends))


@SETTINGS
@given(PAGES, SIZES, st.data())
def test_no_chunk_is_larger_than_the_size_but_for_what_cannot_be_cut(pages: list[str], size: int, data: st.DataObject):
    for chunk in cut_pages(*pages, size=size, overlap=data.draw(st.integers(0, size - 1))):
        assert estimate_tokens(chunk.text) <= size or _is_one_line(chunk)


SENTENCES = st.lists(
    st.sampled_from(
        ["The rule holds for everyone.", "It is old!", "Dr. Smith said so.", "هل هي قديمة؟", "تسري القاعدة على الجميع."]
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=3), st.integers(12, 60), st.data())
def test_no_chunk_begins_or_ends_inside_a_sentence(pages: list[list[str]], size: int, data: st.DataObject):
    texts = [" ".join(sentences) for sentences in pages]
    for chunk in cut_pages(*texts, size=size, overlap=data.draw(st.integers(0, size - 1))):
        for span in chunk.spans:
            sentences = split_sentences(texts[span.page - 1])
            assert span.start in {start for start, _ in sentences}
            assert span.end in {end for _, end in sentences}


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="a \u0301\u064e\u200d👩ك,", min_size=1, max_size=200), st.integers(4, 20))
def test_a_cut_never_parts_a_mark_from_its_letter(text: str, size: int):
    for chunk in cut_pages(text, size=size)[1:]:
        first = chunk.text[0]
        run = _run_of_marks(text, chunk.spans[0].start)
        assert unicodedata.category(first)[0] != "M" or text[chunk.spans[0].start - 1].isspace() or run > size


def test_sizes_are_measured_by_the_token_counter():
    assert make_token_counter()("كتاب book") == estimate_tokens("كتاب book")


def _spans(chunks: list[Chunk], number: int) -> list[tuple[int, int]]:
    return [(span.start, span.end) for chunk in chunks for span in chunk.spans if span.page == number]


def _is_one_line(chunk: Chunk) -> bool:
    """A heading or a table row is never cut, whatever its size."""
    text = chunk.text.strip()
    return "\n" not in text and text[0] in "#|"


def _run_of_marks(text: str, position: int) -> int:
    start = position
    while start > 0 and (unicodedata.category(text[start])[0] == "M" or text[start] == "\u200d"):
        start -= 1
    return position - start
