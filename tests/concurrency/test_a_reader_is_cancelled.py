"""A reader who is cancelled between two fragments is cancelled, and the model's generator is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from dalil.offloop import off_loop_each


class Slow:
    closed = False

    async def generate(self) -> AsyncIterator[str]:
        try:
            yield "first"
            await asyncio.sleep(30)
            yield "second"
        finally:
            self.closed = True


async def test_cancelling_while_a_fragment_is_awaited() -> None:
    model = Slow()
    first = asyncio.Event()

    async def read() -> None:
        async for _ in off_loop_each(model.generate()):
            first.set()

    reading = asyncio.create_task(read())
    await asyncio.wait_for(first.wait(), 10)
    await asyncio.sleep(0)  # the reader waits for the second fragment now
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert model.closed
