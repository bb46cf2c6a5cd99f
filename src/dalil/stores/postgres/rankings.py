"""The cut after the best k, where equal scores are told apart by source name and ordinal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dalil.models import ScoredChunk
from dalil.stores.postgres.chunks import read_chunks
from dalil.stores.postgres.encoding import restored

_FEW = 64  # so many more rows than asked for are read rather than sorted out by a statement of their own


async def best(driver: Any, namespace: str, scores: Mapping[int, float], k: int) -> list[ScoredChunk]:
    """The best k of these chunks by key; little more than those are read."""
    if k <= 0 or not scores:
        return []
    ordered = sorted(scores, key=lambda key: -round(scores[key], 9))
    if len(ordered) > k:
        last = round(scores[ordered[k - 1]], 9)
        ordered = [key for key in ordered if round(scores[key], 9) >= last]
    if len(ordered) > k + _FEW:
        rows = await driver.fetch(
            "SELECT key, source, ordinal FROM dalil_chunks WHERE namespace = $1 AND key = ANY ($2)", namespace, ordered
        )
        places = {row["key"]: (restored(row["source"]), row["ordinal"]) for row in rows}
        ordered = sorted(places, key=lambda key: (-round(scores[key], 9), *places[key]))[:k]
    chunks = await read_chunks(driver, namespace, ordered)
    found = [ScoredChunk(chunk, scores[key]) for key, chunk in chunks.items()]
    return sorted(found, key=lambda candidate: candidate.rank)[:k]
