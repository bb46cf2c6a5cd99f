"""Prompts are strings that carry what they were made from."""

from __future__ import annotations

import pytest

from dalil.answering.evidence import edges_first
from dalil.answering.prompts import answer_prompt, conversation_prompt
from dalil.text.messages import NOT_FOUND_MESSAGES

from .conftest import chunk_of, sources

BRACES = "Use {x}, {{y}}, {0}, {question} and %s in f'{z!r:>{w}}'"


def test_a_prompt_is_a_string_with_its_question_and_evidence():
    evidence = sources("Paris is the capital.", "Rome is not.")
    prompt = answer_prompt("What is the capital?", evidence)
    assert isinstance(prompt, str)
    assert (prompt.kind, prompt.question, prompt.evidence, prompt.language) == (
        "answer",
        "What is the capital?",
        evidence,
        "en",
    )
    for piece in ("What is the capital?", "[1] d0.txt\nParis is the capital.", "[2] d1.txt\nRome is not."):
        assert piece in prompt
    assert NOT_FOUND_MESSAGES["en"] in prompt


def test_a_prompt_for_an_arabic_question_is_arabic():
    prompt = answer_prompt("ما العاصمة؟", sources("Paris is the capital."))
    assert prompt.language == "ar"
    assert "السؤال: ما العاصمة؟" in prompt
    assert NOT_FOUND_MESSAGES["ar"] in prompt


@pytest.mark.parametrize("question", [BRACES, f"ما معنى {BRACES} في النص العربي الذي أمامنا الآن وفي كل مكان آخر؟"])
def test_braces_stay_as_they_are(question: str):
    prompt = answer_prompt(question, sources(f"Code: {BRACES}"))
    assert f"Code: {BRACES}" in prompt
    assert question in prompt
    assert BRACES in conversation_prompt(BRACES)


def test_a_conversation_carries_no_evidence():
    prompt = conversation_prompt("مرحبا")
    assert (prompt.kind, prompt.question, prompt.evidence, prompt.language) == ("conversation", "مرحبا", (), "ar")


def test_a_source_says_where_it_stands():
    chunk = chunk_of("| 1 | 2 |", title="Handbook", headings=["Leave", "Table"], table_header="| a | b |\n|---|---|")
    assert "[1] Handbook > Leave > Table\n| a | b |\n|---|---|\n| 1 | 2 |" in answer_prompt("q", sources(chunk))


def test_the_best_sources_stand_at_the_edges():
    evidence = sources("one", "two", "three", "four", "five")
    assert [item.marker for item in edges_first(evidence)] == [1, 3, 5, 4, 2]
    prompt = answer_prompt("q", evidence)
    places = [prompt.index(f"[{marker}] d") for marker in (1, 3, 5, 4, 2)]
    assert places == sorted(places)
    assert edges_first(()) == []
