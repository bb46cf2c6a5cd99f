"""QueryExpander: the model first, the synonym table behind it, and never an error."""

from __future__ import annotations

import inspect
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given

from dalil.errors import QueryExpansionError
from dalil.rag.expansion import (
    QueryExpander,
    _build_multi_keyword_variants,
    _build_synonym_variants,
    _detect_language,
    _parse_llm_variants,
)
from tests.text.strategies import TEXTS

UNKNOWN = "xyzzy plugh"  # no word of it is in the table


class Model:
    """Says what it is told to, and remembers how it was asked."""

    def __init__(self, reply: Any):
        self.reply = reply
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def generate(self, prompt: str, **options: Any) -> Any:
        self.calls.append((prompt, options))
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


class AsyncModel(Model):
    async def generate(self, prompt: str, **options: Any) -> Any:
        return super().generate(prompt, **options)


def test_the_signature_and_its_defaults():
    parameters = inspect.signature(QueryExpander).parameters
    assert {name: parameter.default for name, parameter in parameters.items()} == {
        "llm": None,
        "max_variants": 3,
        "use_llm": True,
        "fallback_synonyms": True,
        "multi_keyword": False,
    }
    assert parameters["multi_keyword"].kind is inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("query", ["", "  ", "\n\t"])
def test_an_empty_query_comes_back_unchanged_and_asks_nobody(query: str):
    model = Model("other")
    assert QueryExpander(model).expand(query) == [query]
    assert model.calls == []


@pytest.mark.parametrize(
    ("llm", "use_llm", "wanted"), [(None, True, False), (None, False, False), (Model(""), True, True)]
)
def test_use_llm_needs_a_model(llm: Any, use_llm: bool, wanted: bool):
    assert QueryExpander(llm, use_llm=use_llm).use_llm is wanted


def test_a_model_that_is_switched_off_is_not_asked():
    model = Model("telephone no.")
    assert QueryExpander(model, use_llm=False).expand(UNKNOWN) == [UNKNOWN]
    assert model.calls == []


def test_the_model_is_asked_with_its_two_settings_and_answers_first():
    model = Model("first way\nsecond way")
    assert QueryExpander(model).expand(UNKNOWN) == [UNKNOWN, "first way", "second way"]
    ((prompt, options),) = model.calls
    assert UNKNOWN in prompt
    assert options == {"max_tokens": 300, "temperature": 0.3}


def test_an_asynchronous_model_works_too():
    assert QueryExpander(AsyncModel("first way")).expand(UNKNOWN) == [UNKNOWN, "first way"]


async def test_an_asynchronous_model_works_inside_a_running_loop():
    assert QueryExpander(AsyncModel("first way")).expand(UNKNOWN) == [UNKNOWN, "first way"]


@pytest.mark.parametrize(("query", "words"), [("كم رقم المكتب؟", "السؤال"), ("What is the number?", "Question")])
def test_the_prompt_is_in_the_language_of_the_question(query: str, words: str):
    model = Model("")
    QueryExpander(model).expand(query)
    prompt = model.calls[0][0]
    assert words in prompt
    assert "3 to 4" in prompt or "ثلاث أو أربع" in prompt
    assert "per line" in prompt or "سطر" in prompt
    assert "without numbers" in prompt or "دون ترقيم" in prompt


@pytest.mark.parametrize("query", ["what is {x}?", "{query}", "{", "}", "{0} {{}}", "ما هو {س}؟"])
def test_braces_in_the_question_reach_the_model_as_they_are(query: str):
    model = Model("another way")
    assert QueryExpander(model).expand(query) == [query, "another way"]
    assert query in model.calls[0][0]


@pytest.mark.parametrize("model", [Model(TimeoutError("slow")), AsyncModel(TimeoutError("slow")), object()])
def test_a_failing_model_leaves_the_table(model: Any, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING, "dalil.rag"):
        assert QueryExpander(model).expand("phone number") == QueryExpander().expand("phone number")
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@pytest.mark.parametrize("reply", [None, 7, b"bytes", ["a", "b"]])
def test_a_model_that_says_no_text_has_failed(reply: Any):
    assert QueryExpander(Model(reply)).expand("phone number") == QueryExpander().expand("phone number")


def test_a_failing_model_without_the_table_leaves_the_question():
    assert QueryExpander(Model(TimeoutError()), fallback_synonyms=False).expand("phone number") == ["phone number"]


def test_the_model_alone_raises_an_expansion_error_chained_from_its_cause():
    cause = TimeoutError("slow")
    with pytest.raises(QueryExpansionError) as caught:
        QueryExpander(Model(cause))._llm_expand("phone number")
    assert caught.value.reason == "slow"
    assert caught.value.__cause__ is cause


def test_interrupting_the_model_interrupts_the_caller():
    class Interrupted:
        def generate(self, prompt: str, **options: Any) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        QueryExpander(Interrupted()).expand("phone number")


def test_the_table_fills_the_places_that_the_model_leaves():
    assert QueryExpander(Model("call us at"), max_variants=3).expand("phone number") == [
        "phone number",
        "call us at",
        *QueryExpander().expand("phone number")[1:3],
    ]


