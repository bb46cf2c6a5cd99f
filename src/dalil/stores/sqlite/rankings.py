"""The cut after the best k, where equal scores are told apart by source name and ordinal."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dalil.models import ScoredChunk
from dalil.stores.sqlite.rows import read_chunks


class Candidates(NamedTuple):
    """Keys of chunks that an index proposes, best first, and of others that it has not heard of.

    `complete` says that there are no more.
    """

    proposed: Sequence[int]
    others: Sequence[int] = ()
    complete: bool = False


def is_settled(scores: Mapping[int, float], candidates: Candidates, k: int) -> bool:
    """Whether the index need not be asked for more: there are k, and it came to proposing less than the k-th."""
    if k <= 0 or candidates.complete:
        return True
    if len(scores) < k:
        return False
    ordered = sorted((round(score, 9) for score in scores.values()), reverse=True)
    return any(round(scores[key], 9) < ordered[k - 1] for key in reversed(candidates.proposed) if key in scores)


def best(connection: sqlite3.Connection, scores: Mapping[int, float], k: int) -> list[ScoredChunk]:
    """The best k of these chunks by key; only those that may be among them are read."""
    if k <= 0:
        return []
    ordered = sorted(scores, key=lambda key: -round(scores[key], 9))
    last = round(scores[ordered[k - 1]], 9) if len(ordered) > k else float("-inf")
    chunks = read_chunks(connection, [key for key in ordered if round(scores[key], 9) >= last])
    found = [ScoredChunk(chunk, scores[key]) for key, chunk in chunks.items()]
    return sorted(found, key=lambda candidate: candidate.rank)[:k]
