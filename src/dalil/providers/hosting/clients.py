"""The clients of one adapter: one for each event loop that uses it, with its connections."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from dalil.errors import MissingExtraError
from dalil.providers.hosting.loops import PerLoop

_Client = TypeVar("_Client")


def package(name: str, extra: str, wanted_by: str) -> Any:
    """The provider's package, imported.

    Raises:
        MissingExtraError: if it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise missing_package(name, extra, wanted_by) from None


def missing_package(name: str, extra: str, wanted_by: str) -> MissingExtraError:
    """The error that says how to install a provider's package."""
    return MissingExtraError(f"The package {name}, behind {wanted_by},", f"pip install 'dalil[{extra}]'")


class Clients(Generic[_Client]):
    """Makes clients from a package that takes long to import, and closes them on the loops that they live on."""

    def __init__(
        self,
        load: Callable[[], Any],
        make: Callable[[Any], _Client],
        close: Callable[[_Client], Coroutine[Any, Any, None]],
    ):
        self._load = load
        self._close = close
        self._of_loop = PerLoop(lambda: make(load()))

    async def here(self) -> _Client:
        """The running loop's client.

        Raises:
            MissingExtraError: if the provider's package is not installed.
        """
        if not self._of_loop.knows_this_loop():
            await asyncio.to_thread(self._load)  # an import must not hold up the loop
        return self._of_loop.here()

    async def aclose(self) -> None:
        """Close every client's connections. The next call makes a new client."""
        for loop, client in self._of_loop.take_all().items():
            if loop is asyncio.get_running_loop():
                await self._close(client)
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._close(client), loop))
