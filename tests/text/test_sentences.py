"""Sentences are exact spans: none is lost, none overlaps, and none ends inside an abbreviation."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from dalil.models import Chunk, Span
from dalil.text import sentences_of, split_sentences

from .strategies import TEXTS


def split(text: str, joins: tuple[int, ...] = ()) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text, joins)]


def check_spans(text: str, spans: list[tuple[int, int]]) -> None:
    covered = [0] * len(text)
    position = 0
    for start, end in spans:
        assert position <= start < end <= len(text)
        assert not text[start].isspace()
        assert not text[end - 1].isspace()
        position = end
        for place in range(start, end):
            covered[place] += 1
    for character, times in zip(text, covered, strict=True):
        assert times <= 1
        assert times == 1 or character.isspace()


@settings(max_examples=250, deadline=None)
@given(TEXTS)
def test_every_character_lies_in_one_sentence(text: str):
    check_spans(text, split_sentences(text))


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_and_so_it_does_across_pages(first: str, second: str, third: str):
    text = f"{first}\n{second}\n{third}"
    joins = (len(first) + 1, len(first) + len(second) + 2)
    check_spans(text, split_sentences(text, joins))


@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Smith met Prof. Jones at noon.",
        "Bring e.g. Paper or pens.",
        "The U.S. Army left.",
        "It was written by J. R. R. Tolkien in English.",
        "It costs 3.14 dollars, not 1.0.21.",
        "See Fig. 3 and No. 7 for more.",
        "It happened on Sat. 5 March.",
        "جاء د. أحمد إلى المكتب.",
        "انظر ص. 15 من الكتاب.",
        "Use node.js or C++ here.",
        "A line that is\nwrapped by its page.",
        "Wait... what is this?",
        "Visit example.com today.",
    ],
)
def test_left_whole(sentence: str):
    assert split(sentence) == [sentence]
    assert split(f"{sentence} Then it ended.") == [sentence, "Then it ended."]


@pytest.mark.parametrize(
    "sentences",
    [
        ["It rained.", "We left."],
        ["هل جاء؟", "نعم، جاء.", "ثم ذهب."],
        ["قرأ الكتاب؛", "ثم كتب."],
        ["یہ پہلا جملہ ہے۔", "یہ دوسرا ہے۔"],
        ["He waited…", "Nothing came."],
        ['He said "stop."', "Then he left."],
        ["قال «قف.»", "ثم ذهب."],
        ["(It was late.)", "We slept."],
        ["**It is bold.**", "It is not."],
        ["Really?!", "Yes!"],
        ["Is it allowed?", "No.", "You must ask."],
        ["We left at 5 p.m.", "Then it rained."],
        ["The cat sat.", "The dog ran."],
        ["It was built in 2020.", "It fell in 2021."],
    ],
)
def test_sentences_end_where_they_end(sentences: list[str]):
    assert split(" ".join(sentences)) == sentences


def test_scripts_without_spaces_need_no_gap():
    assert split("これは本です。それは何？はい。") == ["これは本です。", "それは何？", "はい。"]


def test_items_and_headings_and_rows_stand_alone():
    text = "# Rules\nIntroduction\n- first\n- second\n1. one\n2) two\n| a | b |\n|---|---|\n| 1 | 2 |\n## Next\nText."
    assert split(text) == text.split("\n")


def test_a_numbered_heading_is_one_piece():
    assert split("# 2. Scope. And more\nText. More.") == ["# 2. Scope. And more", "Text.", "More."]
    assert split("## ١. النطاق\nنص.") == ["## ١. النطاق", "نص."]


def test_arabic_items():
    text = "القواعد\n- أولا\n- ثانيا\n١. واحد\n٢. اثنان"
    assert split(text) == text.split("\n")


def test_a_blank_line_ends_a_sentence():
    assert split("no stop here\n\nanother one\n \t\nand a third") == ["no stop here", "another one", "and a third"]


@pytest.mark.parametrize("text", ["", " \n\t ", "\u00a0", "\f"])
def test_nothing_to_say(text: str):
    assert split_sentences(text) == []


OPEN = "The rule holds for everyone who works in the"


@pytest.mark.parametrize(
    ("before", "after", "runs_on"),
    [
        (OPEN, "house and the garden. It is old.", True),
        ("تسري هذه القاعدة على جميع العاملين في", "المنزل والحديقة. وهي قديمة.", True),
        (f"{OPEN} house.", "and the garden.", False),
        (OPEN, "# Heading", False),
        (OPEN, "- an item", False),
        (OPEN, "Another sentence.", False),
        (OPEN, "12 is a page number", False),
        ("Short line", "and more.", False),
        ("- an item that is rather long and has no stop", "and more.", False),
        ("| a row | of a table which is long enough |", "and more.", False),
    ],
)
def test_a_sentence_ends_with_its_page_unless_it_visibly_runs_on(before: str, after: str, runs_on: bool):
    text = f"{before}\n{after}"
    found = split(text, (len(before) + 1,))
    assert (f"{before}\n" in "".join(f"{sentence}|" for sentence in found)) is runs_on
    if not runs_on:
        assert found[0] == before


def test_the_sentences_of_a_chunk_know_its_pages():
    pages = {1: f"It begins. {OPEN}", 2: "house. A title", 3: "Another page"}
    spans = tuple(Span(number, 0, len(text)) for number, text in pages.items())
    chunk = Chunk("d:0", "d", "\n".join(pages.values()), 1, 0, spans=spans)
    assert [chunk.text[start:end] for start, end in sentences_of(chunk)] == [
        "It begins.",
        f"{OPEN}\nhouse.",
        "A title",
        "Another page",
    ]


def test_a_chunk_without_spans_has_sentences_too():
    chunk = Chunk("d:0", "d", "One is here. Two is here.", 1, 0)
    assert [chunk.text[start:end] for start, end in sentences_of(chunk)] == ["One is here.", "Two is here."]


@pytest.mark.parametrize("run", [".", " ", "\n", "'", "…", "-", "|", "a.", "\u0301"])
def test_a_long_run_of_anything_is_split_quickly(run: str):
    text = "a" + run * 50_000 + "b"
    started = time.perf_counter()
    check_spans(text, split_sentences(text))
    assert time.perf_counter() - started < 2.0
