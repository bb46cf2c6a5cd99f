"""Postings in bytes: which chunks hold a term, how often, and how long they are; and BM25 over them.

The scores are those of `dalil.text.bm25`, in the same order of the same operations, for many chunks at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dalil.models import LexicalSignals
from dalil.text.bm25 import K1, B, QueryScorer, WordStatistics

POSTING = np.dtype([("chunk", "<i8"), ("count", "<i4"), ("length", "<i4")])


def packed(chunks: Iterable[tuple[int, Sequence[str]]]) -> dict[str, bytes]:
    """The postings of each term of these chunks, given as key and tokens."""
    postings: dict[str, list[tuple[int, int, int]]] = {}
    for key, tokens in chunks:
        for term, count in Counter(tokens).items():
            postings.setdefault(term, []).append((key, count, len(tokens)))
    return {term: np.array(entries, POSTING).tobytes() for term, entries in postings.items()}


def without(data: bytes, gone: set[int]) -> bytes:
    """The postings of chunks that are not gone."""
    entries = np.frombuffer(data, POSTING)
    return entries[~np.isin(entries["chunk"], list(gone))].tobytes()


def scored(
    postings: Mapping[str, bytes], scorer: QueryScorer, statistics: WordStatistics
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The keys of the chunks in these postings, and their BM25 scores."""
    lists = {term: np.frombuffer(postings[term], POSTING) for term in scorer.weights if term in postings}
    if not lists:
        return np.zeros(0, np.int64), np.zeros(0)
    keys = np.unique(np.concatenate([entries["chunk"] for entries in lists.values()]))
    scores = np.zeros(len(keys))
    average = statistics.tokens / statistics.chunks if statistics.chunks else 0.0
    for term, entries in lists.items():
        counts = entries["count"].astype(np.float64)
        relative = entries["length"] / average if average else np.zeros(len(entries))
        damping = K1 * (1.0 - B + B * relative)
        places = np.searchsorted(keys, entries["chunk"])
        scores[places] += scorer.weights[term] * counts * (K1 + 1.0) / (counts + damping)
    return keys, scores


def top(keys: NDArray[np.int64], scores: NDArray[np.float64], k: int) -> dict[int, float]:
    """The scores of the best k, and of all that equal the last of them."""
    if len(keys) > k > 0:
        last = np.partition(scores, len(scores) - k)[len(scores) - k]
        chosen = scores >= last - 2e-9  # scores are compared after rounding to 1e-9
        keys, scores = keys[chosen], scores[chosen]
    return dict(zip(keys.tolist(), scores.tolist(), strict=True))


def signals_of(tokens: str, length: int, scorer: QueryScorer) -> LexicalSignals:
    """The signals of one chunk, given as its stored tokens (each between two blanks)."""
    counts = {term: count for term in scorer.weights if (count := tokens.count(f" {term} "))}
    return scorer.score(counts, length)
