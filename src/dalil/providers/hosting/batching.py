"""Many texts as few requests, each within what a service takes at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dalil.text import estimate_tokens, remove_unencodable

_NOTHING = "."
"""What is embedded in the place of a blank text, which services refuse."""


@dataclass(frozen=True)
class Limits:
    """What one request may hold: texts, tokens of them all (estimated), and code points of each text."""

    texts: int
    tokens: int
    longest_text: int


def clean(text: str, limits: Limits) -> str:
    """The text as a service can take it: encodable, without NULs, not blank, cut where it is too long."""
    text = remove_unencodable(text[: limits.longest_text])
    return text if text.strip() else _NOTHING


def batches(texts: Sequence[str], limits: Limits, *, for_each: int = 0) -> Iterator[Sequence[str]]:
    """`texts` in runs within the limits, in order. `for_each` tokens count with every text (a query, say).

    A text that is over the limit alone is a run alone.
    """
    batch: list[str] = []
    tokens = 0
    for text in texts:
        size = estimate_tokens(text) + for_each
        if batch and (len(batch) >= limits.texts or tokens + size > limits.tokens):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += size
    if batch:
        yield batch
