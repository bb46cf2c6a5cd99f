"""The columns of a table without upright rules, from where the cells of its lines stand."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from dalil.parsing.formats.pdf.tables.lines import TextLine, Unit
from dalil.parsing.formats.pdf.tables.models import Token

_SHRINK = 0.15
_OVER_BOTH = 0.3
_OVER_HEIGHT = 0.5
_SPANNING_LINES = 2
_MAIN_SHARE = 0.8
_SPLIT_GAP = 0.3
_FEW_ROWS = 3
_MOST_COMPARED = 80
_IN_THE_MIDDLE = 0.6


class Span(NamedTuple):
    """A stretch from left to right, in points."""

    left: float
    right: float

    def overlap(self, left: float, right: float) -> float:
        return min(self.right, right) - max(self.left, left)


def columns_of(head: Sequence[TextLine], body: Sequence[TextLine]) -> list[Span]:
    """The columns of a table, from left to right: what its body's cells cover, and what stands in the head alone."""
    rows = [line for line in body if len(line.units) > 1]
    height = body[0].height
    spanning = _spanning(rows, height)
    units = [unit for line in rows for unit in line.units if id(unit) not in spanning]
    columns = _covered(units, height)
    lefts = [span.left for span in columns]
    uses = Counter(bisect_right(lefts, unit.left) - 1 for unit in units)
    counts = [uses[index] for index in range(len(columns))]
    heads = [unit for line in head for unit in line.units]
    columns = _without_strays(columns, counts, len(rows), heads)
    return _with_headed(columns, head)


def _spanning(rows: Sequence[TextLine], height: float) -> set[int]:
    """The units (by id) that lie over two cells of other lines."""
    pairs = [(line, before, after) for line in rows[:_MOST_COMPARED] for before, after in pairwise(line.units)]
    found: set[int] = set()
    for line in rows:
        for unit in line.units:
            if unit.is_number:
                continue
            over = 0
            for other, before, after in pairs:
                if other is line or after.left >= unit.right or before.right <= unit.left:
                    continue
                over += _lies_over(unit, before, height) and _lies_over(unit, after, height)
                if over >= _SPANNING_LINES:
                    found.add(id(unit))
                    break
    return found


def _lies_over(unit: Unit, other: Unit, height: float) -> bool:
    overlap = min(unit.right, other.right) - max(unit.left, other.left)
    return overlap > min(_OVER_HEIGHT * height, _OVER_BOTH * other.width)


def _covered(units: Sequence[Unit], height: float) -> list[Span]:
    """The stretches that units cover, touching ones joined."""
    shrink = _SHRINK * height
    spans: list[Span] = []
    for unit in sorted(units, key=lambda unit: unit.left):
        if spans and unit.left + shrink < spans[-1].right - shrink:
            spans[-1] = Span(spans[-1].left, max(spans[-1].right, unit.right))
        else:
            spans.append(Span(unit.left, unit.right))
    return spans


def _without_strays(columns: list[Span], counts: list[int], rows: int, heads: Sequence[Unit]) -> list[Span]:
    """Columns without a head in which only one of many lines has anything are part of the column before them."""
    if rows <= _FEW_ROWS:
        return columns
    kept: list[Span] = []
    for span, count in zip(columns, counts, strict=True):
        others = [other for other in columns if other is not span]
        has_head = any(
            span.overlap(unit.left, unit.right) > 0
            and all(other.overlap(unit.left, unit.right) <= 0 for other in others)
            for unit in heads
        )
        if count == 1 and kept and not has_head:
            kept[-1] = Span(kept[-1].left, span.right)
        else:
            kept.append(span)
    return kept


def _with_headed(columns: list[Span], head: Sequence[TextLine]) -> list[Span]:
    """Columns as wide as their heads, and those that have a head and nothing under it.

    The last line of the head counts most: lines above it may head groups of columns.
    """
    found = [(span, False) for span in columns]
    for line in reversed(head):
        for unit in line.units:
            span = Span(unit.left, unit.right)
            over = [index for index, (column, _) in enumerate(found) if column.overlap(*span) > 0]
            if len(over) > 1 or (over and found[over[0]][1]):
                continue
            place = sum(1 for column, _ in found if column.left < span.left)
            # The first column holds what the rows are about: it may well have no head.
            free = [near for near in (place, place - 1) if 0 < near < len(found) and not found[near][1]]
            if over or free:
                near = over[0] if over else free[0]
                found[near] = (_union(found[near][0], span), True)
            elif line is head[-1]:
                found.insert(place, (span, True))
    return [column for column, _ in found]


def _union(first: Span, second: Span) -> Span:
    return Span(min(first.left, second.left), max(first.right, second.right))


def placed(line: TextLine, columns: Sequence[Span]) -> list[list[Token]]:
    """The words of a line by column. What lies over several columns stands in the first of them."""
    cells: list[list[Token]] = [[] for _ in columns]
    for unit in line.units:
        for tokens, column in _parts(unit, columns, line.height):
            cells[column].extend(tokens)
    return cells


def placed_over(line: TextLine, columns: Sequence[Span]) -> list[list[Token]]:
    """The words of a line of the head that heads groups of columns, each in the first of its columns.

    A head stands in the middle over its columns; they are those around it that have no other head.
    """
    cells: list[list[Token]] = [[] for _ in columns]
    units = line.units
    taken = [_parts(unit, columns, line.height)[0][1] for unit in units]
    for number, unit in enumerate(units):
        low = taken[number - 1] + 1 if number else min(1, taken[0])
        high = taken[number + 1] if number + 1 < len(units) else len(columns)
        middle = (unit.left + unit.right) / 2
        best = (0, taken[number])
        for first in range(low, taken[number] + 1):
            for last in range(taken[number], high):
                off = abs((columns[first].left + columns[last].right) / 2 - middle)
                if off < _IN_THE_MIDDLE * line.height:
                    best = max(best, (last - first, first), key=lambda found: found[0])
        cells[best[1]].extend(unit.tokens)
    return cells


def spans_columns(line: TextLine, columns: Sequence[Span]) -> bool:
    """Whether any unit of a line lies over more than one column."""
    return any(sum(1 for span in columns if span.overlap(unit.left, unit.right) > 0) > 1 for unit in line.units)


def _parts(unit: Unit, columns: Sequence[Span], height: float) -> list[tuple[Sequence[Token], int]]:
    over = [index for index, span in enumerate(columns) if span.overlap(unit.left, unit.right) > 0]
    if not over:
        if len(columns) > 1 and unit.right <= columns[1].left:
            return [(unit.tokens, 0)]
        middle = (unit.left + unit.right) / 2
        return [(unit.tokens, min(range(len(columns)), key=lambda index: _distance(columns[index], middle)))]
    if len(over) == 1:
        return [(unit.tokens, over[0])]
    overlaps = [columns[index].overlap(unit.left, unit.right) for index in over]
    if max(overlaps) >= _MAIN_SHARE * sum(overlaps):
        return [(unit.tokens, over[overlaps.index(max(overlaps))])]
    for before, after in pairwise(unit.tokens):
        gap = after.left - before.right
        if gap < _SPLIT_GAP * height:
            continue
        for left, right in pairwise(over):
            # Two heads side by side, with no more than a space between them.
            if before.right <= columns[right].left and after.left >= columns[left].right:
                place = unit.tokens.index(after)
                return [(unit.tokens[:place], left), (unit.tokens[place:], right)]
    return [(unit.tokens, over[0])]


def _distance(span: Span, place: float) -> float:
    return max(span.left - place, place - span.right, 0.0)
