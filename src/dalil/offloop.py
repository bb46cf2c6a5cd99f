"""Where models run: on one event loop of their own, in a thread, so that none of them can block the caller's.

An `async def embed` that computes instead of waiting would freeze everything else; here it delays only other models.
One lasting loop, not a new one for each call, so that clients keep their connections.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from typing import Any, TypeVar, cast

_Result = TypeVar("_Result")
_starting = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


async def off_loop(work: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of `work`, run on the models' loop. Cancelling the caller cancels it there."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, _models_loop()))


def wait_off_loop(work: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of `work`, run on the models' loop; the calling thread waits. Not to be called on a loop's thread."""
    return asyncio.run_coroutine_threadsafe(work, _models_loop()).result()


async def off_loop_each(items: AsyncIterator[_Result]) -> AsyncGenerator[_Result, None]:
    """What `items` gives, one after the other, each made on the models' loop; closed there when its reader leaves."""
    reading = _Reading(items)
    try:
        while (item := await off_loop(reading.next())) is not _END:
            yield cast(_Result, item)
    finally:
        await off_loop(reading.close())


_END = object()


class _Reading:
    """Items read on the models' loop, one step at a time: a cancelled step ends there a moment later than here."""

    def __init__(self, items: AsyncIterator[Any]):
        self._items = items
        self._step = asyncio.Lock()

    async def next(self) -> Any:
        async with self._step:
            return await anext(self._items, _END)

    async def close(self) -> None:
        async with self._step:
            if isinstance(self._items, AsyncGenerator):
                await self._items.aclose()


def _models_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _starting:
        if _loop is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="dalil-models", daemon=True).start()
            _loop = loop
        return _loop
