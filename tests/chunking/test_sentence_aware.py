"""Whole sentences, wherever the headings are."""

from __future__ import annotations

from itertools import pairwise

from dalil.chunking import SentenceAwareChunker
from dalil.models import Page
from dalil.text import estimate_tokens

from .conftest import DOCUMENT

SENTENCES = [f"Sentence number {number} says something of its own." for number in range(12)]


def sentence_chunks(*texts: str, size: int, overlap: int = 0) -> list[str]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return [chunk.text for chunk in SentenceAwareChunker().chunk(DOCUMENT, pages, size=size, overlap=overlap)]


def test_chunks_hold_whole_sentences():
    texts = sentence_chunks(" ".join(SENTENCES), size=40)
    assert " ".join(texts) == " ".join(SENTENCES)
    assert all(text.endswith("own.") for text in texts)


def test_neighbours_share_whole_sentences():
    for before, after in pairwise(sentence_chunks(" ".join(SENTENCES), size=40, overlap=15)):
        shared = next(sentence for sentence in SENTENCES if after.startswith(sentence))
        assert before.endswith(shared)


def test_nothing_is_shared_where_no_sentence_is_small_enough():
    texts = sentence_chunks(" ".join(SENTENCES), size=40, overlap=5)
    assert " ".join(texts) == " ".join(SENTENCES)


def test_a_heading_does_not_begin_a_chunk():
    assert sentence_chunks("# One\nIt is.\n# Two\nIt was.", size=30) == ["# One\nIt is.\n# Two\nIt was."]


def test_a_sentence_that_runs_over_a_page_stays_whole():
    texts = sentence_chunks("It begins. The rule holds for everyone who works in the", "house. It ends.", size=14)
    assert "The rule holds for everyone who works in the\nhouse." in texts


def test_arabic_sentences():
    text = "تسري القاعدة على الجميع. هل هي قديمة؟ نعم، هي قديمة جدا."
    assert sentence_chunks(text, size=12) == ["تسري القاعدة على الجميع.", "هل هي قديمة؟ نعم، هي قديمة جدا."]


def test_a_sentence_too_large_is_cut_at_a_comma_or_a_space():
    sentence = ", ".join(f"clause {number} of the agreement" for number in range(30)) + "."
    texts = sentence_chunks(sentence, size=40)
    assert " ".join(texts) == sentence
    assert all(estimate_tokens(text) <= 40 for text in texts)
