"""The order in which boxes on a slide are read: cut along the widest gap, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_DEEPEST = 50
# Boxes are drawn larger than their text, so that neighbours overlap a little.
_SHRINK = 0.05


class Box(NamedTuple):
    """A place in English Metric Units, the origin at the top left."""

    left: float
    top: float
    right: float
    bottom: float


def reading_order(boxes: Sequence[Box], *, right_to_left: bool = False) -> list[int]:
    """The indexes of `boxes` as they are read: from the top, and from the side where reading begins.

    Where a gap runs through all of them they are read part by part. The widest gap comes first, so that two columns
    are read one after the other, and rows of cards card by card.
    """
    shrunk = [_shrunk(box) for box in boxes]
    return _ordered(shrunk, list(range(len(boxes))), right_to_left, 0)


def _ordered(boxes: Sequence[Box], indexes: list[int], right_to_left: bool, depth: int) -> list[int]:
    if len(indexes) < 2:
        return indexes
    rows = _gap([(boxes[i].top, boxes[i].bottom) for i in indexes])
    columns = _gap([(boxes[i].left, boxes[i].right) for i in indexes])
    if depth > _DEEPEST or not (rows or columns):
        return sorted(indexes, key=lambda i: (boxes[i].top, -boxes[i].right if right_to_left else boxes[i].left))
    if rows and (not columns or rows[0] >= columns[0]):
        first = [i for i in indexes if boxes[i].top < rows[1]]
        second = [i for i in indexes if boxes[i].top >= rows[1]]
    else:
        assert columns is not None
        first = [i for i in indexes if boxes[i].left < columns[1]]
        second = [i for i in indexes if boxes[i].left >= columns[1]]
        if right_to_left:
            first, second = second, first
    return _ordered(boxes, first, right_to_left, depth + 1) + _ordered(boxes, second, right_to_left, depth + 1)


def _gap(ranges: list[tuple[float, float]]) -> tuple[float, float] | None:
    """The width and the end of the widest gap between ranges, or None where they all hang together."""
    widest: tuple[float, float] | None = None
    reached: float | None = None
    for start, end in sorted(ranges):
        if reached is not None and start >= reached and (widest is None or start - reached > widest[0]):
            widest = (start - reached, start)
        reached = end if reached is None else max(reached, end)
    return widest


def _shrunk(box: Box) -> Box:
    across = (box.right - box.left) * _SHRINK
    down = (box.bottom - box.top) * _SHRINK
    return Box(box.left + across, box.top + down, box.right - across, box.bottom - down)
