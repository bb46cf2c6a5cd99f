"""A tracer that remembers everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any


@dataclass
class RecordedSpan:
    """One stage as it was recorded. `error` names the exception that left it, if any."""

    name: str
    tenant: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    children: list[RecordedSpan] = field(default_factory=list)
    error: str | None = None

    def set(self, **attributes: Any) -> None:
        self.attributes.update(attributes)

    def child(self, name: str, **attributes: Any) -> RecordedSpan:
        """A stage inside this one, of the same tenant."""
        span = _span(name, attributes, self.tenant)
        self.children.append(span)
        return span

    def __enter__(self) -> RecordedSpan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self.error = f"{kind.__name__}: {error}"

    def walk(self) -> Iterator[RecordedSpan]:
        """This span and everything inside it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


class FakeTracer:
    """Records events as (name, fields) in `events`, and root spans in `spans`."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.spans: list[RecordedSpan] = []

    def event(self, name: str, **fields: Any) -> None:
        self.events.append((name, fields))

    def span(self, name: str, **attributes: Any) -> RecordedSpan:
        span = _span(name, attributes, None)
        self.spans.append(span)
        return span

    def names(self) -> list[str]:
        """The names of the events, in order."""
        return [name for name, _ in self.events]

    def all_spans(self) -> list[RecordedSpan]:
        """Every span, parents before their children."""
        return [span for root in self.spans for span in root.walk()]

    def find_span(self, name: str) -> RecordedSpan | None:
        """The first span of that name; None when there is none."""
        return next((span for span in self.all_spans() if span.name == name), None)


def _span(name: str, attributes: dict[str, Any], tenant: str | None) -> RecordedSpan:
    """`tenant` is an attribute to callers and a field of its own here."""
    return RecordedSpan(name, attributes.pop("tenant", tenant), attributes)
