"""Finding the columns of a page.

A column's edge is an upright strip that few lines cross, with running text on both sides. The lines that do cross it
(titles, wide figures and tables) part the page into bands. Bands without running text on both sides, such as
tables, are no columns: they are read row by row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from statistics import median

from dalil.parsing.formats.pdf.order.bands import Band, bands
from dalil.parsing.formats.pdf.order.extents import Extent

_BIN = 2.0
_FEWEST_LINES = 6
_NARROWEST = 18.0
_MOST_CROSSING = 0.4
_FEWEST_BESIDE = 3
_MOST_CANDIDATES = 6
_DEEPEST = 4


def regions(lines: Sequence[Extent], *, right_to_left: bool, depth: int = 0) -> list[list[Extent]]:
    """The lines of a page, cut into columns, in reading order; inside a region they keep the order they came in."""
    parts = _best_bands(lines) if depth < _DEEPEST else []
    if not any(band.is_columns for band in parts):
        return [list(lines)] if lines else []
    found: list[list[Extent]] = []
    for band in parts:
        if band.is_columns:
            sides = (band.right, band.left) if right_to_left else (band.left, band.right)
            for side in sides:
                found.extend(regions(_in_order(side), right_to_left=right_to_left, depth=depth + 1))
        else:
            found.append(_in_order(band.lines))
    return found


def _in_order(lines: Sequence[Extent]) -> list[Extent]:
    return sorted(lines, key=lambda line: line.number)


def _best_bands(lines: Sequence[Extent]) -> list[Band]:
    """The bands around the edge between columns that sets most lines side by side, or none."""
    if len(lines) < _FEWEST_LINES:
        return []
    size = median(line.top - line.bottom for line in lines)
    best: list[Band] = []
    most = 0
    for x in _candidates(lines, size):
        parted = bands(lines, x, size)
        count = sum(len(band.lines) for band in parted if band.is_columns)
        if count > most:
            best, most = parted, count
    return best


def _candidates(lines: Sequence[Extent], size: float) -> Iterator[float]:
    """Places of upright strips that few lines cross and that have lines on both sides, the clearest first."""
    left = min(line.left for line in lines)
    right = max(line.right for line in lines)
    if size <= 0 or not _NARROWEST * size < right - left < 1e5:
        return
    changes = [0] * (int((right - left) / _BIN) + 3)
    for line in lines:
        for begin, end in line.stretches:
            changes[int((begin - left) / _BIN)] += 1
            changes[int((end - left) / _BIN) + 1] -= 1
    counts = list(accumulate(changes))
    before = list(accumulate(counts, max))
    after = list(accumulate(reversed(counts), max))[::-1]
    strips: list[tuple[int, int, float]] = []
    start: int | None = None
    for place, count in enumerate(counts):
        beside = min(before[place], after[place])
        open_strip = beside >= _FEWEST_BESIDE and count <= _MOST_CROSSING * beside
        if open_strip and (start is None or count != counts[start]):
            if start is not None:
                strips.append(_strip(counts, before, after, start, place, left))
            start = place
        elif not open_strip and start is not None:
            strips.append(_strip(counts, before, after, start, place, left))
            start = None
    strips.sort(reverse=True)
    for _, _, x in strips[:_MOST_CANDIDATES]:
        yield x


def _strip(
    counts: Sequence[int], before: Sequence[int], after: Sequence[int], start: int, end: int, left: float
) -> tuple[int, int, float]:
    """How clear a strip of equal count is, how wide, and its middle."""
    return min(before[start], after[start]) - counts[start], end - start, left + _BIN * (start + end) / 2
