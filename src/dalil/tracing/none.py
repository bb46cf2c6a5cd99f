"""The tracer for those who do not trace."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class NoSpan:
    """A stage that nobody looks at."""

    def set(self, **attributes: Any) -> None: ...

    def child(self, name: str, **attributes: Any) -> NoSpan:
        return self

    def __enter__(self) -> NoSpan:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


class NoTracer:
    """Does nothing, quickly."""

    def event(self, name: str, **fields: Any) -> None: ...

    def span(self, name: str, **attributes: Any) -> NoSpan:
        return _NO_SPAN


_NO_SPAN = NoSpan()
