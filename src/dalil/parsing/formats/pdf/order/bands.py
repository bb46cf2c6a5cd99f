"""Bands of a page: from top to bottom, lines that stand in two columns, and lines that do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from dalil.parsing.formats.pdf.order.extents import Extent

_FEWEST_LINES = 3
_RUNNING_TEXT = 8.0
_BLANK = 0.9
_SHORTEST_LINE = 4.0
_MOSTLY = 0.7
_MOST_ROWS = 0.3
_FEWEST_ROWS = 3


@dataclass(slots=True)
class Band:
    """Lines between two heights of a page, and their parts to the left and right of an edge if that parts them.

    `open_to` says whether the band may be part of its neighbour's columns.
    """

    lines: list[Extent]
    left: list[Extent] = field(default_factory=list)
    right: list[Extent] = field(default_factory=list)
    is_columns: bool = False
    is_neutral: bool = False
    crosses: bool = False

    def absorb(self, other: Band) -> None:
        """Takes in the band below."""
        self.lines += other.lines
        self.left += other.left
        self.right += other.right
        self.is_columns = self.is_columns or other.is_columns
        self.is_neutral = self.is_neutral and other.is_neutral


def bands(lines: Sequence[Extent], x: float, size: float) -> list[Band]:
    """The bands of a page around an edge at `x`, from top to bottom; `size` is the usual height of its lines."""
    parts: list[Band] = []
    lowest = 0.0
    for line in sorted(lines, key=lambda line: -line.top):
        crosses = line.crosses(x)
        if not parts or parts[-1].crosses != crosses or (not crosses and lowest - line.top > _BLANK * size):
            parts.append(Band([], crosses=crosses))
            lowest = line.bottom
        parts[-1].lines.append(line)
        lowest = min(lowest, line.bottom)
    for band in parts:
        if not band.crosses:
            _judge(band, x, size)
    return _merged(parts, size)


def _judge(band: Band, x: float, size: float) -> None:
    """Cuts a band at its edge, and says whether that makes columns."""
    for line in band.lines:
        left, right = line.cut(x)
        if left:
            band.left.append(left)
        if right:
            band.right.append(right)
    sides = [side for side in (band.left, band.right) if side]
    runs = all(_is_running_text(side, size) for side in sides)
    band.is_columns = len(sides) == 2 and runs and min(map(len, sides)) >= _FEWEST_LINES
    band.is_neutral = runs or len(sides) == 1


def _is_running_text(side: Sequence[Extent], size: float) -> bool:
    """Whether stretches are mostly as long as lines of running text are, and not as short as cells of tables are."""
    widths = [end - start for line in side for start, end in line.stretches]
    long = sum(1 for width in widths if width >= _SHORTEST_LINE * size)
    return long >= _MOSTLY * len(widths) and median(widths) >= _RUNNING_TEXT * size


def _merged(parts: Sequence[Band], size: float) -> list[Band]:
    """Bands one under the other that are part of the same columns, as one; all others as rows."""
    merged: list[Band] = []
    for band in parts:
        fits = merged and not band.crosses and not merged[-1].crosses
        if fits and (band.is_columns or band.is_neutral) and (merged[-1].is_columns or merged[-1].is_neutral):
            merged[-1].absorb(band)
        else:
            merged.append(band)
    for band in merged:
        if band.is_columns and _is_table(band, size):
            band.is_columns = False
    return merged


def _is_table(band: Band, size: float) -> bool:
    """Whether wider blanks than those between lines go through both columns again and again, as between the rows of a
    table."""
    usual = median([*_blanks(band.left), *_blanks(band.right)] or [0.0])
    wide = usual + _BLANK * size / 2
    rows = 1 + sum(1 for blank in _blanks(band.lines) if blank > wide)
    return rows > _FEWEST_ROWS and rows > _MOST_ROWS * max(len(band.left), len(band.right))


def _blanks(lines: Sequence[Extent]) -> list[float]:
    """The heights between lines at which nothing stands."""
    blanks: list[float] = []
    lowest: float | None = None
    for line in sorted(lines, key=lambda line: -line.top):
        if lowest is not None and line.top < lowest:
            blanks.append(lowest - line.top)
        lowest = line.bottom if lowest is None else min(lowest, line.bottom)
    return blanks
