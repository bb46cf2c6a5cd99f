"""The thread on which models are loaded and run, and the models that several adapters share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakValueDictionary

_Result = TypeVar("_Result")

_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dalil-model")
"""One thread: models use every core themselves, are not all safe in two, and calls that wait can be cancelled."""
_LOADED: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()


async def on_model_thread(work: Callable[[], _Result]) -> _Result:
    """The result of `work`, run on the models' thread. Cancelled before its turn comes, it is not run."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, work)


def shared(key: Hashable, load: Callable[[], Any]) -> Any:
    """The model of that key: loaded once, kept as long as somebody uses it. For the models' thread only."""
    model = _LOADED.get(key)
    if model is None:
        model = _LOADED[key] = load()
    return model
