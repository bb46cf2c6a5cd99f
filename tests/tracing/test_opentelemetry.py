"""OpenTelemetryTracer: the conventions for generative AI, and content only when asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from dalil.errors import MissingExtraError
from dalil.fakes import FakeEngineKit
from dalil.models import RawSource
from dalil.tracing import OpenTelemetryTracer
from query.conftest import SCOPE, ScriptedLLM

from .conftest import PASSAGE, QUESTION, BrokenReranker, Secret, ask, engine, pipeline


class Exported:
    """A provider of OpenTelemetry and what it was given."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self._exporter))

    @property
    def spans(self) -> Sequence[ReadableSpan]:
        return self._exporter.get_finished_spans()

    def __getitem__(self, name: str) -> ReadableSpan:
        return next(span for span in self.spans if span.name.startswith(name))

    def told(self) -> str:
        return " ".join(span.to_json() for span in self.spans)


class Named(ScriptedLLM):
    model = "tiny-1"
    provider = "nowhere"


@pytest.fixture
def exported() -> Exported:
    return Exported()


async def test_the_tree_and_its_kinds(kit: FakeEngineKit, exported: Exported) -> None:
    await ask(kit, OpenTelemetryTracer(exported.provider), llm=Named("Twenty-two days of paid leave. [1]"))
    kinds = {span.name: span.kind for span in exported.spans}
    assert kinds == {
        "rewrite": SpanKind.INTERNAL,
        "retrieval": SpanKind.INTERNAL,
        "rerank": SpanKind.INTERNAL,
        "prompt": SpanKind.INTERNAL,
        "chat tiny-1": SpanKind.CLIENT,
        "invoke_workflow dalil": SpanKind.INTERNAL,
    }
    root = exported["invoke_workflow"]
    assert root.parent is None
    assert all(span.parent == root.context for span in exported.spans if span is not root)
    assert all(span.attributes["dalil.tenant"] == "house" for span in exported.spans if span.attributes)
    assert all(span.end_time is not None and span.status.status_code is StatusCode.UNSET for span in exported.spans)


async def test_what_the_conventions_name(kit: FakeEngineKit, exported: Exported) -> None:
    await ask(kit, OpenTelemetryTracer(exported.provider), llm=Named("Twenty-two days of paid leave. [1]"))
    chat = dict(exported["chat"].attributes or {})
    assert chat.pop("gen_ai.usage.output_tokens") > 0
    assert chat == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "nowhere",
        "gen_ai.request.model": "tiny-1",
        "gen_ai.request.stream": True,
        "gen_ai.output.type": "text",
        "dalil.tenant": "house",
        "dalil.grounded": True,
        "dalil.citations": 1,
        "dalil.cited_ids": ("leave:0",),
    }
    retrieval = dict(exported["retrieval"].attributes or {})
    assert retrieval["gen_ai.operation.name"] == "retrieval"
    assert retrieval["gen_ai.retrieval.top_k"] == 20
    assert (retrieval["dalil.dense"], retrieval["dalil.lexical_ids"]) == (4, ("leave:0",))
    root = dict(exported["invoke_workflow"].attributes or {})
    assert (root["gen_ai.operation.name"], root["gen_ai.agent.name"]) == ("invoke_workflow", "dalil")
    assert (root["dalil.outcome"], root["dalil.grounded"], root["dalil.citations"]) == ("answered", True, 1)
    assert [event.name for event in exported["invoke_workflow"].events] == [
        "dalil.rewritten", "dalil.retrieved", "dalil.reranked", "dalil.answered",
    ]  # fmt: skip


async def test_a_model_without_a_name(kit: FakeEngineKit, exported: Exported) -> None:
    await ask(kit, OpenTelemetryTracer(exported.provider), "Hello")
    (chat, root) = exported.spans
    assert (chat.name, root.name) == ("chat", "invoke_workflow dalil")
    assert dict(chat.attributes or {})["gen_ai.provider.name"] == "_OTHER"


