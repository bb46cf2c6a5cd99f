"""Small talk needs no search, and a follow-up is made to stand on its own before one."""

from __future__ import annotations

import pytest

from dalil.fakes import SMALL_TALK_REPLY, FakeEngineKit, FakeQueryRewriter
from dalil.models import Answer, Outcome, Turn
from dalil.scope import Scope

from .conftest import RULES, SCOPE, Counted, ScriptedLLM, engine_of

HISTORY = [Turn("Is parking free for visitors?", "Yes, on Fridays. [1]")]


@pytest.mark.parametrize("message", ["Hello!", "thanks", "who are you?", "مرحبا", "شكرا"])
async def test_small_talk_searches_nothing(kit: FakeEngineKit, message: str):
    parts = {
        "embedder": Counted(kit.embedder),
        "vector_store": Counted(kit.vector_store),
        "lexical_store": Counted(kit.lexical_store),
        "reranker": Counted(kit.reranker),
        "rewriter": Counted(FakeQueryRewriter()),
    }
    answer = await engine_of(kit, **parts).query(message, SCOPE, history=HISTORY)
    assert answer == Answer(SMALL_TALK_REPLY, (), Outcome.CONVERSATIONAL)
    assert not answer.grounded
    assert {name: part.calls for name, part in parts.items() if part.calls} == {}


async def test_small_talk_needs_no_documents(kit: FakeEngineKit):
    assert (await engine_of(kit).query("Hello", Scope("empty"))).outcome is Outcome.CONVERSATIONAL


async def test_the_prompt_of_small_talk_has_no_evidence(kit: FakeEngineKit):
    llm = ScriptedLLM("Hi", " there")
    answer = await engine_of(kit, llm=llm).query("Hello", SCOPE)
    assert answer.text == "Hi there"
    assert (llm.prompts[0].kind, llm.prompts[0].evidence) == ("conversation", ())


async def test_a_greeting_before_a_question_is_a_question(kit: FakeEngineKit):
    answer = await engine_of(kit).query("hello, how many days of leave do I get?", SCOPE)
    assert answer.text == f"{RULES['leave']} [1]"


async def test_a_follow_up_is_resolved(kit: FakeEngineKit):
    engine = engine_of(kit, rewriter=FakeQueryRewriter())
    assert not (await engine.query("On which days?", Scope("house", {"topic": "parking"}))).grounded
    answer = await engine.query("And for whom is it?", SCOPE, history=HISTORY)
    assert answer.text == f"{RULES['parking']} [1]"


async def test_without_a_rewriter_the_raw_question_is_searched(kit: FakeEngineKit):
    answer = await engine_of(kit).query("And for whom is it?", SCOPE, history=HISTORY)
    assert answer.outcome is Outcome.NOT_FOUND


async def test_without_history_nothing_is_rewritten(kit: FakeEngineKit):
    rewriter = Counted(FakeQueryRewriter())
    await engine_of(kit, rewriter=rewriter).query("parking?", SCOPE)
    assert rewriter.calls == []


async def test_a_rewriter_that_says_nothing_changes_nothing(kit: FakeEngineKit):
    class Silent:
        async def rewrite(self, question, history):
            return "  "

    answer = await engine_of(kit, rewriter=Silent()).query("Is parking free?", SCOPE, history=HISTORY)
    assert answer.text == f"{RULES['parking']} [1]"


async def test_a_refusal_is_in_the_language_that_was_asked_in(kit: FakeEngineKit):
    class Translates:
        async def rewrite(self, question, history):
            return "What is the capital of France?"

    answer = await engine_of(kit, rewriter=Translates()).query("وما عاصمتها؟", SCOPE, history=HISTORY)
    assert answer.text == "لم أجد إجابة عن ذلك في مستنداتك."
