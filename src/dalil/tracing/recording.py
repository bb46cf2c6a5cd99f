"""Spans that remember what was said about them, and the tracer that makes them."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

Event = tuple[str, dict[str, Any]]


@dataclass
class RecordedSpan:
    """One stage as it was recorded, from when it was begun until it was left.

    `started` and `ended` are seconds since 1970 (`ended` is None while it goes on). `error` names the exception that
    left it, if any; a stream that its reader left has the attribute `abandoned` instead. `events` are the point events
    that happened right in it.
    """

    name: str
    tenant: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    children: list[RecordedSpan] = field(default_factory=list)
    started: float = field(default_factory=time.time)
    ended: float | None = None
    error: str | None = None
    trace_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    span_id: str = field(default_factory=lambda: os.urandom(8).hex())
    parent_id: str | None = None
    recorder: Recorder | None = field(default=None, repr=False, compare=False)
    begun: float = field(default_factory=time.perf_counter, repr=False, compare=False)

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it goes on."""
        return None if self.ended is None else self.ended - self.started

    def failure(self, *, content: bool) -> str | None:
        """The exception that left it; without `content` its type alone."""
        return self.error if self.error is None or content else self.error.partition(":")[0]

    def set(self, **attributes: Any) -> None:
        """Say more about the stage."""
        self.attributes.update(attributes)

    def child(self, name: str, **attributes: Any) -> RecordedSpan:
        """A stage inside this one, of the same tenant."""
        span = RecordedSpan(
            name,
            attributes.pop("tenant", self.tenant),
            attributes,
            trace_id=self.trace_id,
            parent_id=self.span_id,
            recorder=self.recorder,
        )
        self.children.append(span)
        return span

    def record_event(self, name: str, fields: Mapping[str, Any]) -> None:
        """A point event that happened in this stage."""
        self.events.append((name, dict(fields)))
        if self.recorder is not None:
            self.recorder.happened(name, dict(fields), self)

    def __enter__(self) -> RecordedSpan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.ended is not None:
            return
        if kind is not None and was_abandoned(kind):
            self.attributes["abandoned"] = True
        elif kind is not None:
            self.error = f"{kind.__name__}: {_said(error)}"
        self.ended = self.started + time.perf_counter() - self.begun
        if self.recorder is not None and self.parent_id is None:
            self.recorder.ended(self)

    def walk(self) -> Iterator[RecordedSpan]:
        """This span and everything inside it, parents first."""
        yield self
        for child in list(self.children):
            yield from child.walk()

    def find(self, name: str) -> RecordedSpan | None:
        """The first span of that name, this one included; None when there is none."""
        return next((span for span in self.walk() if span.name == name), None)


class Recorder:
    """A tracer that records; subclasses say what becomes of it. `records_content` asks the engine for texts too."""

    def __init__(self, *, record_content: bool = False) -> None:
        self.records_content = record_content

    def event(self, name: str, **fields: Any) -> None:
        """A point event outside any span."""
        self.happened(name, fields, None)

    def span(self, name: str, **attributes: Any) -> RecordedSpan:
        """A root span."""
        span = RecordedSpan(name, attributes.pop("tenant", None), attributes, recorder=self)
        self.began(span)
        return span

    def happened(self, name: str, fields: dict[str, Any], span: RecordedSpan | None) -> None:
        """A point event, in `span` if it is not None."""

    def began(self, root: RecordedSpan) -> None:
        """A root span was begun."""

    def ended(self, root: RecordedSpan) -> None:
        """A root span was left."""


def _said(error: BaseException | None) -> str:
    try:
        return str(error)
    except Exception:  # nobody's failure here
        return ""


def was_abandoned(kind: type[BaseException]) -> bool:
    """Whether it is no failure of a stage, but its caller that did not wait for it."""
    return issubclass(kind, (GeneratorExit, asyncio.CancelledError))
