"""One event loop in a thread of its own: how synchronous code waits for asynchronous components.

One lasting loop, not a new one for each call, so that clients keep their connections; and never the caller's own, so
that it works inside a notebook, where a loop is running already.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable
from typing import Any, TypeVar

from dalil.errors import RAGError

_Result = TypeVar("_Result")


class BackgroundLoop:
    """An event loop in a daemon thread, started by its first use and lasting until the process ends."""

    def __init__(self, name: str = "dalil-rag"):
        self._name = name
        self._starting = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, awaitable: Awaitable[_Result]) -> _Result:
        """The result of `awaitable`, waited for by the calling thread.

        The awaitable sees the caller's context variables. Interrupting the caller cancels it.

        Raises:
            RAGError: when called on this very loop, which would wait for itself for ever.
            Exception: whatever the awaitable raises.
        """
        loop = self._running()
        if threading.current_thread() is self._thread:
            if inspect.iscoroutine(awaitable):
                awaitable.close()
            raise RAGError(
                "A synchronous method was called by an asynchronous component, and would wait for itself.",
                advice="Await the asynchronous method instead, or call the synchronous one in asyncio.to_thread.",
            )
        future = asyncio.run_coroutine_threadsafe(_result_of(awaitable), loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def arun(self, awaitable: Awaitable[_Result]) -> _Result:
        """The result of `awaitable`, made on this loop, awaited on the caller's. Cancelling it cancels both."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_result_of(awaitable), self._running()))

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            # A forked process has the loop but not its thread.
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True)
                self._thread.start()
            return self._loop


async def _result_of(awaitable: Awaitable[_Result]) -> _Result:
    return await awaitable


_lasting = BackgroundLoop()


def run_blocking(awaitable: Awaitable[_Result]) -> _Result:
    """The result of `awaitable`, run on the one background loop of the process; see `BackgroundLoop.run`."""
    return _lasting.run(awaitable)


def settled(result: Any) -> Any:
    """`result` itself, or, if it is an awaitable, what it gives."""
    return run_blocking(result) if inspect.isawaitable(result) else result
