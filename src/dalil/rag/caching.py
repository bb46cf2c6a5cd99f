"""Remembering what was retrieved, for a while and up to a number of questions."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from dalil.errors import ConfigurationError

_Results = tuple[tuple[Any, float], ...]


class RetrievalCache:
    """A least-recently-used cache of result lists with a time to live. Any number of threads may use it.

    A question is remembered by its words (trimmed, lower-cased, white space folded) and its `top_k`. Lists are copied
    on their way in and out, so whoever changes one does not change what is remembered.

    Args:
        maxsize: how many lists are kept; the one that was not used for longest goes first.
        ttl: seconds that a list stays good; None, zero or less: for ever.

    Raises:
        ConfigurationError: if maxsize is not positive, or ttl is not a number.
    """

    def __init__(self, maxsize: int = 256, ttl: float | None = 300.0) -> None:
        if maxsize <= 0:
            raise ConfigurationError(f"maxsize must be positive, not {maxsize}.")
        if ttl is not None and math.isnan(ttl):
            raise ConfigurationError("ttl must be a number of seconds, or None for entries that never expire.")
        self.maxsize = maxsize
        self.ttl = ttl
        self._lifetime = ttl if ttl is not None and ttl > 0 else math.inf
        self._entries: OrderedDict[tuple[str, int], tuple[float, _Results]] = OrderedDict()
        self._lock = threading.RLock()
        self._hits = 0
        self._misses = 0
        self._epoch = 0

    @property
    def epoch(self) -> int:
        """How often anything was invalidated or cleared. Read it before retrieving and give it to `set`."""
        return self._epoch

    def get(self, query: str, top_k: int) -> list[tuple[Any, float]] | None:
        """A copy of the remembered (chunk, score) list, or None. Counts as a hit or a miss."""
        key = _key(query, top_k)
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and time.monotonic() < entry[0]:
                self._entries.move_to_end(key)
                self._hits += 1
                return list(entry[1])
            if entry is not None:
                del self._entries[key]
            self._misses += 1
            return None

    def set(self, query: str, top_k: int, results: Iterable[tuple[Any, float]], *, epoch: int | None = None) -> None:
        """Remember `results`, unless `epoch` is given and something was forgotten since: they may then be stale."""
        key, kept = _key(query, top_k), tuple(results)
        with self._lock:
            if epoch is not None and epoch != self._epoch:
                return
            self._entries[key] = (time.monotonic() + self._lifetime, kept)
            self._entries.move_to_end(key)
            while len(self._entries) > self.maxsize:
                self._entries.popitem(last=False)

    def invalidate(self, query: str, top_k: int) -> bool:
        """Forget one question; whether it was remembered. A retrieval under way will not bring it back."""
        with self._lock:
            self._epoch += 1
            return self._entries.pop(_key(query, top_k), None) is not None

    def clear(self) -> None:
        """Forget everything and set the counters of hits and misses to zero."""
        with self._lock:
            self._epoch += 1
            self._entries.clear()
            self._hits = self._misses = 0

    def stats(self) -> dict[str, Any]:
        """size and maxsize in entries, ttl in seconds, hits, misses, and hit_rate in [0, 1] (0.0 before any get)."""
        with self._lock:
            asked = self._hits + self._misses
            return {
                "size": len(self._entries),
                "maxsize": self.maxsize,
                "ttl": self.ttl,
                "hits": self._hits,
                "misses": self._misses,
                "hit_rate": self._hits / asked if asked else 0.0,
            }


def _key(query: str, top_k: int) -> tuple[str, int]:
    return " ".join(query.lower().split()), top_k
