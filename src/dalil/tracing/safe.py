"""Keeps a tracer's failures from the engine: a question is answered whether or not somebody can watch."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Protocol, TypeVar, cast, runtime_checkable
from weakref import WeakSet

from dalil.ports import Span, Tracer
from dalil.tracing.none import NoSpan, NoTracer

_Result = TypeVar("_Result")
_LOG = logging.getLogger("dalil.tracing")


@runtime_checkable
class EventfulSpan(Protocol):
    """A span that wants to know the point events that happen in it; else its tracer is told of them."""

    def record_event(self, name: str, fields: Mapping[str, Any]) -> None: ...


def safe(tracer: Tracer | None) -> SafeTracer:
    """The same tracer, unable to break anything. None is a tracer that does nothing."""
    return tracer if isinstance(tracer, SafeTracer) else SafeTracer(NoTracer() if tracer is None else tracer)


class SafeTracer:
    """Calls another tracer and swallows what it raises, but for KeyboardInterrupt and its like.

    The first failure of a tracer is logged as a warning under "dalil.tracing", the others are not.
    """

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._warned = False

    @property
    def records_content(self) -> bool:
        """Whether the tracer asks for texts: questions, passages, prompts and answers."""
        return self.call(lambda: bool(getattr(self._tracer, "records_content", False))) or False

    def event(self, name: str, **fields: Any) -> None:
        """Pass on a point event."""
        self.call(lambda: self._tracer.event(name, **fields))

    def span(self, name: str, **attributes: Any) -> SafeSpan:
        """A root span; one that nobody looks at where the tracer gives none."""
        return SafeSpan(self.call(lambda: self._tracer.span(name, **attributes)), self)

    def call(self, work: Callable[[], _Result]) -> _Result | None:
        """What `work` gives; None when it fails."""
        try:
            return work()
        except Exception as error:
            self._warn(error)
            return None

    def _warn(self, error: Exception) -> None:
        if self._warned or _seen(self._tracer):
            return
        self._warned = True
        _LOG.warning(
            "The tracer %s failed with %s; what it fails to trace is lost, and nothing else.",
            type(self._tracer).__name__,
            type(error).__name__,
            exc_info=error,
        )


class SafeSpan:
    """A span of a SafeTracer."""

    def __init__(self, span: Span | None, tracer: SafeTracer) -> None:
        self._span: Span = NoSpan() if span is None else span
        self._outer: Span = self._span
        self._tracer = tracer

    def set(self, **attributes: Any) -> None:
        """Pass on attributes."""
        self._tracer.call(lambda: self._span.set(**attributes))

    def child(self, name: str, **attributes: Any) -> SafeSpan:
        """A stage inside this one."""
        return SafeSpan(self._tracer.call(lambda: self._span.child(name, **attributes)), self._tracer)

    def event(self, name: str, **fields: Any) -> None:
        """A point event in this stage: told to the span if it wants to know, else to the tracer."""
        span = self._span
        if self._tracer.call(lambda: isinstance(span, EventfulSpan)):
            self._tracer.call(lambda: cast(EventfulSpan, span).record_event(name, fields))
        else:
            self._tracer.event(name, **fields)

    def __enter__(self) -> SafeSpan:
        entered = self._tracer.call(self._outer.__enter__)
        self._span = self._outer if entered is None else entered
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._tracer.call(lambda: self._outer.__exit__(kind, error, traceback))


_failed: WeakSet[Any] = WeakSet()
"""Tracers whose failure has been logged: an engine makes a new wrapper for every question."""


def _seen(tracer: Tracer) -> bool:
    """Whether this tracer was seen here before; it is from now on. False for those that cannot be remembered."""
    try:
        if tracer in _failed:
            return True
        _failed.add(tracer)
    except Exception:
        return False
    return False
