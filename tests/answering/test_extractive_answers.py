"""The answerer without a model says what the documents say, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.answering.extractive import ExtractiveAnswerer, SentenceWeights
from dalil.answering.prompts import answer_prompt, conversation_prompt
from dalil.errors import ConfigurationError
from dalil.models import PageImage
from dalil.text import detect_language
from dalil.text.messages import NOT_FOUND_MESSAGE, NOT_FOUND_MESSAGES

from .conftest import chunk_of, sources


def shown_markers(text: str) -> list[int]:
    """The numbers in brackets that a reader sees."""
    return [int(number) for number in re.findall(r"\[\s*(\d+)\s*\]", text)]


async def answer(question: str, *texts: str, **options) -> str:
    prompt = answer_prompt(question, sources(*texts, question=question))
    return "".join([fragment async for fragment in ExtractiveAnswerer(**options).generate(prompt)])


async def test_the_best_sentence_with_its_marker():
    said = await answer("When do unused days expire?", "Leave is long. Unused days expire in March.", sentences=1)
    assert said == "Unused days expire in March. [1]"


async def test_in_arabic():
    said = await answer(
        "متى تنتهي الأيام غير المستعملة؟", "الإجازة طويلة. تنتهي الأيام غير المستعملة في مارس.", sentences=1
    )
    assert said == "تنتهي الأيام غير المستعملة في مارس. [1]"


async def test_at_most_two_sentences_in_the_order_of_their_source():
    said = await answer("unused days expire", "Days expire. Nothing here. Unused days expire in March.")
    assert said == "Days expire. [1] Unused days expire in March. [1]"


async def test_a_sentence_far_weaker_than_the_best_is_not_said():
    texts = ("Unused days expire in March. Days are long.", "Penguins breed.")
    said = await answer("When do unused days expire?", *texts, weights=SentenceWeights(margin=0.4))
    assert said == "Unused days expire in March. [1]"
    assert "long" in await answer("When do unused days expire?", *texts, weights=SentenceWeights(margin=0.9))


async def test_at_most_eighty_words():
    long = " ".join(["unused days expire"] * 20) + "."
    said = await answer("unused days expire", f"{long} Again {long}")
    assert len(re.sub(r"\[\d+\]", "", said).split()) <= 80


async def test_not_even_when_one_sentence_is_longer():
    said = await answer("unused days expire", " ".join(["unused days expire"] * 40) + ".")
    assert len(re.sub(r"\[\d+\]", "", said).split()) <= 80


async def test_brackets_of_the_document_are_no_markers():
    said = await answer(
        "When was the tower built?", "The tower was built in 1889 [2].", "Bridges are long.", sentences=1
    )
    assert shown_markers(said) == [1]


async def test_headings_and_rules_are_never_quoted():
    text = "# Unused days\n\n## Unused days expire\n\n| Unused | days |\n|---|---|\n| expire | March |"
    said = await answer("When do unused days expire?", text)
    assert "#" not in said
    assert "--" not in said
    assert "expire | March [1]" in said
    assert await answer("Unused days?", "# Unused days") == NOT_FOUND_MESSAGE
    assert await answer("Unused days?", "|---|---|") == NOT_FOUND_MESSAGE


async def test_bullets_are_left_out():
    assert await answer("unused days", "- Unused days expire.\n- Else.", sentences=1) == "Unused days expire. [1]"


async def test_the_same_sentence_is_said_once():
    said = await answer("unused days expire", "Unused days expire.", "Unused  days\nexpire.")
    assert said == "Unused days expire. [1]"


async def test_without_evidence_there_is_no_answer():
    assert await answer("What is it?") == NOT_FOUND_MESSAGE
    assert await answer("ما هو؟") == NOT_FOUND_MESSAGES["ar"]


@pytest.mark.parametrize("message", ["Hello", "مرحبا", "شكرا", "what can you do?", "Bye"])
async def test_conversation_in_the_language_of_the_message(message: str):
    fragments = [fragment async for fragment in ExtractiveAnswerer().generate(conversation_prompt(message))]
    assert len(fragments) > 1
    assert detect_language("".join(fragments)) == detect_language(message)


async def test_a_plain_string_is_refused():
    with pytest.raises(ConfigurationError, match="free prompts"):
        [fragment async for fragment in ExtractiveAnswerer().generate("Say something.")]


@pytest.mark.parametrize("options", [{"sentences": 0}, {"words": 0}])
def test_limits_must_be_positive(options: dict[str, int]):
    with pytest.raises(ConfigurationError):
        ExtractiveAnswerer(**options)


async def test_pictures_are_not_read():
    assert await ExtractiveAnswerer().transcribe(PageImage("p", b"...")) == ""


TEXTS = st.lists(
    st.sampled_from(
        ["Unused days expire. ", "Leave is long! ", "تنتهي الأيام. ", "# Title\n", "- item\n", "| a | b |\n", "|---|\n"]
    ),
    max_size=8,
).map("".join)


@settings(max_examples=100, deadline=None)
@given(st.lists(TEXTS, max_size=4))
async def test_every_word_is_from_the_documents(texts: list[str]):
    said = await answer("unused days leave", *texts)
    if said == NOT_FOUND_MESSAGE:
        return
    pieces = re.findall(r"(.+?) \[(\d+)\]\s*", said)
    assert 1 <= len(pieces) <= 2
    assert len({piece for piece, _ in pieces}) == len(pieces)
    for piece, marker in pieces:
        assert piece in " ".join(texts[int(marker) - 1].split())
        assert not piece.startswith("#")


async def test_the_passage_that_was_ranked_first_is_preferred():
    prompt = answer_prompt("tea", sources(chunk_of("Tea here.", ordinal=0), chunk_of("Tea there.", ordinal=1)))
    said = "".join([fragment async for fragment in ExtractiveAnswerer(sentences=1).generate(prompt)])
    assert said == "Tea here. [1]"
