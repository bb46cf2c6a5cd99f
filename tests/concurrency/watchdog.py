"""How long the event loop is held up while a call runs beside it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

TICK = 0.005
LONGEST = 0.050
"""Seconds between two ticks of 5 ms that still count as a free loop on a busy machine."""


async def worst_gap(call: Callable[[], Awaitable[Any]]) -> float:
    """The longest time between two ticks while `call()` ran."""
    worst = 0.0
    running = True

    async def tick() -> None:
        nonlocal worst
        last = perf_counter()
        while running:
            await asyncio.sleep(TICK)
            now = perf_counter()
            worst = max(worst, now - last)
            last = now

    gc.collect()
    gc.freeze()  # what the test run itself holds would be looked through in one go, again and again
    ticker = asyncio.create_task(tick())
    await asyncio.sleep(TICK * 3)
    try:
        await call()
    finally:
        running = False
        await ticker
        gc.unfreeze()
    return worst


async def assert_loop_stays_free(call: Callable[[], Awaitable[Any]], attempts: int = 3) -> None:
    """`call()` leaves the loop free in one of a few attempts: the machine itself may be held up in the others."""
    gaps = []
    for _ in range(attempts):
        gaps.append(await worst_gap(call))
        if gaps[-1] < LONGEST:
            return
    milliseconds = ", ".join(f"{gap * 1000:.0f}" for gap in gaps)
    raise AssertionError(f"the event loop was blocked for {milliseconds} ms")
