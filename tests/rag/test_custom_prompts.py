"""Which prompt is used: the caller's own, the router's, or the built-in one."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import PromptError
from dalil.rag.routing import PromptRouter
from dalil.rag.system import RAGSystem
from tests.rag.conftest import build_system


@dataclass
class QuestionTemplate:
    template: str

    def format(self, context: str, question: str) -> str:
        return self.template.format(context=context, question=question)


class QueryTemplate:
    def format(self, context: str, query: str) -> str:
        return f"{context}|{query}"


class KeyTemplate:
    """Looks its field up by the name `query`."""

    def format(self, **fields: str) -> str:
        return fields["query"] + fields["context"]


class CallableTemplate(QueryTemplate):
    def __call__(self, context: str, question: str) -> str:
        raise AssertionError("format comes first")


def resolve(prompt: Any, **changes: Any) -> str:
    return build_system(prompt=prompt, **changes)._resolve_prompt("Q", "C")


def test_format_is_called_with_context_and_question():
    assert resolve(QuestionTemplate("{context}/{question}")) == "C/Q"


def test_format_is_called_with_query_where_question_is_not_known():
    assert resolve(QueryTemplate()) == "C|Q"
    assert resolve(KeyTemplate()) == "QC"


def test_format_comes_before_calling():
    assert resolve(CallableTemplate()) == "C|Q"


def test_a_template_that_fails_both_ways_is_a_prompt_error():
    with pytest.raises(PromptError, match="other") as caught:
        resolve(QuestionTemplate("{other}"))
    assert isinstance(caught.value.__cause__, KeyError)


def test_another_error_of_a_template_is_not_tried_again():
    class Failing:
        calls = 0

        def format(self, **fields: str) -> str:
            self.calls += 1
            raise ValueError("no")

    template = Failing()
    with pytest.raises(ValueError, match="no"):
        resolve(template)
    assert template.calls == 1


def test_a_function_is_called_with_context_and_question():
    assert resolve(lambda context, question: f"{question} from {context}") == "Q from C"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{context}/{question}", "C/Q"),
        ("{context}/{query}", "C/Q"),
        ("{question} {query} {context}", "Q Q C"),
        ("no fields", "no fields"),
        ("", ""),
        ("escaped {{context}} {context}", "escaped {context} C"),
        ('as JSON: {"answer": "..."} {context} {question}', 'as JSON: {"answer": "..."} C Q'),
        ("{} {0} {context}", "{} {0} C"),
        ("{ {question}", "{ Q"),
        ("} {query}", "} Q"),
        ("{context.missing} {context}", "{context.missing} C"),
        ("{other} {question}", "{other} Q"),
    ],
)
def test_a_string_is_filled_and_its_other_braces_stay(template: str, expected: str):
    assert resolve(template) == expected


@given(st.text(alphabet="{}contexqury :!0.[]ab", max_size=30))
def test_no_string_breaks_a_prompt(template: str):
    assert isinstance(resolve(template), str)


@given(st.text(), st.text())
def test_braces_in_the_values_are_only_text(context: str, question: str):
    system = build_system(prompt='{"x"} {context}|{question}')
    assert system._resolve_prompt(question, context) == '{"x"} ' + f"{context}|{question}"


@pytest.mark.parametrize("routing", [True, False])
def test_what_is_no_prompt_is_warned_about_and_passed_over(routing: bool, caplog: pytest.LogCaptureFixture):
    prompt = resolve(42, enable_prompt_routing=routing)
    assert "C" in prompt
    assert "Q" in prompt
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_custom_prompt_comes_before_the_router():
    system = build_system()
    system._custom_prompt = "mine"
    assert system.prompt_router is not None
    assert system._resolve_prompt("Q", "C") == "mine"


def test_the_router_builds_the_prompt():
    system = build_system(include_few_shot=False)
    expected = PromptRouter(include_few_shot=False).build(query="What is Q?", context="C", language="ar")
    assert system._resolve_prompt("What is Q?", "C", "ar") == expected
    assert system._resolve_prompt("What is Q?", "C") != expected


def test_language_and_kind_of_question_are_logged_for_the_router(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG, "dalil.rag"):
        system._resolve_prompt("How do I apply for leave?", "C")
    (message,) = [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG]
    assert "en" in message
    assert "procedural" in message.lower()


def test_without_router_and_custom_prompt_the_built_in_one_is_used():
    system = build_system(enable_prompt_routing=False)
    assert system._resolve_prompt("What is Q?", "C") == system._build_prompt("What is Q?", "C", "en")
    assert system._resolve_prompt("ما Q", "C") == system._build_prompt("ما Q", "C", "ar")
    assert system._resolve_prompt("What is Q?", "C", "ar") == system._build_prompt("What is Q?", "C", "ar")


@pytest.mark.parametrize(("language", "cues"), [("ar", ("السؤال", "الإجابة")), ("en", ("Question", "Answer"))])
def test_the_built_in_prompt_has_instructions_context_and_question_in_its_language(
    system: RAGSystem, language: str, cues: tuple[str, str]
):
    prompt = system._build_prompt("{q}?", "{c}", language)
    assert "{q}?" in prompt
    assert "{c}" in prompt
    assert all(cue in prompt for cue in cues)
    assert prompt != PromptRouter().build(query="{q}?", context="{c}", language=language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is سياسة doing in this long English sentence?", "ar"),
        ("؟", "ar"),
        ("\u0600", "ar"),
        ("\u06ff", "ar"),
        ("\u05ff", "en"),
        ("\u0700", "en"),
        ("\ufe8e", "en"),
        ("hello", "en"),
        ("", "en"),
    ],
)
def test_one_arabic_character_makes_a_text_arabic(system: RAGSystem, text: str, language: str):
    assert system._detect_language_simple(text) == language


def test_set_prompt_replaces_the_router(system: RAGSystem):
    template = QuestionTemplate("{context}/{question}")
    system.set_prompt(template)
    assert system._custom_prompt is template
    assert system.prompt_router is None
    assert system._resolve_prompt("Q", "C") == "C/Q"


def test_set_prompt_none_brings_the_router_back():
    system = build_system(prompt="mine", include_few_shot=False)
    system.set_prompt(None)
    assert system._custom_prompt is None
    assert isinstance(system.prompt_router, PromptRouter)
    assert system.prompt_router.include_few_shot is False


def test_set_prompt_none_leaves_routing_off_where_the_config_says_so():
    system = build_system(prompt="mine", enable_prompt_routing=False)
    system.set_prompt(None)
    assert system.prompt_router is None
    assert system._resolve_prompt("Q", "C") == system._build_prompt("Q", "C", "en")
