"""Calling the caller's four components, whether their methods are synchronous or asynchronous."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from dalil.answering.prompts import Prompt
from dalil.errors import RAGInitializationError
from dalil.rag.loop import settled

logger = logging.getLogger("dalil.rag")

COMPONENTS = ("vector_db", "llm", "chunker", "context_manager")


def require_components(**components: Any) -> None:
    """Check that all four are there.

    Raises:
        RAGInitializationError: naming every one that is None.
    """
    missing = [name for name in COMPONENTS if components.get(name) is None]
    if missing:
        raise RAGInitializationError(f"RAGSystem needs {', '.join(missing)}.", details={"missing": missing})


def call(method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of `method`; if that is an awaitable, the calling thread waits for it."""
    return settled(method(*args, **kwargs))


async def acall(component: Any, names: tuple[str, ...], *args: Any, **kwargs: Any) -> Any:
    """The result of the first method of `names` that `component` has. The last name is the synchronous one.

    An asynchronous method runs on the caller's loop; a synchronous one runs in a thread, so that it blocks nobody.
    """
    *asynchronous, synchronous = names
    for name in asynchronous:
        if (method := getattr(component, name, None)) is not None:
            return await _awaited(method(*args, **kwargs))
    method = getattr(component, synchronous)
    if inspect.iscoroutinefunction(method):
        return await method(*args, **kwargs)
    return await _awaited(await asyncio.to_thread(method, *args, **kwargs))


def is_asynchronous(component: Any, names: tuple[str, ...]) -> bool:
    """Whether `acall` would run on the caller's loop."""
    *asynchronous, synchronous = names
    return any(getattr(component, name, None) is not None for name in asynchronous) or inspect.iscoroutinefunction(
        getattr(component, synchronous, None)
    )


async def _awaited(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


def probe(system: Any, question: str) -> dict[str, str]:
    """Why each component does not work, "" for one that does. The context is built only from what is found."""
    found: list[Any] = []

    def search() -> None:
        found.extend(call(system.vector_db.search, question, top_k=1, score_threshold=0.0))

    def answer() -> None:
        # A message, not a bare text: the answerer that only quotes can reply to that without evidence.
        call(system.llm.generate, Prompt(question, question=question, kind="conversation"))

    def chunk() -> None:
        call(getattr(system.chunker, chunk_method(system.chunker)), question, "validate_connection")

    def build() -> None:
        if found:
            call(system.context_manager.build, question, found)

    attempts = (search, answer, chunk, build)
    return {name: _failure_of(attempt) for name, attempt in zip(COMPONENTS, attempts, strict=True)}


def chunk_method(chunker: Any) -> str:
    """Which method chunks: `chunk_text` where the chunker has it, else `chunk`."""
    return "chunk_text" if hasattr(chunker, "chunk_text") else "chunk"


def clean_up(system: Any) -> None:
    """Call `cleanup()` of each component that has one; what they raise is logged."""
    for name in COMPONENTS:
        component = getattr(system, name)
        if hasattr(component, "cleanup"):
            reason = _failure_of(partial(call, component.cleanup))
            if reason:
                logger.error("The cleanup of %s failed: %s", name, reason)


def _failure_of(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except Exception as error:
        return str(error) or type(error).__name__
    return ""
