"""The tracer for tests, notebooks and explanations: it keeps everything."""

from __future__ import annotations

from collections import deque
from typing import Any

from dalil.tracing.recording import Event, RecordedSpan, Recorder


class InMemoryTracer(Recorder):
    """Keeps point events in `events` as (name, fields), and root spans in `spans`, in the order in which they began.

    `keep` is how many of each are kept, the newest ones; None keeps all of them. With `record_content` the spans
    hold questions, passages, prompts and answers too.
    """

    def __init__(self, *, record_content: bool = False, keep: int | None = None) -> None:
        super().__init__(record_content=record_content)
        self._events: deque[Event] = deque(maxlen=keep)
        self._spans: deque[RecordedSpan] = deque(maxlen=keep)

    @property
    def events(self) -> list[Event]:
        """Every point event, in a span or not."""
        return list(self._events)

    @property
    def spans(self) -> list[RecordedSpan]:
        """The root spans."""
        return list(self._spans)

    def names(self) -> list[str]:
        """The names of the events, in order."""
        return [name for name, _ in self.events]

    def all_spans(self) -> list[RecordedSpan]:
        """Every span, parents before their children."""
        return [span for root in self.spans for span in root.walk()]

    def find_span(self, name: str) -> RecordedSpan | None:
        """The first span of that name; None when there is none."""
        return next((span for span in self.all_spans() if span.name == name), None)

    def clear(self) -> None:
        """Forget everything."""
        self._events.clear()
        self._spans.clear()

    def happened(self, name: str, fields: dict[str, Any], span: RecordedSpan | None) -> None:
        self._events.append((name, fields))

    def began(self, root: RecordedSpan) -> None:
        self._spans.append(root)
