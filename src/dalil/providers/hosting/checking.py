"""Answers of services, looked at before they are believed."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from dalil.errors import EmbeddingAPIError, EmbeddingDimensionError
from dalil.providers.hosting.failures import Cause, Failure


def in_order(items: Sequence[Any], indexes: Sequence[Any]) -> list[Any]:
    """The items in the order of their indexes, where these are 0 to n - 1; else as they came.

    Some servers give every item the index 0, or none.
    """
    if all(type(index) is int for index in indexes) and sorted(indexes) == list(range(len(items))):
        return [item for _, item in sorted(zip(indexes, items, strict=True), key=lambda pair: pair[0])]
    return list(items)


def checked_vectors(name: str, found: Sequence[Any], count: int, width: int | None) -> list[array[float]]:
    """The vectors as 32-bit floats: `count` of them, all of one width (`width`, where it is known), all finite.

    Raises:
        EmbeddingDimensionError: if their number or a width is another.
        EmbeddingAPIError: if a number is not finite, or is none.
    """
    if len(found) != count:
        raise EmbeddingDimensionError(f"{name} gave {len(found)} vectors for {count} texts.")
    vectors = []
    for values in found:
        try:
            vector = array("f", values)
        except (TypeError, OverflowError):
            raise EmbeddingAPIError(f"{name} gave something that is no vector of numbers.") from None
        width = width or len(vector)
        if len(vector) != width or not width:
            raise EmbeddingDimensionError(f"{name} gave a vector of {len(vector)} numbers in the place of {width}.")
        if not all(map(isfinite, vector)):
            raise EmbeddingAPIError(
                f"{name} gave a vector with numbers that are not finite.", advice="Check the model and its server."
            )
        vectors.append(vector)
    return vectors


def checked_scores(results: Sequence[Any], documents: int, wanted: int) -> list[tuple[int, float]]:
    """Pairs (index of the document, its score) from `{"index", "relevance_score"}` objects.

    Raises:
        Failure: if there are not as many as wanted, or an index or a score makes no sense.
    """
    pairs = [(result["index"], result["relevance_score"]) for result in results]
    sound = all(
        type(index) is int and 0 <= index < documents and type(score) in (int, float) and isfinite(score)
        for index, score in pairs
    )
    if not sound or len({index for index, _ in pairs}) != len(pairs) or len(pairs) != wanted:
        raise Failure(Cause.MALFORMED, "its scores do not match the documents")
    return [(index, float(score)) for index, score in pairs]


def numbers(usage: object, *path: str) -> object:
    """What lies under `path` in nested mappings; 0 where there is nothing."""
    for name in path:
        usage = usage.get(name, 0) if isinstance(usage, Mapping) else 0
    return usage
