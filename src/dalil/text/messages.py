"""What dalil itself says, in the language of the question."""

from __future__ import annotations

import re

from dalil.text.languages import detect_language
from dalil.text.normalizing import normalise

NOT_FOUND_MESSAGE = "I couldn't find an answer to that in your documents."
"""Returned verbatim when the documents cannot support an answer to an English question."""

NOT_FOUND_MESSAGES = {"en": NOT_FOUND_MESSAGE, "ar": "لم أجد إجابة عن ذلك في مستنداتك."}


def not_found(question: str) -> str:
    """The not-found message in the language of `question`."""
    return NOT_FOUND_MESSAGES[detect_language(question)]


_MARKER = re.compile(r"\[\s*\d+\s*\]")


def _plain(text: str) -> str:
    return "".join(character for character in normalise(_MARKER.sub("", text)) if character.isalnum())


_DECLINES = tuple(_plain(message) for message in NOT_FOUND_MESSAGES.values())


def is_not_found(text: str) -> bool:
    """Whether a model's whole reply is the not-found message, give or take spelling, punctuation and markers."""
    return _plain(text) in _DECLINES


def may_become_not_found(text: str) -> bool:
    """Whether a reply that begins with `text` could still turn out to be the not-found message."""
    begun = _plain(text)
    return any(message.startswith(begun) for message in _DECLINES)
