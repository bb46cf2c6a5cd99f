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
    try:
        while (item := await off_loop(_next(items))) is not _END:
            yield cast(_Result, item)
    finally:
        if isinstance(items, AsyncGenerator):
            await off_loop(_close(items))


_END = object()


async def _next(items: AsyncIterator[Any]) -> Any:
    return await anext(items, _END)


async def _close(items: AsyncGenerator[Any, None]) -> None:
    await items.aclose()


def _models_loop() -> asyncio.AbstractEventLoop:
    global _loop
    with _starting:
        if _loop is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="dalil-models", daemon=True).start()
            _loop = loop
        return _loop