def test_the_table_repeats_nothing_that_the_model_said():
    said = QueryExpander().expand("phone number")[1].upper()
    assert QueryExpander(Model(said), max_variants=2).expand("phone number") == [
        "phone number",
        said,
        QueryExpander().expand("phone number")[2],
    ]


def test_without_the_table_the_model_speaks_alone():
    assert QueryExpander(Model("call us at"), fallback_synonyms=False).expand("phone number") == [
        "phone number",
        "call us at",
    ]


def test_a_model_with_nothing_to_say_leaves_the_table():
    assert QueryExpander(Model("\n \n")).expand("phone number") == QueryExpander().expand("phone number")


def test_the_number_of_variants_is_logged(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "dalil.rag"):
        QueryExpander(Model("one\ntwo")).expand(UNKNOWN)
    assert [record.getMessage()[:1] for record in caplog.records if record.levelname == "INFO"] == ["2"]


def test_what_is_logged_of_a_question_is_cut_to_60_characters(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG, "dalil.rag"):
        QueryExpander().expand("phone " + "x" * 200)
        QueryExpander(Model(ValueError("no"))).expand("phone " + "x" * 200)
    assert len(caplog.records) == 3
    assert all("x" * 54 in record.getMessage() for record in caplog.records)
    assert all("x" * 55 not in record.getMessage() for record in caplog.records)


def test_model_table_and_failure_are_logged_by_their_level(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG, "dalil.rag"):
        QueryExpander(Model("one")).expand("phone")
        QueryExpander(Model(ValueError("no"))).expand("phone")
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING", "DEBUG"]


def test_threads_can_share_an_expander():
    expander = QueryExpander(multi_keyword=True)
    queries = [f"phone {number % 50} in the car" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(expander.expand, queries)) == [expander.expand(query) for query in queries]


def test_nothing_at_all_passes_the_question_through():
    assert QueryExpander(llm=None, fallback_synonyms=False).expand("phone number") == ["phone number"]


@pytest.mark.parametrize("multi_keyword", [False, True])
@pytest.mark.parametrize("most", [-1, 0, 1, 2, 5, 50])
def test_never_more_variants_than_asked_for(most: int, multi_keyword: bool):
    lines = "\n".join(f"way {number}" for number in range(10))
    query = "the phone in the car"
    for model in (None, Model(lines)):
        variants = QueryExpander(model, max_variants=most, multi_keyword=multi_keyword).expand(query)
        assert variants[0] == query
        assert len(variants) <= max(most, 0) + 1


@pytest.mark.parametrize(("most", "count"), [(-1, 0), (0, 0), (1, 1), (2, 2), (10, 10)])
def test_as_many_variants_as_asked_for_where_there_are_enough(most: int, count: int):
    model = Model("\n".join(f"way {number}" for number in range(10)))
    assert len(QueryExpander(model, max_variants=most).expand(UNKNOWN)) == count + 1


@given(TEXTS)
def test_any_text_gives_itself_first_and_no_two_alike(query: str):
    for expander in (QueryExpander(), QueryExpander(max_variants=20, multi_keyword=True)):
        variants = expander.expand(query)
        assert variants[0] == query
        assert len({variant.strip().casefold() for variant in variants}) == len(variants)


def test_a_caller_cannot_change_what_is_remembered():
    QueryExpander().expand("phone number").clear()
    assert len(QueryExpander().expand("phone number")) == 4


@pytest.mark.parametrize("build", [_build_synonym_variants, _build_multi_keyword_variants])
def test_a_thousand_and_twenty_four_questions_are_remembered_for_all_expanders(build: Any):
    build.cache_clear()
    assert build.cache_info().maxsize == 1024
    multi_keyword = build is _build_multi_keyword_variants
    QueryExpander(multi_keyword=multi_keyword).expand("phone number")
    QueryExpander(multi_keyword=multi_keyword).expand("phone number")
    assert (build.cache_info().hits, build.cache_info().misses) == (1, 1)


@pytest.mark.parametrize(
    ("text", "language"),
    [("", "en"), ("abc", "en"), ("هاتف", "ar"), ("aaaaaaa" + "ه" * 3, "en"), ("aaaaaa" + "ه" * 4, "ar"), ("ه  ", "ar")],
)
def test_arabic_begins_above_30_percent_of_all_characters(text: str, language: str):
    assert _detect_language(text) == language


@pytest.mark.parametrize(
    ("raw", "parsed"),
    [
        ("a\n\n  \nb", ["q", "a", "b"]),
        ("- a\n• b\n1. c\n2) d\n--3.) e", ["q", "a", "b", "c", "d", "e"]),
        ("Q\na\nA\n q ", ["q", "a"]),
        ("-\n1.\n•", ["q"]),
        ("", ["q"]),
        ("a\r\nb", ["q", "a", "b"]),
    ],
)
def test_a_reply_becomes_lines_without_bullets_numbers_and_repeats(raw: str, parsed: list[str]):
    assert _parse_llm_variants(raw, "q", 9) == parsed


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_reply_is_cut(most: int):
    assert _parse_llm_variants("a\nb\nc", "q", most) == ["q", "a", "b", "c"][: most + 1]
