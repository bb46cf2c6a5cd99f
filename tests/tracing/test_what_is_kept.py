"""InMemoryTracer: everything, in order, with times, and texts only when asked."""

from __future__ import annotations

import asyncio
import time

import pytest

from dalil.fakes import FakeEngineKit
from dalil.models import RawSource
from dalil.ports import Span, Tracer
from dalil.retrieval import Calibration, EvidenceGate
from dalil.tracing import InMemoryTracer
from query.conftest import SCOPE, ScriptedLLM

from .conftest import PASSAGE, QUESTION, BrokenReranker, Secret, ask, engine, pipeline


def gate(threshold: float) -> EvidenceGate:
    calibration = Calibration(0.0, {}, threshold)
    return EvidenceGate({"en": calibration, "ar": calibration, "across": calibration, "few": calibration})


async def test_the_tree_with_its_times(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    before = time.time()
    await ask(kit, tracer)
    (root,) = tracer.spans
    assert isinstance(tracer, Tracer)
    assert isinstance(root, Span)
    assert [span.name for span in root.walk()] == ["query", "rewrite", "retrieve", "rerank", "prompt", "generate"]
    assert {span.tenant for span in root.walk()} == {"house"}
    assert {span.trace_id for span in root.walk()} == {root.trace_id}
    assert all(child.parent_id == root.span_id for child in root.children)
    assert len({span.span_id for span in root.walk()}) == 6
    assert root.seconds is not None
    assert root.ended is not None
    assert before - 1 < root.started <= root.ended < before + 60
    for child in root.children:
        assert child.ended is not None
        assert root.started - 0.01 <= child.started <= child.ended <= root.ended + 0.01


async def test_events_belong_to_the_stage_in_which_they_happened(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    await ask(kit, tracer)
    assert tracer.names() == ["rewritten", "retrieved", "reranked", "answered"]
    assert [name for name, _ in tracer.spans[0].events] == tracer.names()


async def test_two_streams_read_in_turns_do_not_mix(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    one = engine(kit, tracer).stream(QUESTION, SCOPE)
    other = engine(kit, tracer, llm=ScriptedLLM("Free ", "on ", "Fridays. [1]")).stream("Is parking free?", SCOPE)
    await anext(one)
    await anext(other)
    await asyncio.gather(*[_rest(stream) for stream in (one, other)])
    assert [[name for name, _ in root.events] for root in tracer.spans] == [["retrieved", "reranked", "answered"]] * 2


async def _rest(stream: object) -> None:
    async for _ in stream:  # type: ignore[attr-defined]
        pass


async def test_which_chunks_each_stage_saw(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    answer = await ask(kit, tracer, gate=gate(0.5))
    attributes = {span.name: span.attributes for span in tracer.all_spans()}
    assert attributes["retrieve"]["k"] == 20
    assert attributes["retrieve"]["dense_ids"][0] == "leave:0"
    assert len(attributes["retrieve"]["dense_ids"]) == attributes["retrieve"]["dense"] == 4
    assert attributes["retrieve"]["lexical_ids"] == ["leave:0"]
    assert (attributes["retrieve"]["answerable"], attributes["retrieve"]["confidence"]) == (True, 0.5)
    assert attributes["generate"]["cited_ids"] == [citation.chunk_id for citation in answer.citations] == ["leave:0"]


async def test_the_verdict_is_told_when_it_declines(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    await ask(kit, tracer, gate=gate(0.6))
    retrieve = tracer.find_span("retrieve")
    assert retrieve is not None
    assert (retrieve.attributes["answerable"], retrieve.attributes["confidence"]) == (False, 0.5)
    assert tracer.find_span("generate") is None
    assert tracer.spans[0].attributes["outcome"] == "not_found"


async def test_without_being_asked_no_text_is_kept_but_the_rewritten_question(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    await ask(kit, tracer)
    for span in tracer.all_spans():
        span.attributes.pop("resolved", None)
    assert QUESTION not in repr(tracer.spans)
    assert "twenty-two" not in repr(tracer.spans)


async def test_texts_are_kept_when_asked_for(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer(record_content=True)
    answer = await ask(kit, tracer)
    attributes = {span.name: span.attributes for span in tracer.all_spans()}
    assert attributes["query"]["question"] == attributes["retrieve"]["query"] == QUESTION
    best = attributes["retrieve"]["documents"][0]
    assert (best["id"], best["source"], best["page"], best["content"]) == ("leave:0", "leave.txt", 1, PASSAGE)
    assert PASSAGE in attributes["generate"]["prompt"]
    assert attributes["generate"]["text"] == answer.text


async def test_the_model_is_named_where_it_has_a_name(kit: FakeEngineKit) -> None:
    class Named(ScriptedLLM):
        model = "tiny-1"
        provider = "nowhere"

    tracer = InMemoryTracer()
    await ask(kit, tracer, llm=Named("Twenty-two days. [1]"))
    generate = tracer.find_span("generate")
    assert generate is not None
    assert (generate.attributes["model"], generate.attributes["provider"]) == ("tiny-1", "nowhere")


async def test_a_failure_is_kept(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    with pytest.raises(Secret):
        await ask(kit, tracer, reranker=BrokenReranker())
    errors = {span.name: span.error for span in tracer.all_spans() if span.error}
    assert errors == dict.fromkeys(["query", "rerank"], f"Secret: {PASSAGE}")


async def test_ingestion_is_told_as_point_events(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    await pipeline(kit, tracer).ingest(RawSource("note.txt", content=b"The bridge is blue."), SCOPE)
    assert tracer.names() == ["parsed", "page_routed", "chunked", "contextualized", "stored"]
    assert tracer.spans == []


async def test_only_the_newest_are_kept_and_all_can_be_forgotten(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer(keep=2)
    for question in (QUESTION, "Hello", QUESTION):
        await ask(kit, tracer, question)
    assert len(tracer.spans) == len(tracer.events) == 2
    assert tracer.spans[0].children[0].name == "converse"
    tracer.clear()
    assert (tracer.spans, tracer.events) == ([], [])
