"""Chunks hold whole sentences; only one that is too large by itself is cut."""

from __future__ import annotations

import time
from itertools import pairwise

from dalil.text import estimate_tokens

from .conftest import Cut

SENTENCE = "Every employee has a right to twenty-two days of paid leave each year."


def test_a_short_document_is_one_chunk(cut: Cut):
    (chunk,) = cut("One is here. Two is here.", size=50)
    assert chunk.text == "One is here. Two is here."


def test_no_pages_no_chunks(cut: Cut):
    assert list(cut()) == []
    assert list(cut("", " \n\t", "\n\n")) == []


def test_empty_pages_are_passed_over(cut: Cut):
    chunks = cut("", "One is here.", "  \n ", "Two is here.", "", size=50)
    assert [chunk.text for chunk in chunks] == ["One is here.\nTwo is here."]
    assert [span.page for span in chunks[0].spans] == [2, 4]


def test_a_sentence_too_large_is_cut_at_a_comma_or_a_space(cut: Cut):
    sentence = ", ".join(f"clause {number} of the agreement" for number in range(30)) + "."
    chunks = cut(sentence, size=40)
    assert len(chunks) > 1
    assert all(estimate_tokens(chunk.text) <= 40 for chunk in chunks)
    assert all(chunk.text[-1] in ",." or chunk.text[-1].isalnum() for chunk in chunks)
    assert " ".join(chunk.text for chunk in chunks) == sentence


def test_text_without_any_gap_is_cut_all_the_same(cut: Cut):
    chunks = cut("x" * 2000, size=50)
    assert all(estimate_tokens(chunk.text) <= 50 for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks) == "x" * 2000


def test_repeated_paragraphs_have_their_own_places(cut: Cut):
    paragraph = "same same same."
    text = "\n\n".join([paragraph] * 12)
    chunks = cut(text, size=10, overlap=4)
    assert all(text[chunk.spans[0].start : chunk.spans[0].end] == chunk.text for chunk in chunks)
    starts = [chunk.spans[0].start for chunk in chunks]
    assert starts == sorted(set(starts))
    assert chunks[-1].spans[0].end == len(text)


def test_many_small_sentences_do_not_add_up_to_more_than_the_size(cut: Cut):
    for chunk in cut(" ".join(["Go on."] * 200), size=40):
        assert estimate_tokens(chunk.text) <= 40


def test_neighbours_share_whole_sentences(cut: Cut):
    sentences = [f"Sentence number {number} says something of its own." for number in range(12)]
    chunks = cut(" ".join(sentences), size=50, overlap=20)
    assert len(chunks) > 2
    for before, after in pairwise(chunks):
        shared = before.text[after.spans[0].start - before.spans[0].start :]
        assert shared in sentences
        assert after.text.startswith(shared)


def test_no_overlap_when_none_is_asked_for(cut: Cut):
    sentences = [f"Sentence number {number} says something of its own." for number in range(12)]
    assert " ".join(chunk.text for chunk in cut(" ".join(sentences), size=50)) == " ".join(sentences)


def test_sections_share_nothing(cut: Cut):
    text = f"# One\n{SENTENCE} {SENTENCE}\n# Two\n{SENTENCE} {SENTENCE}"
    chunks = cut(text, size=45, overlap=20)
    second = next(chunk for chunk in chunks if "# Two" in chunk.text)
    assert second.text.startswith("# Two")
    assert all(not ("# One" in chunk.text and "# Two" in chunk.text) for chunk in chunks)


def test_a_sentence_that_runs_over_a_page_is_kept_in_one_chunk(cut: Cut):
    chunks = cut("It begins. The rule holds for everyone who works in the", "house and the garden. It ends.", size=20)
    joined = next(chunk for chunk in chunks if "works in the" in chunk.text)
    assert joined.text.endswith("works in the\nhouse and the garden.")
    assert [span.page for span in joined.spans] == [1, 2]


def test_an_arabic_sentence_that_runs_over_a_page(cut: Cut):
    chunks = cut("تسري هذه القاعدة على جميع العاملين في", "المنزل والحديقة. وهي قديمة.", size=25)
    assert chunks[0].text.startswith("تسري هذه القاعدة على جميع العاملين في\nالمنزل والحديقة.")


def test_pages_that_never_end_a_sentence_do_not_grow_into_one_chunk(cut: Cut):
    pages = ["words without any stop that go on and on over the page and"] * 20
    for chunk in cut(*pages, size=40, overlap=8):
        assert estimate_tokens(chunk.text) <= 40


def test_a_large_text_without_sentences_is_cut_in_good_time(cut: Cut):
    started = time.perf_counter()
    chunks = cut("كلمة أخرى " * 200_000, size=512, overlap=64)
    assert len(chunks) > 1000
    assert time.perf_counter() - started < 10.0
