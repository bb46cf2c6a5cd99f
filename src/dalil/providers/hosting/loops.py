"""Things that belong to one event loop, made when it first needs them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_Thing = TypeVar("_Thing")


class PerLoop(Generic[_Thing]):
    """One thing for each event loop. Those of closed loops are forgotten."""

    def __init__(self, make: Callable[[], _Thing]):
        self._make = make
        self._lock = threading.Lock()
        self._things: dict[asyncio.AbstractEventLoop, _Thing] = {}

    def here(self) -> _Thing:
        """The one of the running loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in self._things:
                self._things = {other: thing for other, thing in self._things.items() if not other.is_closed()}
                self._things[loop] = self._make()
            return self._things[loop]

    def knows_this_loop(self) -> bool:
        """Whether the running loop has one already."""
        with self._lock:
            return asyncio.get_running_loop() in self._things

    def take_all(self) -> dict[asyncio.AbstractEventLoop, _Thing]:
        """All of them, which are then forgotten."""
        with self._lock:
            taken, self._things = self._things, {}
            return taken
