"""One question is one tree of spans, each with what its stage produced."""

from __future__ import annotations

import pytest

from dalil.fakes import FakeEngineKit, FakeQueryRewriter, FakeTracer
from dalil.models import Outcome, Turn

from .conftest import SCOPE, ScriptedLLM, engine_of

QUESTION = "How many days of paid leave?"
HISTORY = [Turn("Is it paid leave?", "Yes. [1]")]


async def traced(kit: FakeEngineKit, question: str, **options) -> FakeTracer:
    history = options.pop("history", ())
    await engine_of(kit, **options).query(question, SCOPE, history=history)
    return kit.tracer


def children(tracer: FakeTracer) -> list[str]:
    (root,) = tracer.spans
    return [span.name for span in root.children]


async def test_the_tree_of_an_answer(kit: FakeEngineKit):
    tracer = await traced(kit, QUESTION, rewriter=FakeQueryRewriter(), history=HISTORY)
    (root,) = tracer.spans
    assert root.name == "query"
    assert root.attributes == {"outcome": Outcome.ANSWERED, "grounded": True, "citations": 1}
    assert children(tracer) == ["rewrite", "retrieve", "rerank", "prompt", "generate"]
    assert {span.tenant for span in tracer.all_spans()} == {SCOPE.namespace}
    assert all(span.error is None for span in tracer.all_spans())


async def test_what_each_stage_produced(kit: FakeEngineKit):
    tracer = await traced(kit, QUESTION, rewriter=FakeQueryRewriter(), history=HISTORY)
    attributes = {span.name: span.attributes for span in tracer.all_spans()}
    assert attributes["rewrite"] == {"turns": 1, "resolved": QUESTION}
    assert set(attributes["retrieve"]) == {
        "k", "dense", "lexical", "fused", "dense_ids", "lexical_ids", "fused_ids",
    }  # fmt: skip
    assert attributes["retrieve"]["fused"] == len(attributes["retrieve"]["fused_ids"]) == 4
    assert attributes["retrieve"]["lexical"] == 1
    assert attributes["rerank"] == {"candidates": 4, "kept": 1, "kept_ids": ["leave:0"]}
    assert attributes["prompt"] == {"sources": 1, "context_ids": ["leave:0"]}
    assert set(attributes["generate"]) == {"tokens", "grounded", "citations", "cited_ids"}
    assert attributes["generate"]["tokens"] > 0
    assert (attributes["generate"]["grounded"], attributes["generate"]["citations"]) == (True, 1)


async def test_the_events_of_an_answer(kit: FakeEngineKit):
    tracer = await traced(kit, QUESTION, rewriter=FakeQueryRewriter(), history=HISTORY)
    assert tracer.names() == ["rewritten", "retrieved", "reranked", "answered"]
    fields = dict(tracer.events)
    assert fields["rewritten"] == {"turns": 1}
    assert fields["retrieved"] == {"dense": 4, "lexical": 1}
    assert fields["reranked"] == {"candidates": 4, "kept": 1}


async def test_without_history_there_is_no_rewriting(kit: FakeEngineKit):
    tracer = await traced(kit, QUESTION, rewriter=FakeQueryRewriter())
    assert children(tracer) == ["retrieve", "rerank", "prompt", "generate"]
    assert "rewritten" not in tracer.names()


async def test_where_nothing_was_kept_nothing_is_generated(kit: FakeEngineKit):
    tracer = await traced(kit, "What is the capital of France?")
    assert tracer.find_span("generate") is None
    assert tracer.spans[0].attributes == {"outcome": Outcome.NOT_FOUND, "grounded": False, "citations": 0}
    assert tracer.names()[-1] == "not_found"


async def test_a_model_that_declines(kit: FakeEngineKit):
    tracer = await traced(kit, QUESTION, llm=ScriptedLLM("I couldn't find an answer to that in your documents."))
    assert tracer.find_span("generate").attributes["grounded"] is False
    assert tracer.spans[0].attributes["outcome"] == "not_found"


async def test_the_tree_of_small_talk(kit: FakeEngineKit):
    tracer = await traced(kit, "Hello")
    assert children(tracer) == ["converse"]
    assert tracer.find_span("converse").attributes["outcome"] == "conversational"
    assert tracer.find_span("converse").attributes["tokens"] > 0
    assert tracer.spans[0].attributes == {"outcome": Outcome.CONVERSATIONAL, "grounded": False, "citations": 0}
    assert tracer.names() == ["conversational"]


async def test_a_stage_that_fails_is_recorded(kit: FakeEngineKit):
    class Broken:
        async def rerank(self, query, candidates, *, top_k):
            raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        await engine_of(kit, reranker=Broken()).query(QUESTION, SCOPE)
    assert kit.tracer.find_span("rerank").error == "RuntimeError: out of order"
    assert kit.tracer.find_span("query").error == "RuntimeError: out of order"


async def test_each_question_has_a_tree_of_its_own(kit: FakeEngineKit):
    engine = engine_of(kit)
    await engine.query(QUESTION, SCOPE)
    await engine.query("Hello", SCOPE)
    assert [span.name for span in kit.tracer.spans] == ["query", "query"]
