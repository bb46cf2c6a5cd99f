"""Where the documents hold no answer the engine says so, in the question's language, and shows nothing else."""

from __future__ import annotations

import pytest

from dalil import NOT_FOUND_MESSAGE, QueryOptions
from dalil.fakes import FakeEngineKit
from dalil.models import Answer, AnswerToken, Outcome, Usage
from dalil.retrieval import Calibration, EvidenceGate, Retrieval, Verdict
from dalil.scope import Scope
from dalil.text.messages import NOT_FOUND_MESSAGES

from .conftest import SCOPE, ScriptedLLM, engine_of, events_of

ARABIC = NOT_FOUND_MESSAGES["ar"]
QUESTION = "How many days of paid leave?"
ARABIC_QUESTION = "متى يقدم الشاي؟"
DECLINED = Answer(NOT_FOUND_MESSAGE, (), Outcome.NOT_FOUND)


class Refuses:
    """A gate that lets nothing through."""

    def judge(self, retrieval: Retrieval) -> Verdict:
        return Verdict(False, 0.0)


async def test_nothing_stored(kit: FakeEngineKit):
    llm = ScriptedLLM("Paris [1].")
    assert await engine_of(kit, llm=llm).query(QUESTION, Scope("empty")) == DECLINED
    assert llm.prompts == []


async def test_nothing_kept_by_the_reranker(kit: FakeEngineKit):
    llm = ScriptedLLM("Paris [1].")
    answer = await engine_of(kit, llm=llm).query("What is the capital of France?", SCOPE)
    assert answer == DECLINED
    assert not answer.grounded
    assert llm.prompts == []


async def test_nothing_above_the_least_score(kit: FakeEngineKit):
    assert await engine_of(kit).query(QUESTION, SCOPE, QueryOptions(min_score=1.01)) == DECLINED
    assert (await engine_of(kit).query(QUESTION, SCOPE, QueryOptions(min_score=0.1))).grounded


async def test_the_least_score_is_that_of_the_last_stage(kit: FakeEngineKit):
    class Sure:
        async def rerank(self, query, candidates, *, top_k):
            return [type(candidate)(candidate.chunk, 5.0) for candidate in candidates[:top_k]]

    assert (await engine_of(kit, reranker=Sure()).query(QUESTION, SCOPE, QueryOptions(min_score=4.0))).grounded


async def test_the_model_declines(kit: FakeEngineKit):
    assert await engine_of(kit, llm=ScriptedLLM(NOT_FOUND_MESSAGE)).query(QUESTION, SCOPE) == DECLINED


@pytest.mark.parametrize("said", [NOT_FOUND_MESSAGE, ARABIC, f"\n {NOT_FOUND_MESSAGE.upper()} ", "", " \n"])
@pytest.mark.parametrize(("question", "shown"), [(QUESTION, NOT_FOUND_MESSAGE), (ARABIC_QUESTION, ARABIC)])
async def test_however_it_declines_the_refusal_is_in_the_questions_language(
    kit: FakeEngineKit, said: str, question: str, shown: str
):
    for fragments in ([said], list(said), [said[:7], said[7:]]):
        events = await events_of(engine_of(kit, llm=ScriptedLLM(*fragments)), question)
        assert "".join(event.text for event in events if isinstance(event, AnswerToken)) == shown
        assert events[-1].text == shown
        assert events[-1].outcome is Outcome.NOT_FOUND
        assert events[-1].citations == ()


@pytest.mark.parametrize("said", ["I couldn't say more: leave is paid [1].", "I", "لم يذكر [1]."])
async def test_what_only_begins_like_a_refusal_is_an_answer(kit: FakeEngineKit, said: str):
    for fragments in ([said], list(said)):
        answer = await engine_of(kit, llm=ScriptedLLM(*fragments)).query(QUESTION, SCOPE)
        assert (answer.text, answer.outcome) == (said, Outcome.ANSWERED)


@pytest.mark.parametrize("said", [f"{NOT_FOUND_MESSAGE} [1]", f"{NOT_FOUND_MESSAGE.rstrip('.')} [1]."])
async def test_a_refusal_that_cites_is_a_refusal(kit: FakeEngineKit, said: str):
    assert await engine_of(kit, llm=ScriptedLLM(said)).query(QUESTION, SCOPE) == DECLINED


async def test_an_arabic_question_is_declined_in_arabic(kit: FakeEngineKit):
    assert await engine_of(kit).query("ما عاصمة فرنسا؟", SCOPE) == Answer(ARABIC, (), Outcome.NOT_FOUND)


async def test_the_message_is_streamed_and_costs_nothing(kit: FakeEngineKit):
    events = await events_of(engine_of(kit), "What is the capital of France?")
    assert events[0] == AnswerToken(NOT_FOUND_MESSAGE)
    assert events[1] == Usage(0, 0)
    assert len(events) == 3


async def test_a_gate_that_refuses_keeps_the_models_words_out(kit: FakeEngineKit):
    llm = ScriptedLLM("Paris", " [1].")
    events = await events_of(engine_of(kit, llm=llm, reranker=None, gate=Refuses()), "What is the capital of France?")
    assert all("Paris" not in getattr(event, "text", "") for event in events)
    assert events[-1].outcome is Outcome.NOT_FOUND
    assert llm.prompts == []


async def test_without_a_gate_a_model_that_always_answers_is_believed(kit: FakeEngineKit):
    answer = await engine_of(kit, llm=ScriptedLLM("Paris [1]."), reranker=None).query("capital of France?", SCOPE)
    assert answer.outcome is Outcome.ANSWERED


async def test_a_gate_lets_good_evidence_through(kit: FakeEngineKit):
    gate = EvidenceGate({"few": Calibration(-5.0, {"coverage": 10.0}, 0.5)})
    engine = engine_of(kit, reranker=None, gate=gate)
    assert (await engine.query(QUESTION, SCOPE)).grounded
    assert await engine.query("What is the capital of France?", SCOPE) == DECLINED
