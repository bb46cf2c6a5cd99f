"""The refusal: in the language of the question, and recognised however a model spells it."""

from __future__ import annotations

import pytest

from dalil import NOT_FOUND_MESSAGE
from dalil.text.messages import NOT_FOUND_MESSAGES, is_not_found, may_become_not_found, not_found

ARABIC = NOT_FOUND_MESSAGES["ar"]


def test_in_the_language_of_the_question():
    assert not_found("What is it?") == NOT_FOUND_MESSAGE == NOT_FOUND_MESSAGES["en"]
    assert not_found("ما هو؟") == ARABIC
    assert not_found("") == NOT_FOUND_MESSAGE


@pytest.mark.parametrize(
    "reply",
    [
        NOT_FOUND_MESSAGE,
        ARABIC,
        f"  {NOT_FOUND_MESSAGE}\n",
        NOT_FOUND_MESSAGE.replace("'", "’"),
        NOT_FOUND_MESSAGE.upper(),
        f'"{NOT_FOUND_MESSAGE}"',
        NOT_FOUND_MESSAGE.rstrip("."),
        "لم اجد اجابة عن ذلك فى مستنداتك",
        "لَمْ أجد إجابة عن ذلك في مستنداتك.",
    ],
)
def test_a_refusal_in_any_spelling(reply: str):
    assert is_not_found(reply)
    assert all(may_become_not_found(reply[:end]) for end in range(len(reply) + 1))


@pytest.mark.parametrize("reply", ["", "Paris.", "I couldn't find", f"{NOT_FOUND_MESSAGE} But it is Paris.", "لم أجد"])
def test_no_refusal(reply: str):
    assert not is_not_found(reply)


def test_what_may_still_become_one():
    assert may_become_not_found("")
    assert may_become_not_found("I couldn't")
    assert may_become_not_found("لم")
    assert not may_become_not_found("Paris")
    assert not may_become_not_found(f"{NOT_FOUND_MESSAGE} But")
