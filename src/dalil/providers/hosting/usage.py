"""What the calls of one adapter have cost so far."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class ProviderUsage:
    """Requests that were answered, and the tokens that the service says it read and wrote.

    `search_units` is what Cohere counts reranking in.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    search_units: int = 0


class UsageMeter:
    """Adds up usage; any thread may add and read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._total = ProviderUsage()

    def add(self, *, input_tokens: object = 0, output_tokens: object = 0, search_units: object = 0) -> None:
        """Count one answered request. What is not a number counts nothing: usage never fails a call."""
        with self._lock:
            total = self._total
            self._total = replace(
                total,
                requests=total.requests + 1,
                input_tokens=total.input_tokens + _count(input_tokens),
                output_tokens=total.output_tokens + _count(output_tokens),
                search_units=total.search_units + _count(search_units),
            )

    @property
    def total(self) -> ProviderUsage:
        """All of it until now."""
        with self._lock:
            return self._total


def _count(value: object) -> int:
    return int(value) if isinstance(value, int | float) and 0 <= value < 1e15 else 0
