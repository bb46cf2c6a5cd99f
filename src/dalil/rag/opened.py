"""The open engine of a local index: never closed or exchanged while anyone is at work with it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ClassVar

from dalil.errors import StoreUnavailableError
from dalil.sage import RagSage


class OpenSage:
    """The engine, shared by an index and its narrowed views. What is awaited of it belongs on one loop.

    Users share it; closing and renewing wait until those at work are done, and those who come meanwhile wait in turn.
    """

    _process: ClassVar[int | None] = None
    """Which process first used one: the threads of the models and the locks of SQLite do not survive a fork."""

    def __init__(self, open_sage: Callable[[], RagSage]):
        self._open_sage = open_sage
        self.sage = open_sage()
        self.times = 1
        """How many engines this has been."""
        self.counting = asyncio.Lock()
        """Held while the store is counted, so that an older count never comes after a newer one."""
        self._users = 0
        self._idle: asyncio.Event | None = None  # set by the last user, while somebody waits for that
        self._closing: asyncio.Event | None = None  # set when new users may come again

    @asynccontextmanager
    async def used(self) -> AsyncIterator[RagSage]:
        """The engine, which stays open until the block ends. Blocks must not be nested."""
        self.check_process()
        while self._closing is not None:
            await self._closing.wait()
        OpenSage._process = os.getpid()
        self._users += 1
        try:
            yield self.sage
        finally:
            self._users -= 1
            if self._idle is not None and not self._users:
                self._idle.set()

    async def close(self) -> None:
        """Close the store; it opens anew when it is used again."""
        self.check_process()
        async with self._alone():
            await self.sage.dispose()

    async def renew(self) -> None:
        """Put a new engine in the place of this one, for a store whose content was exchanged."""
        fresh = self._open_sage()
        await fresh.migrate()  # before anyone can see it: a search under way may ask for its profile at once
        async with self._alone():
            before, self.sage = self.sage, fresh
            self.times += 1
            await before.dispose()

    def check_process(self) -> None:
        """Refuse what would hang.

        Raises:
            StoreUnavailableError: in a process that was forked from one that had used any local system.
        """
        if self._process not in (None, os.getpid()):
            raise StoreUnavailableError(
                "A local system was used before this process was forked, and cannot be used on both sides.",
                advice="Fork before the first use, or start processes by the method 'spawn'.",
            )

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        while self._closing is not None:
            await self._closing.wait()
        closing = self._closing = asyncio.Event()
        try:
            if self._users:
                self._idle = asyncio.Event()
                await self._idle.wait()
            yield
        finally:
            self._closing = self._idle = None
            closing.set()
