"""A greeting is answered kindly; a question is never taken for one."""

from __future__ import annotations

import pytest

from dalil import is_small_talk
from dalil.answering.smalltalk import SMALL_TALK, normalise, small_talk_reply
from dalil.text import detect_language


@pytest.mark.parametrize(
    "message",
    [
        *("Hello", "hi!", "HELLO!!!", "  hey there  ", "Thanks.", "thank you so much", "What's up?", "What’s up?"),
        *("Good morning", "bye", "who are you?", "What can you do?", "ok", "How are you?", "Hello, how are you?"),
        *(
            "مرحبا",
            "مَرْحَبًا!",
            "أهلا",
            "اهلا",
            "السلام عليكم",
            "شكرا جزيلا",
            "شكراً",
            "مع السلامة",
            "من أنت؟",
            "كيف حالك؟",
        ),
        *("ماذا تستطيع أن تفعل؟", "مرحبـــا"),
    ],
)
def test_small_talk(message: str):
    assert is_small_talk(message)
    assert small_talk_reply(message)


@pytest.mark.parametrize(
    "message",
    [
        *("hello, how many days of leave do I get?", "hi there what is the leave policy", "thanks, and sick leave?"),
        *("who are you insured with?", "help with leave", "What is the good morning allowance?"),
        *(
            "مرحبا، كم يوم إجازة لي؟",
            "شكرا، وماذا عن الإجازة المرضية؟",
            "السلام عليكم ما هي السياسة",
            "من أنت تابع له؟",
        ),
        *("", " ", "?", "42", "hellos", "xhello"),
    ],
)
def test_a_question(message: str):
    assert not is_small_talk(message)


@pytest.mark.parametrize(("message", "language"), [("Hello", "en"), ("thanks", "en"), ("مرحبا", "ar"), ("شكرا", "ar")])
def test_replies_are_in_the_language_of_the_message(message: str, language: str):
    assert detect_language(small_talk_reply(message)) == language


def test_phrases_are_kept_normalised():
    assert all(normalise(phrase) == phrase and is_small_talk(phrase) for phrase in SMALL_TALK)
    assert normalise("  What's UP?! ") == "whats up"
