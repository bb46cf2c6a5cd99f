"""A question in, a grounded and cited answer out; streamed or gathered, it is the same answer."""

from __future__ import annotations

from contextlib import aclosing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil import Answer, QueryOptions
from dalil.fakes import FakeEngineKit
from dalil.models import AnswerComplete, AnswerToken, Citation, Outcome, Page, Usage
from dalil.scope import Scope

from .conftest import RULES, SCOPE, ScriptedLLM, engine_of, events_of, fill

QUESTION = "How many days of paid leave?"


async def test_an_answer_with_a_checked_citation(kit: FakeEngineKit):
    answer = await engine_of(kit).query(QUESTION, SCOPE)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.grounded
    assert answer.text == f"{RULES['leave']} [1]"
    (citation,) = answer.citations
    assert (citation.marker, citation.document_id, citation.source, citation.page) == (1, "leave", "leave.txt", 1)
    assert citation.quote == RULES["leave"]
    assert citation.verified


async def test_an_arabic_question(kit: FakeEngineKit):
    answer = await engine_of(kit).query("متى يقدم الشاي؟", SCOPE)
    assert answer.text == f"{RULES['tea']} [1]"
    assert answer.citations[0].quote == RULES["tea"]


async def test_without_a_page_store_nothing_is_verified(kit: FakeEngineKit):
    answer = await engine_of(kit, page_store=None).query(QUESTION, SCOPE)
    assert [citation.verified for citation in answer.citations] == [False]


async def test_a_page_that_changed_is_told(kit: FakeEngineKit):
    text = RULES["leave"].replace("two", "four")
    await kit.document_store.save_pages(SCOPE, "leave", [Page(1, text)])
    answer = await engine_of(kit).query(QUESTION, SCOPE)
    assert [citation.verified for citation in answer.citations] == [False]


@pytest.mark.parametrize("question", [QUESTION, "What is the capital of France?", "Hello", "متى يقدم الشاي؟", "مرحبا"])
async def test_the_order_of_events(kit: FakeEngineKit, question: str):
    events = await events_of(engine_of(kit), question)
    kinds = [type(event) for event in events]
    tokens = kinds.count(AnswerToken)
    assert tokens >= 1
    assert kinds == [*[AnswerToken] * tokens, *[Citation] * kinds.count(Citation), Usage, AnswerComplete]
    complete = events[-1]
    assert complete.text == "".join(event.text for event in events if isinstance(event, AnswerToken))
    assert complete.citations == tuple(event for event in events if isinstance(event, Citation))


@pytest.mark.parametrize("question", [QUESTION, "What is the capital of France?", "Hello", "متى يقدم الشاي؟"])
async def test_gathered_is_what_was_streamed(kit: FakeEngineKit, question: str):
    complete = (await events_of(engine_of(kit), question))[-1]
    answer = await engine_of(kit).query(question, SCOPE)
    assert answer == Answer(complete.text, complete.citations, complete.outcome)
    assert answer.grounded is complete.grounded


async def test_usage_counts_the_sources_shown(kit: FakeEngineKit):
    question = "leave parking laptops"
    usage = [event for event in await events_of(engine_of(kit), question) if isinstance(event, Usage)]
    assert [found.sources for found in usage] == [3]
    one = await events_of(engine_of(kit), question, options=QueryOptions(context_k=1))
    assert [found.sources for found in one if isinstance(found, Usage)] == [1]
    assert usage[0].completion_tokens > 0


async def test_dead_markers_are_never_shown(kit: FakeEngineKit):
    llm = ScriptedLLM("Yes [2", "]. Also [2][", "7] and [1,", " 3].")
    answer = await engine_of(kit, llm=llm).query("leave parking laptops", SCOPE)
    assert answer.text == "Yes [2]. Also [2] and [1][3]."
    assert {citation.marker for citation in answer.citations} == {1, 2, 3}


FRAGMENTS = st.lists(
    st.sampled_from(
        ["Leave is ", "twenty-two days", " [1]", "[", "1", "]", " [9]", ". ", "[2, 9]", "كلمة", "I couldn't"]
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(FRAGMENTS, st.data())
async def test_however_the_model_cuts_its_words(fragments: list[str], data: st.DataObject):
    kit = await fill(FakeEngineKit())
    said = "".join(fragments)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(said)), max_size=5)))
    pieces = [said[i:j] for i, j in zip([0, *cuts], [*cuts, len(said)], strict=True)]
    whole = await engine_of(kit, llm=ScriptedLLM(said)).query(QUESTION, SCOPE)
    assert await engine_of(kit, llm=ScriptedLLM(*pieces)).query(QUESTION, SCOPE) == whole
    events = await events_of(engine_of(kit, llm=ScriptedLLM(*pieces)), QUESTION)
    assert "".join(event.text for event in events if isinstance(event, AnswerToken)) == whole.text


async def test_the_prompt_carries_question_and_evidence(kit: FakeEngineKit):
    llm = ScriptedLLM("Yes [1].")
    await engine_of(kit, llm=llm).query(QUESTION, SCOPE)
    (prompt,) = llm.prompts
    assert (prompt.question, prompt.kind) == (QUESTION, "answer")
    assert prompt.evidence[0].chunk.id == "leave:0"
    assert RULES["leave"] in prompt


async def test_filters_narrow_the_evidence(kit: FakeEngineKit):
    engine = engine_of(kit)
    assert (await engine.query(QUESTION, SCOPE.with_filters(topic="leave"))).grounded
    assert not (await engine.query(QUESTION, SCOPE.with_filters(topic="parking"))).grounded
    assert not (await engine.query(QUESTION, SCOPE.with_filters(document_ids=[]))).grounded
    assert not (await engine.query(QUESTION, Scope("another house"))).grounded


async def test_search_gives_passages_without_an_answer(kit: FakeEngineKit):
    llm = ScriptedLLM("never")
    found = await engine_of(kit, llm=llm).search("paid leave", SCOPE, k=2)
    assert [scored.chunk.id for scored in found] == ["leave:0"]
    plain = await engine_of(kit, llm=llm, reranker=None).search("paid leave", SCOPE, k=2)
    assert plain[0].chunk.id == "leave:0"
    assert len(plain) == 2
    assert llm.prompts == []


async def test_without_a_reranker_the_fused_order_stands(kit: FakeEngineKit):
    answer = await engine_of(kit, reranker=None).query(QUESTION, SCOPE)
    assert answer.text == f"{RULES['leave']} [1]"


async def test_the_tracer_is_optional(kit: FakeEngineKit):
    assert (await engine_of(kit, tracer=None).query(QUESTION, SCOPE)).grounded


async def test_a_listener_who_leaves_ends_the_models_stream(kit: FakeEngineKit):
    llm = ScriptedLLM(*["word "] * 100)
    async with aclosing(engine_of(kit, llm=llm).stream(QUESTION, SCOPE)) as stream:
        async for _ in stream:
            break
    assert llm.closed
