"""Filling a prompt: the caller's own template, or the last resort where prompt routing is off."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dalil.errors import PromptError

PromptInput = Any | Callable[[str, str], str] | str
"""A template with `format`, a function of (context, question), or a string with {context} and {question}."""

_FIELD = re.compile(r"\{(context|question|query)\}")
_ARABIC = re.compile("[\u0600-\u06ff]")

_FALLBACK = {
    "en": (
        "Answer the question from the information below and from nothing else. "
        "If it does not hold the answer, say so. Write in English.\n\n"
        "Information:\n{context}\n\nQuestion: {question}\n\nAnswer:"
    ),
    "ar": (
        "أجب عن السؤال من المعلومات الآتية وحدها. "
        "إذا لم تكن الإجابة فيها فقل ذلك. اكتب بالعربية.\n\n"
        "المعلومات:\n{context}\n\nالسؤال: {question}\n\nالإجابة:"
    ),
}


def custom_prompt(template: Any, context: str, question: str) -> str | None:
    """The caller's own prompt, filled; None for something that is no prompt.

    A template may call its second field `question` or `query`. In a string, braces that are no such field stay.

    Raises:
        PromptError: if a template takes neither.
        Exception: whatever else a template or a function raises.
    """
    if hasattr(template, "format"):
        try:
            return _formatted(template, context, question)
        except (PromptError, ValueError, IndexError, AttributeError):
            if not isinstance(template, str):
                raise
            values = {"context": context, "question": question, "query": question}
            return _FIELD.sub(lambda field: values[field[1]], template)
    if callable(template):
        prompt: str = template(context, question)
        return prompt
    return None


def _formatted(template: Any, context: str, question: str) -> str:
    prompt: str
    try:
        prompt = template.format(context=context, question=question)
    except (KeyError, TypeError) as error:
        try:
            prompt = template.format(context=context, query=question)
        except (KeyError, TypeError):
            raise PromptError(f"The prompt template cannot be filled: {error!r}.") from error
    return prompt


def has_arabic(text: str) -> bool:
    """Whether any character of `text` lies in U+0600 to U+06FF."""
    return _ARABIC.search(text) is not None


def fallback_prompt(question: str, context: str, language: str) -> str:
    """The plain prompt in Arabic for "ar", in English for everything else."""
    return _FALLBACK["ar" if language == "ar" else "en"].format(context=context, question=question)
