"""Calls to one service: so many at a time, each within its time, made again by one policy."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

from dalil.errors import ConfigurationError
from dalil.providers.hosting.failures import Cause, Failure
from dalil.providers.hosting.loops import PerLoop
from dalil.providers.hosting.retrying import Attempts, RetryPolicy

_Result = TypeVar("_Result")
_LOG = logging.getLogger("dalil.providers")


class Line:
    """The way to one service. `timeout` is in seconds: for a whole answer, or for the next fragment of a stream.

    Raises:
        ConfigurationError: if `timeout` or `concurrency` is not positive.
    """

    def __init__(self, name: str, *, retry: RetryPolicy, concurrency: int, timeout: float):
        if concurrency < 1:
            raise ConfigurationError(f"concurrency must be positive, not {concurrency}.")
        if not timeout > 0:
            raise ConfigurationError(f"timeout_seconds must be positive, not {timeout}.")
        self._name = name
        self._retry = retry
        self.timeout = timeout
        self._gates = PerLoop(lambda: _Gate(concurrency))

    async def call(self, attempt: Callable[[], Awaitable[_Result]]) -> _Result:
        """What `attempt` gives, in as many attempts as the policy allows.

        Raises:
            Failure: the last one.
        """
        attempts, gate = Attempts(self._retry), self._gates.here()
        while True:
            async with gate:
                try:
                    async with asyncio.timeout(self.timeout):
                        return await attempt()
                except TimeoutError:
                    failure = _took_too_long(self.timeout)
                except Failure as failed:
                    failure = failed
            await self._wait(failure, attempts, gate)

    async def stream(self, attempt: Callable[[], AsyncGenerator[str, None]]) -> AsyncGenerator[str, None]:
        """The fragments that `attempt` gives. Once one of them has been handed on, there is no other attempt.

        Raises:
            Failure: the last one.
        """
        attempts, gate = Attempts(self._retry), self._gates.here()
        while True:
            said = False
            async with gate:
                fragments = attempt()
                try:
                    while True:
                        try:
                            async with asyncio.timeout(self.timeout):
                                fragment = await anext(fragments, None)
                        except TimeoutError:
                            failure = _took_too_long(self.timeout)
                            break
                        except Failure as failed:
                            failure = failed
                            break
                        if fragment is None:
                            return
                        said = True
                        yield fragment
                finally:
                    await fragments.aclose()
            if said:
                cause = failure.cause if failure.cause is Cause.TIMEOUT else Cause.FAILED
                raise Failure(cause, f"the answer broke off, {failure}", status=failure.status)
            await self._wait(failure, attempts, gate)

    async def _wait(self, failure: Failure, attempts: Attempts, gate: _Gate) -> None:
        seconds = attempts.wait_after(failure)
        if seconds is None:
            raise failure
        _LOG.info("%s %s; next attempt in %.2f s", self._name, failure, seconds)
        if failure.cause is Cause.RATE_LIMIT:
            gate.shut_for(seconds)
        else:
            await asyncio.sleep(seconds)


@dataclass(frozen=True)
class Calling:
    """How an adapter calls its service: seconds for one answer, the policy for trying again, calls at a time."""

    timeout_seconds: float = 60.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    concurrency: int = 4

    def line(self, name: str) -> Line:
        """The way to the service called `name`."""
        return Line(name, retry=self.retry, concurrency=self.concurrency, timeout=self.timeout_seconds)


class _Gate:
    """Lets so many calls through at a time, and none while the service wants to be left alone."""

    def __init__(self, places: int):
        self._places = asyncio.Semaphore(places)
        self._opens_at = 0.0

    def shut_for(self, seconds: float) -> None:
        self._opens_at = max(self._opens_at, asyncio.get_running_loop().time() + seconds)

    async def __aenter__(self) -> None:
        await self._places.acquire()
        try:
            while (seconds := self._opens_at - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110
                await asyncio.sleep(seconds)
        except BaseException:
            self._places.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._places.release()


def _took_too_long(seconds: float) -> Failure:
    return Failure(Cause.TIMEOUT, f"nothing came for {seconds:g} s", passing=True)


async def all_of(calls: Sequence[Coroutine[Any, Any, _Result]]) -> list[_Result]:
    """The results of calls made at once, in order. When one fails, the others are cancelled and waited for."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
