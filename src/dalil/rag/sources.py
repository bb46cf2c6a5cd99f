"""What an answer says of its sources: the markers in it, and the list under it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any

from dalil.answering.markers import MarkerFilter
from dalil.answering.prompts import Prompt
from dalil.rag.chunk_access import document_of

UNKNOWN_SOURCE = "unknown"


def format_sources(chunks: Sequence[tuple[Any, float]], max_sources: int = 3) -> str:
    """One line for each document of `chunks` with the score of its first chunk, at most `max_sources`; "" for none."""
    scores: dict[str, float] = {}
    for chunk, score in chunks:
        scores.setdefault(document_of(chunk) or UNKNOWN_SOURCE, score)
    lines = [f"• {source} (score: {score:.2f})" for source, score in list(scores.items())[:max_sources]]
    return "\n".join(["📚 Sources:", *lines]) if lines else ""


def without_dead_markers(prompt: str, answer: Any) -> Any:
    """The answer without the markers that lead to no source of the prompt; as it is for a prompt without evidence."""
    if not isinstance(prompt, Prompt) or not isinstance(answer, str):
        return answer
    markers = _markers(prompt)
    return markers.feed(answer) + markers.finish()


async def pieces_without_dead_markers(prompt: str, pieces: AsyncIterator[Any]) -> AsyncGenerator[Any, None]:
    """The same for an answer in pieces: what may become a marker is held back until it is one."""
    markers = _markers(prompt) if isinstance(prompt, Prompt) else None
    async for piece in pieces:
        shown = markers.feed(piece) if markers is not None and isinstance(piece, str) else piece
        if shown != "":
            yield shown
    if markers is not None and (rest := markers.finish()):
        yield rest


def _markers(prompt: Prompt) -> MarkerFilter:
    return MarkerFilter([item.marker for item in prompt.evidence])
