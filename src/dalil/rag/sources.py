"""The list of sources under an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dalil.rag.chunk_access import document_of

UNKNOWN_SOURCE = "unknown"


def format_sources(chunks: Sequence[tuple[Any, float]], max_sources: int = 3) -> str:
    """One line for each document of `chunks` with the score of its first chunk, at most `max_sources`; "" for none."""
    scores: dict[str, float] = {}
    for chunk, score in chunks:
        scores.setdefault(document_of(chunk) or UNKNOWN_SOURCE, score)
    lines = [f"• {source} (score: {score:.2f})" for source, score in list(scores.items())[:max_sources]]
    return "\n".join(["📚 Sources:", *lines]) if lines else ""
