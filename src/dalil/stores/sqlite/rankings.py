"""The cut after the best k, where equal scores are told apart by source name and ordinal."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from dalil.models import ScoredChunk
from dalil.stores.sqlite.rows import read_chunks


def is_settled(scores: Sequence[float], k: int) -> bool:
    """Whether what was not proposed can be left out: there are k, and not everything equals the k-th."""
    ordered = sorted((round(score, 9) for score in scores), reverse=True)
    return k <= 0 or (len(ordered) >= k and ordered[-1] < ordered[k - 1])


def best(connection: sqlite3.Connection, scores: Mapping[int, float], k: int) -> list[ScoredChunk]:
    """The best k of these chunks by key; only those that may be among them are read."""
    if k <= 0:
        return []
    ordered = sorted(scores, key=lambda key: -round(scores[key], 9))
    last = round(scores[ordered[k - 1]], 9) if len(ordered) > k else float("-inf")
    chunks = read_chunks(connection, [key for key in ordered if round(scores[key], 9) >= last])
    found = [ScoredChunk(chunk, scores[key]) for key, chunk in chunks.items()]
    return sorted(found, key=lambda candidate: candidate.rank)[:k]
