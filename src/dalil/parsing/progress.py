"""How a reader says that it gets on, where it looks at every page before it can give the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def page_looked_at(number: int) -> None:
    """Tells whoever waits for the pages that `number` of them were looked at, so that it waits on. It is cheap."""
    listener = _listener.get()
    if listener is not None:
        listener(number)


@contextmanager
def told_to(listener: Listener) -> Iterator[None]:
    """Within it, `listener` is told."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
