"""Whatever a tracer does, the question is answered and the document stored."""

from __future__ import annotations

import asyncio
import gc
import logging
from types import TracebackType
from typing import Any

import pytest

from dalil.fakes import FakeEngineKit, FakeTracer
from dalil.models import AnswerComplete, Outcome, RawSource
from dalil.ports import Span, Tracer
from dalil.tracing import InMemoryTracer, SafeTracer, safe
from query.conftest import SCOPE

from .conftest import QUESTION, ask, engine, pipeline

CALLS = ("event", "span", "set", "child", "__enter__", "__exit__", "record_event", "records_content")


class Broken:
    """A tracer and a span that raises in one of its calls."""

    def __init__(self, where: str, error: BaseException) -> None:
        self._where = where
        self._error = error

    def _reached(self, where: str) -> None:
        if where == self._where:
            raise self._error

    @property
    def records_content(self) -> bool:
        self._reached("records_content")
        return True

    def event(self, name: str, **fields: Any) -> None:
        self._reached("event")

    def span(self, name: str, **attributes: Any) -> Broken:
        self._reached("span")
        return self

    def set(self, **attributes: Any) -> None:
        self._reached("set")

    def child(self, name: str, **attributes: Any) -> Broken:
        self._reached("child")
        return self

    def record_event(self, name: str, fields: Any) -> None:
        self._reached("record_event")

    def __enter__(self) -> Broken:
        self._reached("__enter__")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._reached("__exit__")


class Nothing:
    """A tracer that gives nothing where it should give spans."""

    def event(self, name: str, **fields: Any) -> None: ...

    def span(self, name: str, **attributes: Any) -> Any:
        return None


class Childless(FakeTracer):
    """A tracer whose spans have no children, and are None when entered."""

    def span(self, name: str, **attributes: Any) -> Any:
        span = super().span(name, **attributes)

        class Lonely:
            set = span.set

            def child(self, name: str, **attributes: Any) -> None: ...

            def __enter__(self) -> None: ...

            def __exit__(self, *error: object) -> bool:
                return True  # swallows what it was not asked to swallow

        return Lonely()


@pytest.mark.parametrize("where", CALLS)
async def test_a_tracer_that_raises(kit: FakeEngineKit, where: str, caplog: pytest.LogCaptureFixture) -> None:
    tracer = Broken(where, RuntimeError("no"))
    answer = await ask(kit, tracer)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.citations
    stored = await pipeline(kit, tracer).ingest(RawSource("note.txt", content=b"The bridge is blue."), SCOPE)
    assert stored.chunk_count == 1
    warnings = [record for record in caplog.records if record.name == "dalil.tracing"]
    assert [record.levelno for record in warnings] == [logging.WARNING]
    assert "Broken failed with RuntimeError" in warnings[0].getMessage()


@pytest.mark.parametrize("tracer", [Nothing(), Childless()], ids=["no span", "no child"])
async def test_a_tracer_that_gives_nothing(kit: FakeEngineKit, tracer: Tracer) -> None:
    assert (await ask(kit, tracer)).outcome is Outcome.ANSWERED


async def test_a_span_swallows_no_failure_of_the_engine(kit: FakeEngineKit) -> None:
    class Failing:
        async def rerank(self, *arguments: object, top_k: int) -> list[object]:
            raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        await ask(kit, Childless(), reranker=Failing())


@pytest.mark.parametrize("where", CALLS)
async def test_an_interrupt_passes(kit: FakeEngineKit, where: str) -> None:
    class Interrupt(BaseException):
        pass

    async def ask_and_add() -> None:
        tracer = Broken(where, Interrupt())
        await ask(kit, tracer)
        await pipeline(kit, tracer).ingest(RawSource("note.txt", content=b"The bridge is blue."), SCOPE)

    with pytest.raises(Interrupt):
        await ask_and_add()


async def test_one_warning_for_each_tracer(kit: FakeEngineKit, caplog: pytest.LogCaptureFixture) -> None:
    one, other = Broken("set", ValueError("no")), Broken("set", ValueError("no"))
    for tracer in (one, one, other, one, other):
        await ask(kit, tracer)
    assert len([record for record in caplog.records if record.name == "dalil.tracing"]) == 2


def test_wrapping_twice_is_wrapping_once() -> None:
    wrapped = safe(FakeTracer())
    assert isinstance(wrapped, SafeTracer)
    assert safe(wrapped) is wrapped
    assert isinstance(wrapped, Tracer)
    assert isinstance(safe(None).span("query"), Span)


async def test_the_spans_of_an_abandoned_stream_are_ended(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    events = engine(kit, tracer).stream(QUESTION, SCOPE)
    assert await anext(events)
    generate = tracer.find_span("generate")
    assert generate is not None
    assert generate.ended is None
    await events.aclose()
    assert all(span.ended is not None and span.error is None for span in tracer.all_spans())
    assert tracer.spans[0].attributes == generate.attributes == {"abandoned": True}


async def test_the_spans_of_a_stream_that_was_left_to_the_collector_are_ended(kit: FakeEngineKit) -> None:
    tracer = InMemoryTracer()
    async for event in engine(kit, tracer).stream(QUESTION, SCOPE):
        assert not isinstance(event, AnswerComplete)
        break
    for _ in range(100):
        if tracer.spans[0].ended is not None:
            break
        gc.collect()
        await asyncio.sleep(0.01)
    assert all(span.ended is not None for span in tracer.all_spans())


async def test_the_spans_of_a_cancelled_question_are_ended(kit: FakeEngineKit) -> None:
    reached = asyncio.Event()
    loop = asyncio.get_running_loop()

    class Slow:
        async def rerank(self, *arguments: object, top_k: int) -> list[object]:
            loop.call_soon_threadsafe(reached.set)
            await asyncio.sleep(60)
            return []

    tracer = InMemoryTracer()
    asking = asyncio.create_task(ask(kit, tracer, reranker=Slow()))
    await reached.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert [span.name for span in tracer.all_spans() if span.attributes.get("abandoned")] == ["query", "rerank"]
    assert all(span.ended is not None and span.error is None for span in tracer.all_spans())
