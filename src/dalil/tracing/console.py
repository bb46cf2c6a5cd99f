"""The tracer for people: a tree of the stages after each question."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

from dalil.tracing.content import allowed
from dalil.tracing.plain import as_json, plain
from dalil.tracing.recording import RecordedSpan, Recorder

_SHOWN = 3  # items of a list
_LONGEST = 200  # characters of a text


class ConsoleTracer(Recorder):
    """Prints a tree when a root span ends, and a line for each point event outside any span.

    On stderr, or `stream`. What cannot be printed is lost. Texts are printed only with `record_content`.
    """

    def __init__(self, stream: TextIO | None = None, *, record_content: bool = False) -> None:
        super().__init__(record_content=record_content)
        self._stream = stream
        self._printing = threading.Lock()

    def happened(self, name: str, fields: dict[str, Any], span: RecordedSpan | None) -> None:
        if span is None:  # the others repeat what their stage says
            self._print(lambda: f"{name}{self._told(fields)}")

    def ended(self, root: RecordedSpan) -> None:
        self._print(lambda: "\n".join(self._tree(root, "", "")))

    def _tree(self, span: RecordedSpan, first: str, rest: str) -> Iterator[str]:
        tenant = {} if span.parent_id is not None or span.tenant is None else {"tenant": span.tenant}
        took = "" if span.seconds is None else f"  {span.seconds * 1000:.1f} ms"
        error = span.failure(content=self.records_content)
        failed = "" if error is None else f"  failed: {_one_line(error)}"
        yield f"{first}{_one_line(span.name)}{took}{failed}{self._told({**tenant, **span.attributes})}"
        children = list(span.children)
        for number, child in enumerate(children, start=1):
            last = number == len(children)
            yield from self._tree(child, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

    def _told(self, attributes: Mapping[str, Any]) -> str:
        told = allowed(attributes, content=self.records_content)
        return "".join(f"  {_one_line(name)}={_short(value)}" for name, value in told.items())

    def _print(self, lines: Callable[[], str]) -> None:
        try:
            stream = self._stream or sys.stderr
            text = lines()
            with self._printing:
                try:
                    print(text, file=stream, flush=True)
                except UnicodeEncodeError:
                    print(text.encode("ascii", "backslashreplace").decode(), file=stream, flush=True)
        except Exception:  # a console that is gone is nobody's failure
            return


def _short(value: Any) -> str:
    value = plain(value)
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, list):
        more = f", … {len(value)} in all" if len(value) > _SHOWN else ""
        return f"[{', '.join(_short(item) for item in value[:_SHOWN])}{more}]"
    text = value if isinstance(value, str) else as_json(value)
    return _one_line(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def _one_line(text: str) -> str:
    """With nothing in it that a terminal would obey."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
