"""Tables of words, without upright rules: rows between rules or in filled bands, cells apart from each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dalil.parsing.formats.pdf.rules import Rules
from dalil.parsing.formats.pdf.tables.columns import Span, columns_of, placed, spans_columns
from dalil.parsing.formats.pdf.tables.lines import TextLine
from dalil.parsing.formats.pdf.tables.models import Token
from dalil.parsing.formats.pdf.tables.rows import Row

_SAME_EDGE = 4.0
_SHORTEST = 100.0
_SAME_HEIGHT = 2.0
_HIGHEST_BAND = 150.0
_FEWEST_EDGES = 3
_FEWEST_BANDS = 2
_LINES_OF_A_ROW = 3
_FULL_ROWS = 0.7
_MOST_CROSSING = 0.1
_USUAL_CELL = 10
_MOST_COLUMNS = 100
_LONGEST_CELL = 60


@dataclass(frozen=True)
class Banded:
    """A table found by its bands: the lines that it takes, and its rows."""

    lines: list[TextLine]
    rows: list[Row]


def banded_tables(lines: Sequence[TextLine], rules: Rules) -> list[Banded]:
    """The tables among lines whose rows are divided by rules, or by bands of colour, of one length."""
    found: list[Banded] = []
    free = list(lines)
    for span, edges in _stacks(rules):
        table = _table(free, span, edges)
        if table:
            found.append(table)
            free = [line for line in free if not any(line is taken for taken in table.lines)]
    return found


def _stacks(rules: Rules) -> list[tuple[Span, list[float]]]:
    """Edges under each other that begin and end at the same places, falling; the longest stacks first."""
    edges = [(start, end, y) for y, start, end in rules.horizontal if end - start >= _SHORTEST]
    for left, bottom, right, top in rules.fills:
        if right - left >= _SHORTEST and top - bottom <= _HIGHEST_BAND:
            edges.extend(((left, right, bottom), (left, right, top)))
    groups: dict[tuple[int, int], list[tuple[float, float, float]]] = defaultdict(list)
    for edge in edges:
        groups[round(edge[0] / _SAME_EDGE), round(edge[1] / _SAME_EDGE)].append(edge)
    stacks = []
    for group in groups.values():
        span = Span(min(edge[0] for edge in group), max(edge[1] for edge in group))
        for stack in _runs(edge[2] for edge in group):
            if len(stack) >= _FEWEST_EDGES:
                stacks.append((span, stack))
    return sorted(stacks, key=lambda stack: -len(stack[1]))


def _runs(heights: Iterable[float]) -> list[list[float]]:
    runs: list[list[float]] = []
    for height in sorted(heights, reverse=True):
        if not runs or runs[-1][-1] - height > _HIGHEST_BAND:
            runs.append([height])
        elif runs[-1][-1] - height > _SAME_HEIGHT:
            runs[-1].append(height)
    return runs


def _table(lines: Sequence[TextLine], span: Span, edges: Sequence[float]) -> Banded | None:
    bands: list[list[TextLine]] = []
    for top, bottom in pairwise(edges):
        band = [line for line in lines if bottom < line.middle < top]
        if any(line.left < span.left - _SAME_EDGE or line.right > span.right + _SAME_EDGE for line in band):
            # Text that is no part of the table stands beside it: the two cannot be told apart.
            return None
        if band:
            bands.append(band)
    inside = [line for band in bands for line in band]
    if len(bands) < _FEWEST_BANDS or sum(1 for line in inside if len(line.units) > 1) < _FEWEST_BANDS:
        return None
    columns = columns_of([], inside)
    crossing = sum(1 for line in inside if spans_columns(line, columns))
    if not 2 <= len(columns) <= _MOST_COLUMNS or crossing > _MOST_CROSSING * len(inside):
        return None
    rows = _rows(bands, columns)
    return Banded(inside, rows) if _is_table(rows) else None


def _rows(bands: Sequence[Sequence[TextLine]], columns: Sequence[Span]) -> list[Row]:
    """A band is a row; where bands hold many lines, each line is one unless its first cell is empty."""
    per_band = sorted(len(band) for band in bands)
    bands_are_rows = per_band[-1] <= _LINES_OF_A_ROW or (
        len(bands) > _FEWEST_BANDS and per_band[len(bands) // 2] <= _LINES_OF_A_ROW
    )
    rows: list[Row] = []
    for band in bands:
        for number, line in enumerate(band):
            cells = placed(line, columns)
            if number and (bands_are_rows or not cells[0]):
                _append(rows[-1], cells)
            else:
                rows.append(cells)
    return rows


def _append(row: Row, cells: Sequence[Sequence[Token]]) -> None:
    for cell, more in zip(row, cells, strict=True):
        cell.extend(more)


def _is_table(rows: Sequence[Row]) -> bool:
    """Whether most rows have several cells, and cells are no paragraphs."""
    full = sum(1 for row in rows if sum(map(bool, row)) > 1)
    lengths = sorted(len(cell) for row in rows for cell in row if cell)
    if len(rows) < 2 or full < 2 or full < _FULL_ROWS * len(rows):
        return False
    return lengths[-1] <= _LONGEST_CELL and lengths[len(lengths) // 2] <= _USUAL_CELL
