"""The tracer for machines: a line of JSON for each question and each point event."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

from dalil.tracing.content import allowed
from dalil.tracing.plain import plain
from dalil.tracing.recording import RecordedSpan, Recorder

_LOG = logging.getLogger("dalil.tracing")


class JsonLinesTracer(Recorder):
    """Writes a line when a root span ends, with everything inside it, and a line for each point event.

    To a stream, or to the end of the file at a path: each line in one piece, whichever thread or process it comes
    from. What cannot be written is lost; the first loss is logged as a warning under "dalil.tracing". Texts (questions,
    passages, prompts, answers, messages of exceptions) are written only with `record_content`.
    """

    def __init__(self, stream_or_path: TextIO | str | os.PathLike[str], *, record_content: bool = False) -> None:
        super().__init__(record_content=record_content)
        self._target = stream_or_path
        self._writing = threading.Lock()
        self._torn = False
        self._warned = False

    def happened(self, name: str, fields: dict[str, Any], span: RecordedSpan | None) -> None:
        self._write(
            lambda: {
                "type": "event",
                "name": name,
                "time": _moment(time.time()),
                "trace_id": span and span.trace_id,
                "span_id": span and span.span_id,
                "fields": self._told(fields),
            }
        )

    def ended(self, root: RecordedSpan) -> None:
        self._write(lambda: {"type": "span", "trace_id": root.trace_id, **self._span(root)})

    def _span(self, span: RecordedSpan) -> dict[str, Any]:
        return {
            "name": span.name,
            "span_id": span.span_id,
            "parent_id": span.parent_id,
            "tenant": plain(span.tenant),
            "start": _moment(span.started),
            "duration_ms": None if span.seconds is None else round(span.seconds * 1000, 3),
            "error": span.failure(content=self.records_content),
            "attributes": self._told(span.attributes),
            "children": [self._span(child) for child in list(span.children)],
        }

    def _told(self, attributes: Mapping[str, Any]) -> dict[str, Any]:
        return {name: plain(value) for name, value in allowed(attributes, content=self.records_content).items()}

    def _write(self, line: Callable[[], dict[str, Any]]) -> None:
        try:
            text = json.dumps(line(), ensure_ascii=False)
            with self._writing:
                if isinstance(self._target, (str, os.PathLike)):
                    self._append(self._target, text)
                else:
                    _say(self._target, text)
        except Exception as error:
            if not self._warned:
                self._warned = True
                _LOG.warning("A trace could not be written: %s.", error)

    def _append(self, path: str | os.PathLike[str], text: str) -> None:
        """In one call, so that lines of several processes do not mix; after a line that was cut off, on a new one."""
        line = f"{text}\n".encode("utf-8", "backslashreplace")
        data = b"\n" + line if self._torn else line
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        try:
            written = os.write(file, data)
            self._torn = 0 < written < len(data) or (self._torn and not written)
            if written < len(data):
                raise OSError(f"only {written} of {len(data)} bytes could be written")
        finally:
            os.close(file)


def _say(stream: TextIO, text: str) -> None:
    try:
        stream.write(text + "\n")
    except UnicodeEncodeError:  # a stream that cannot write every letter
        stream.write(json.dumps(json.loads(text)) + "\n")
    stream.flush()


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
