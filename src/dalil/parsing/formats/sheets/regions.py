"""The tables of a sheet: rectangles with empty rows or columns around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dalil.parsing.formats.sheets.cells import Value, is_empty, is_label

_DEEPEST = 20


class Region(NamedTuple):
    """A rectangle of a sheet, half-open."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def width(self) -> int:
        """Its number of columns."""
        return self.right - self.left


def find_regions(rows: Sequence[Sequence[Value]]) -> list[Region]:
    """The regions of a sheet from top to bottom, then from left to right.

    Parts that stand side by side at one height are one table with a gap in it. A part below another goes on with
    its table where it has no header of its own: empty rows only structure such a table.
    """
    width = max((len(row) for row in rows), default=0)
    found = _split(rows, Region(0, 0, len(rows), width), 0)
    joined: list[Region] = []
    for region in found:
        if joined and _goes_on(rows, joined[-1], region):
            above = joined[-1]
            joined[-1] = Region(above.top, above.left, region.bottom, max(above.right, region.right))
        else:
            joined.append(region)
    return joined


def first_row(rows: Sequence[Sequence[Value]], region: Region) -> int:
    """The row where the table of a region begins, after the rows above it that hold one cell: its title."""
    for index in range(region.top, region.bottom):
        if len(_filled(rows[index], region)) > 1:
            return index
    return region.top


def _split(rows: Sequence[Sequence[Value]], region: Region, depth: int) -> list[Region]:
    bands = _runs(
        [
            any(not is_empty(value) for value in row[region.left : region.right])
            for row in rows[region.top : region.bottom]
        ]
    )
    found: list[Region] = []
    for start, end in bands:
        band = Region(region.top + start, region.left, region.top + end, region.right)
        parts = _parts(rows, band)
        if (len(bands) == 1 and len(parts) <= 1) or depth >= _DEEPEST:
            found.extend(parts)
        else:
            found.extend(one for part in parts for one in _split(rows, part, depth + 1))
    return found


def _parts(rows: Sequence[Sequence[Value]], band: Region) -> list[Region]:
    """The parts of a band between its empty columns; those of one height as one."""
    used = [False] * band.width
    for row in rows[band.top : band.bottom]:
        for column, value in enumerate(row[band.left : band.right]):
            if not used[column] and not is_empty(value):
                used[column] = True
    parts = [Region(band.top, band.left + start, band.bottom, band.left + end) for start, end in _runs(used)]
    if len(parts) > 1 and len({_height(rows, part) for part in parts}) == 1:
        return [Region(band.top, parts[0].left, band.bottom, parts[-1].right)]
    return parts


def _height(rows: Sequence[Sequence[Value]], part: Region) -> tuple[int, int]:
    filled = [index for index in range(part.top, part.bottom) if _filled(rows[index], part)]
    return filled[0], filled[-1]


def _runs(flags: Sequence[bool]) -> list[tuple[int, int]]:
    """The half-open ranges in which the flags are set."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for index, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = index
        elif not flag and start is not None:
            runs.append((start, index))
            start = None
    return runs


def _goes_on(rows: Sequence[Sequence[Value]], above: Region, below: Region) -> bool:
    """Whether a region below another has the columns of its table and no header of its own."""
    if below.top < above.bottom or below.left < above.left or below.right > above.right or above.width < 2:
        return False
    start = first_row(rows, below)
    header = _filled(rows[start], below)
    if len(header) < 2:
        return False
    if not all(is_label(value) for value in header.values()):
        return True
    # A row of words is a header where the table above has numbers.
    last = rows[above.bottom - 1]
    return all(is_label(last[column]) or is_empty(last[column]) for column in header)


def _filled(row: Sequence[Value], region: Region) -> dict[int, Value]:
    return {
        region.left + offset: value
        for offset, value in enumerate(row[region.left : region.right])
        if not is_empty(value)
    }
