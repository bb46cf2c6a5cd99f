"""The pieces of an answer, whatever shape an LLM's `astream` gives them in."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator
from typing import Any


async def pieces_of(result: Any) -> AsyncGenerator[Any, None]:
    """The pieces of `result`, one after the other.

    An asynchronous generator or iterator gives its items as they are; a synchronous iterable the `str` of each, made
    in a thread. A string comes word by word, each with a space after it; anything else as one `str`. An awaitable is
    awaited first, and what it gives is then an asynchronous iterator, a string, or one `str`.
    """
    if inspect.isawaitable(result) and not hasattr(result, "__aiter__"):
        result = await result
        if not hasattr(result, "__aiter__") and not isinstance(result, str):
            yield str(result)
            return
    if hasattr(result, "__aiter__"):
        try:
            async for piece in result:
                yield piece
        finally:
            if hasattr(result, "aclose"):
                await result.aclose()
    elif isinstance(result, str):
        for word in result.split(" ") if result else ():
            yield f"{word} "
            await asyncio.sleep(0)
    elif hasattr(result, "__iter__"):
        pieces = iter(result)
        while (piece := await asyncio.to_thread(next, pieces, _END)) is not _END:
            yield str(piece)
    else:
        yield str(result)


_END = object()
