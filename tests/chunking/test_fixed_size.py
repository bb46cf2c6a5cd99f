"""Windows of one size: cut between words, through a word only where it is too large, never through a character."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from dalil.chunking import FixedSizeChunker
from dalil.models import Chunk, Page
from dalil.text import estimate_tokens

from .conftest import DOCUMENT

WORDS = " ".join(f"word{number}" for number in range(200))


def windows(*texts: str, size: int, overlap: int = 0) -> Sequence[Chunk]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return FixedSizeChunker().chunk(DOCUMENT, pages, size=size, overlap=overlap)


def test_windows_are_full_and_hold_whole_words():
    chunks = windows(WORDS, size=20)
    assert " ".join(chunk.text for chunk in chunks) == WORDS
    assert all(18 <= estimate_tokens(chunk.text) <= 20 for chunk in chunks[:-1])


def test_neighbours_share_about_the_overlap():
    for before, after in pairwise(windows(WORDS, size=20, overlap=8)):
        shared = before.text[after.spans[0].start - before.spans[0].start :]
        assert after.text.startswith(shared)
        assert shared.startswith("word")
        assert 6 <= estimate_tokens(shared) <= 8


def test_structure_is_not_looked_at():
    (chunk,) = windows("# One\nA sentence.\n# Two\nAnother.", size=50)
    assert chunk.text == "# One\nA sentence.\n# Two\nAnother."
    assert chunk.metadata["headings"] == ["One"]


def test_a_window_may_cross_a_page():
    chunk = windows("It begins here", "and ends here.", size=20)[0]
    assert chunk.text == "It begins here\nand ends here."
    assert [span.page for span in chunk.spans] == [1, 2]


def test_a_word_that_fits_is_not_cut():
    assert [chunk.text for chunk in windows("a tiny one supercalifragilistic", size=5)] == [
        "a tiny one",
        "supercalifragilistic",
    ]


def test_a_word_too_large_is_cut_and_shared():
    chunks = windows("ab" * 300, size=20, overlap=5)
    assert all(estimate_tokens(chunk.text) <= 20 for chunk in chunks)
    for before, after in pairwise(chunks):
        assert 4 <= estimate_tokens(before.text[after.spans[0].start - before.spans[0].start :]) <= 5


@pytest.mark.parametrize(
    "character", ["👩‍👩‍👧", "🇪🇬", "👍🏽", "e\u0301", "مُّ", "1\ufe0f\u20e3", "🏴\U000e0067\U000e0062\U000e007f"]
)
@pytest.mark.parametrize("overlap", [0, 3])
def test_what_is_seen_as_one_character_is_never_cut(character: str, overlap: int):
    for chunk in windows(character * 60, size=7, overlap=overlap):
        assert chunk.text == character * (len(chunk.text) // len(character))


def test_a_character_larger_than_the_size_is_cut_all_the_same():
    chunks = windows("e" + "\u0301" * 100, size=4)
    assert "".join(chunk.text for chunk in chunks) == "e" + "\u0301" * 100


def test_nothing_is_shared_where_the_last_word_is_larger_than_the_overlap():
    text = " ".join(["supercalifragilistic"] * 20)
    assert {chunk.text for chunk in windows(text, size=12, overlap=3)} == {"supercalifragilistic supercalifragilistic"}
