"""Where printed lines stand on a page, as far as their order depends on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

_WIDE_GAP = 0.9


class Extent(NamedTuple):
    """A printed line, or the part of it in one column: its box, and its stretches without a wide gap.

    `number` is that of the line on its page. The stretches go from left to right. `cut_left` and `cut_right` are the
    edges of the column.
    """

    number: int
    left: float
    bottom: float
    right: float
    top: float
    stretches: tuple[tuple[float, float], ...]
    cut_left: float = float("-inf")
    cut_right: float = float("inf")

    @property
    def is_whole(self) -> bool:
        """Whether nothing was cut off."""
        return self.cut_left == float("-inf") and self.cut_right == float("inf")

    def crosses(self, x: float) -> bool:
        """Whether something of the line stands at `x`."""
        return any(left < x < right for left, right in self.stretches)

    def cut(self, x: float) -> tuple[Extent | None, Extent | None]:
        """The parts of a line to the left and to the right of `x`, at which nothing stands."""
        if self.right <= x:
            return self, None
        if self.left >= x:
            return None, self
        before = tuple(stretch for stretch in self.stretches if stretch[1] <= x)
        after = tuple(stretch for stretch in self.stretches if stretch[0] >= x)
        return (
            self._replace(right=before[-1][1], stretches=before, cut_right=x),
            self._replace(left=after[0][0], stretches=after, cut_left=x),
        )


def extent(number: int, boxes: Iterable[tuple[float, float, float, float]]) -> Extent:
    """The extent of the line of that number, of whose words or glyphs the boxes are given in any order."""
    ordered = sorted(boxes)
    bottom = min(box[1] for box in ordered)
    top = max(box[3] for box in ordered)
    wide = _WIDE_GAP * max(box[3] - box[1] for box in ordered)
    stretches: list[tuple[float, float]] = []
    start, end = ordered[0][0], ordered[0][2]
    for left, _, right, _ in ordered:
        if left - end > wide:
            stretches.append((start, end))
            start = left
        end = max(end, right)
    stretches.append((start, end))
    return Extent(number, ordered[0][0], bottom, end, top, tuple(stretches))
