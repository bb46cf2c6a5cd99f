"""Which lines of a page are a table without upright rules: rows of numbers under each other, and their head."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from dalil.parsing.formats.pdf.tables.columns import Span
from dalil.parsing.formats.pdf.tables.lines import TextLine

_FARTHEST_ROWS = 3.6
_MOST_BETWEEN = 9
_SAME_LEFT = 0.3
_CENTRED = 1.5
_FARTHEST_HEAD = 2.6
_LONGEST_HEAD = 10
_LONGEST_SECTION = 12
_WRAPPED = 1.5
_MOST_HEAD_LINES = 8
_REMEMBERED = 20


@dataclass(frozen=True)
class Region:
    """The lines of one table, from top to bottom: its head, which may be empty, and its body."""

    head: list[TextLine]
    body: list[TextLine]


def regions(lines: Sequence[TextLine]) -> list[Region]:
    """The stretches of lines that look like tables; whether they are is decided by their columns."""
    found: list[Region] = []
    start = 0
    rows = [index for index, line in enumerate(lines) if line.is_row]
    position = 0
    while position < len(rows):
        last = position
        group = _Group(lines[rows[position]])
        while last + 1 < len(rows) and _goes_on(lines, rows[last], rows[last + 1], group):
            last += 1
            group.add(lines[rows[last]])
        region = _region(lines, start, rows[position], rows[last])
        start = rows[last] + 1
        position = last + 1
        found.append(region)
    return found


class _Group:
    """The last rows that were put together, which tell whether the next one goes with them."""

    def __init__(self, row: TextLine) -> None:
        self.only_years = True
        self._rows: deque[TextLine] = deque(maxlen=_REMEMBERED)
        self.add(row)

    @property
    def values(self) -> list[Span]:
        """Where the numbers of the rows stand."""
        return [span for row in self._rows for span in _values(row)]

    def add(self, row: TextLine) -> None:
        self._rows.append(row)
        self.only_years = self.only_years and row.is_row_of_years

    def is_aligned(self, row: TextLine) -> bool:
        """Whether a row's numbers stand under others, or its further cells begin where others begin."""
        own = _values(row)
        if any(span.overlap(*value) > 0 for value in self.values for span in own):
            return True
        near = _SAME_LEFT * row.height
        return any(
            abs(unit.left - other.left) < near
            for above in self._rows
            for number, other in enumerate(above.units)
            for unit in (row.units if number else row.units[1:])
        )


def _values(line: TextLine) -> list[Span]:
    """Where the numbers of a row stand that are not its first cell."""
    return [Span(unit.left, unit.right) for unit in line.units[1:] if unit.is_number]


def _goes_on(lines: Sequence[TextLine], above: int, below: int, group: _Group) -> bool:
    """Whether a row is part of the same table as the one above it."""
    if below - above > _MOST_BETWEEN:
        return False
    for upper, lower in pairwise(lines[above : below + 1]):
        if upper.middle - lower.middle > _FARTHEST_ROWS * max(upper.height, lower.height):
            return False
    row = lines[below]
    if not group.only_years and row.is_row_of_years and _is_head_line(row):
        return False
    if not group.is_aligned(row):
        return False
    table = [*group.values, *_values(row)]
    return all(_may_stand_between(line, table, group.only_years) for line in lines[above + 1 : below])


def _is_head_line(line: TextLine) -> bool:
    """Whether a line of years heads columns: several years, or one and a label that speaks of a period."""
    years = sum(1 for unit in line.units if unit.is_year)
    if years == len(line.units):
        return years > 1
    words = line.units[0].text.lower()
    return years > 1 and any(word in words for word in ("ended", "as of", "millions", "thousands", "year"))