@pytest.mark.parametrize("content", [False, True])
async def test_texts_only_when_asked_for(kit: FakeEngineKit, exported: Exported, content: bool) -> None:
    tracer = OpenTelemetryTracer(exported.provider, record_content=content)
    await ask(kit, tracer)
    with pytest.raises(Secret):
        await ask(kit, tracer, reranker=BrokenReranker())
    told = exported.told()
    for text in (QUESTION, "paid leave", "twenty-two", PASSAGE, "Traceback"):
        assert (text in told) is content, text


async def test_texts_by_the_conventions(kit: FakeEngineKit, exported: Exported) -> None:
    answer = await ask(kit, OpenTelemetryTracer(exported.provider, record_content=True))
    retrieval, chat = (dict(exported[name].attributes or {}) for name in ("retrieval", "chat"))
    assert retrieval["gen_ai.retrieval.query.text"] == QUESTION
    documents = _json(retrieval["gen_ai.retrieval.documents"])
    assert [document["id"] for document in documents] == list(retrieval["dalil.fused_ids"])
    assert documents[0]["content"] == PASSAGE
    assert documents[0]["score"] >= documents[-1]["score"]
    assert PASSAGE in _json(chat["gen_ai.input.messages"])[0]["parts"][0]["content"]
    assert _json(chat["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": [{"type": "text", "content": answer.text}], "finish_reason": "stop"}
    ]
    assert dict(exported["invoke_workflow"].attributes or {})["dalil.question"] == QUESTION
    assert dict(exported["rewrite"].attributes or {})["dalil.resolved"] == QUESTION


def _json(text: Any) -> Any:
    return json.loads(text)


@pytest.mark.parametrize("content", [False, True])
async def test_failures(kit: FakeEngineKit, exported: Exported, content: bool) -> None:
    with pytest.raises(Secret):
        await ask(kit, OpenTelemetryTracer(exported.provider, content), reranker=BrokenReranker())
    for name in ("rerank", "invoke_workflow"):
        span = exported[name]
        assert span.status.status_code is StatusCode.ERROR
        assert span.status.description == (PASSAGE if content else "tracing.conftest.Secret")
        assert dict(span.attributes or {})["error.type"] == "tracing.conftest.Secret"
        (event,) = [event for event in span.events if event.name == "exception"]
        assert ("exception.message" in dict(event.attributes or {})) is content
    assert exported["retrieval"].status.status_code is StatusCode.UNSET


async def test_an_abandoned_stream_is_ended_and_no_failure(kit: FakeEngineKit, exported: Exported) -> None:
    events = engine(kit, OpenTelemetryTracer(exported.provider)).stream(QUESTION, SCOPE)
    await anext(events)
    await events.aclose()
    for name in ("chat", "invoke_workflow"):
        assert exported[name].status.status_code is StatusCode.UNSET
        assert dict(exported[name].attributes or {})["dalil.abandoned"] is True


async def test_under_the_current_span_and_never_the_current_one(kit: FakeEngineKit, exported: Exported) -> None:
    from opentelemetry import trace

    with exported.provider.get_tracer("web").start_as_current_span("GET /ask") as request:
        events = engine(kit, OpenTelemetryTracer(exported.provider)).stream(QUESTION, SCOPE)
        async for _ in events:
            assert trace.get_current_span() is request
        await pipeline(kit, OpenTelemetryTracer(exported.provider)).ingest(
            RawSource("note.txt", content=b"The bridge is blue."), SCOPE
        )
    assert exported["invoke_workflow"].parent == request.get_span_context()
    assert [event.name for event in exported["GET /ask"].events][-1] == "dalil.stored"


async def test_ingestion_outside_any_span_is_no_failure(kit: FakeEngineKit, exported: Exported) -> None:
    OpenTelemetryTracer(exported.provider).event("stored", chunks=3)
    assert not exported.spans


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'dalil\[otel\]'"):
        OpenTelemetryTracer()


def test_it_is_not_loaded_before_it_is_used() -> None:
    code = "import dalil, dalil.tracing, dalil.query, dalil.sage, sys; print('opentelemetry' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "False\n"
