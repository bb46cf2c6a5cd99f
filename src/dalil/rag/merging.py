"""One ranked list out of the lists that several phrasings of a question found."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from typing import Any

from dalil.rag.chunk_access import identity_of

_log = logging.getLogger("dalil.rag")


def merge_retrieval_results(
    results_per_query: Iterable[Iterable[tuple[Any, float]]], top_k: int
) -> list[tuple[Any, float]]:
    """The best `top_k` of all results as (chunk, score), each chunk once, with its highest score.

    Args:
        results_per_query: one list of (chunk, score) for each phrasing. Chunks are told apart by `chunk_id`, else
            `id`, else `str(chunk)`.
        top_k: the most that may come back; zero or less gives none.

    Returns:
        By descending score; equal scores in the order in which their chunks first came, scores that are not a number
        last. The input is not changed.
    """
    best: dict[str, tuple[Any, float]] = {}
    for results in results_per_query:
        for chunk, score in results:
            key = identity_of(chunk)
            if key not in best or by_score((chunk, score)) < by_score(best[key]):
                best[key] = (chunk, score)
    merged = sorted(best.values(), key=by_score)
    kept = merged[: max(top_k, 0)]
    if len(kept) < len(merged):
        _log.debug("Merged results cut from %d to %d.", len(merged), len(kept))
    return kept


def by_score(result: tuple[Any, float]) -> tuple[bool, float]:
    """A sort key for (chunk, score): the highest score first, scores that are not a number last."""
    score = result[1]
    return (True, 0.0) if math.isnan(score) else (False, -score)