def _may_stand_between(line: TextLine, values: Sequence[Span], in_head: bool) -> bool:
    """Whether a line between two rows can be part of the table: a section's name, a wrapped label, a head."""
    first = min(span.left for span in values)
    over = [span for span in values if span.overlap(line.left, line.right) > 0]
    if not over:
        return line.right <= first or len(line.units) > 1
    if line.left >= first or len(line.units) > 1:
        heads_columns = line.left >= first and not any(unit.is_number for unit in line.units)
        return in_head or not heads_columns
    return len(line.tokens) <= _LONGEST_SECTION and line.right < max(span.right for span in values)


def _region(lines: Sequence[TextLine], start: int, first: int, last: int) -> Region:
    rows = [line for line in lines[first : last + 1] if line.is_row and not line.is_row_of_years]
    rows = rows or [line for line in lines[first : last + 1] if line.is_row]
    zone = _Zone.of(rows)
    body_start = next(index for index in range(first, last + 1) if lines[index] is rows[0])
    head_start = _head_start(lines, start, first, zone)
    heads = [
        index
        for index in range(head_start, body_start)
        # Rows of years at the top belong to the head.
        if (index >= first and lines[index].is_row) or zone.is_headed_by(lines[index])
    ]
    end = heads[-1] + 1 if heads else head_start
    return Region(list(lines[head_start:end]), [*lines[end : last + 1], *_wrapped(lines, last, zone)])


class _Zone(NamedTuple):
    """Where the rows of a table stand, where their labels end, and where their numbers begin and end."""

    left: float
    labels_end: float
    numbers_start: float
    right: float

    @classmethod
    def of(cls, rows: Sequence[TextLine]) -> _Zone:
        values = [span for row in rows for span in _values(row)]
        start = min(span.left for span in values)
        ends = [row.units[0].right for row in rows if row.units[0].right < start]
        return cls(min(row.left for row in rows), max(ends, default=start), start, max(span.right for span in values))

    def is_headed_by(self, line: TextLine) -> bool:
        """Whether a line stands over columns of numbers and does not look like a sentence or a title."""
        if any(len(unit.tokens) > _LONGEST_HEAD for unit in line.units):
            return False
        if not any(unit.right > self.numbers_start and unit.left < self.right for unit in line.units):
            return False
        if len(line.units) > 1:
            return True
        if line.left < self.labels_end:
            return False
        middle = (line.left + line.right) / 2
        # A title stands in the middle of the whole table, a head over its numbers.
        return abs(middle - (self.left + self.right) / 2) > _CENTRED * line.height


def _head_start(lines: Sequence[TextLine], start: int, first: int, zone: _Zone) -> int:
    """The first line of the head above a row: lines over the columns of numbers, up to the first that is not."""
    found = first
    for index in range(first - 1, max(start, first - _MOST_HEAD_LINES) - 1, -1):
        line, below = lines[index], lines[index + 1]
        if line.middle - below.middle > _FARTHEST_HEAD * max(line.height, below.height):
            break
        if zone.is_headed_by(line) or (found == index + 1 and found < first and _goes_over(line, below)):
            found = index
        elif line.right > zone.numbers_start or len(line.units) > 1:
            break
    return found


def _goes_over(line: TextLine, below: TextLine) -> bool:
    """Whether a line is the beginning of one of the heads in the line under it."""
    if len(line.units) > 1 or line.middle - below.middle > _WRAPPED * line.height:
        return False
    margin = line.height
    return len(line.tokens) <= _LONGEST_HEAD and any(
        unit.left - margin <= line.left and line.right <= unit.right + margin for unit in below.units[1:]
    )


def _wrapped(lines: Sequence[TextLine], last: int, zone: _Zone) -> list[TextLine]:
    """The lines under the last row in which its label goes on."""
    found: list[TextLine] = []
    for above, line in zip(lines[last:], lines[last + 1 : last + 4], strict=False):
        near = above.middle - line.middle < _WRAPPED * line.height
        if not near or len(line.units) > 1 or line.right > zone.numbers_start or not line.tokens[0].text[:1].islower():
            break
        found.append(line)
    return found
