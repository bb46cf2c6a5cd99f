"""Whatever is written: analysis gives clean tokens and never fails."""

from __future__ import annotations

import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.text import analyze, detect_language, estimate_tokens, normalise, remove_unencodable, token_weight
from dalil.text.analysis import LONGEST_TOKEN

from .strategies import TEXTS


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_tokens_are_clean(text: str):
    for token in analyze(text):
        assert token
        assert not any(character.isspace() for character in token)
        assert len(token) <= LONGEST_TOKEN
        token.encode("utf-8")


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_normalising_twice_changes_nothing(text: str):
    once = normalise(text)
    assert normalise(once) == once


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_normalised_text_has_the_same_tokens(text: str):
    assert analyze(normalise(text)) == analyze(text)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_words_do_not_depend_on_their_neighbours(left: str, right: str):
    assert analyze(f"{left}\n\n{right}") == analyze(left) + analyze(right)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_unencodable_characters_go_and_nothing_else(text: str):
    kept = remove_unencodable(text)
    assert kept == "".join(c for c in text if c != "\x00" and not "\ud800" <= c <= "\udfff")
    assert remove_unencodable(kept) == kept


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_every_text_has_a_language(text: str):
    assert detect_language(text) in ("ar", "en")


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_token_estimates_add_up(left: str, right: str):
    whole, parts = estimate_tokens(left + right), estimate_tokens(left) + estimate_tokens(right)
    assert whole >= max(estimate_tokens(left), estimate_tokens(right))
    assert abs(whole - parts) <= 1
    assert abs(token_weight(left + right) - token_weight(left) - token_weight(right)) < 1e-6


@settings(max_examples=50, deadline=None)
@given(st.text(min_size=1))
def test_token_estimates_are_positive(text: str):
    assert estimate_tokens(text) >= 1
    assert estimate_tokens("") == 0


def test_every_code_point_can_be_analysed():
    everything = (chr(code) for code in range(0, sys.maxunicode + 1, 7))
    for character in everything:
        once = normalise(character)
        assert normalise(once) == once
        assert all(analyze(f"a{character}b"))
