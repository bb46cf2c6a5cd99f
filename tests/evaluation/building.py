"""Answers and examples for the tests."""

from __future__ import annotations

from dalil.models import Answer, Citation, Outcome


def cited(text: str, *quotes: str | tuple[int, str], document: str = "doc") -> Answer:
    """An answer from documents; the quotes are of markers 1, 2, ... unless they bring their own."""
    pairs = [quote if isinstance(quote, tuple) else (number, quote) for number, quote in enumerate(quotes, start=1)]
    return Answer(text, tuple(Citation(marker, f"{document}:0", document, 1, quote) for marker, quote in pairs))


def from_documents(*documents: str) -> Answer:
    """An answer that cites these documents."""
    return Answer("said [1]", tuple(Citation(1, f"{name}:0", name, 1, "said") for name in documents))


def declined(text: str = "I couldn't find an answer to that in your documents.") -> Answer:
    return Answer(text, (), Outcome.NOT_FOUND)
