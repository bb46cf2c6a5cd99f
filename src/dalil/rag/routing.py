"""A prompt that suits the question: its language, and what kind of answer it asks for."""

from __future__ import annotations

import re

from dalil.errors import ConfigurationError
from dalil.rag.question_types import QuestionType, type_of
from dalil.rag.routing_templates import TEMPLATES

__all__ = ["PromptRouter", "QuestionType"]

_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff]")
_ARABIC_ABOVE = 0.25


class PromptRouter:
    """Builds prompts in Arabic and English for eight kinds of question. Any number of threads may use it.

    Args:
        include_few_shot: whether prompts show one worked example of the question's kind.
    """

    def __init__(self, include_few_shot: bool = True) -> None:
        self.include_few_shot = include_few_shot

    def detect_language(self, text: str) -> str:
        """`"ar"` for a text that is empty, or more than 25 % Arabic by its non-space characters; else `"en"`."""
        shown = "".join(text.split())
        return "ar" if not shown or len(_ARABIC.findall(shown)) / len(shown) > _ARABIC_ABOVE else "en"

    def detect_question_type(self, query: str, language: str | None = None) -> QuestionType:
        """What kind of answer `query` asks for, by its words; GENERAL where they do not tell.

        Args:
            query: the question.
            language: "ar" or "en": whose words to look for. None: the question's own language first, then the other.

        Raises:
            ConfigurationError: for another language.
        """
        if language is not None:
            return type_of(query, _known(language))
        own = self.detect_language(query)
        found = type_of(query, own)
        return found if found is not QuestionType.GENERAL else type_of(query, "en" if own == "ar" else "ar")

    def build(
        self,
        query: str,
        context: str,
        language: str | None = None,
        question_type: QuestionType | str | None = None,
    ) -> str:
        """The prompt: role, instruction, rules, example, context, question, and a cue for the answer.

        Args:
            query: the question.
            context: what the answer may rest on. Shown as it is, like the question: braces mean nothing.
            language: "ar" or "en", of the prompt and of the answer. None: the question's.
            question_type: a QuestionType or its string value. None: as detected.

        Raises:
            ConfigurationError: for another language or question type.
        """
        template = TEMPLATES[self.detect_language(query) if language is None else _known(language)]
        if question_type is None:
            kind = self.detect_question_type(query, language)
        elif question_type in list(QuestionType):
            kind = QuestionType(question_type)
        else:
            raise ConfigurationError(f"question_type must be one of {', '.join(QuestionType)}, not {question_type!r}.")
        rules = "\n".join(f"- {rule}" for rule in template.rules)
        parts = [f"{template.role} {template.instructions[kind]}", f"{template.rules_label}:\n{rules}"]
        if self.include_few_shot:
            example = template.examples[kind]
            parts += [
                f"{template.example_label}:\n{template.context_label}:\n{example.context}\n"
                f"{template.question_label}: {example.question}\n{template.answer_label}: {example.answer}",
                template.example_end,
            ]
        parts += [
            f"{template.context_label}:\n{context}",
            f"{template.question_label}: {query}",
            f"{template.answer_label}:",
        ]
        return "\n\n".join(parts)


def _known(language: str) -> str:
    if language not in TEMPLATES:
        raise ConfigurationError(f"language must be one of {', '.join(TEMPLATES)}, not {language!r}.")
    return language
