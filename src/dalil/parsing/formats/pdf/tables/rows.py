"""The rows of a table without upright rules: lines put together where a cell goes on in the next line."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from dalil.parsing.formats.pdf.rules import Rules
from dalil.parsing.formats.pdf.tables.columns import Span, placed, placed_over, spans_columns
from dalil.parsing.formats.pdf.tables.lines import TextLine
from dalil.parsing.formats.pdf.tables.models import Token
from dalil.parsing.formats.pdf.tables.numbers import is_number

_NEAR = 1.6
_TIGHT = 0.85
_CLOSE_ROWS = 1.9
_OVERLAPPING = 0.8
_WRAPPED = 1.3
_LONG_RULE = 8.0
_UNFINISHED_ENDS = (",", "-", "–", "—", "،")
_UNFINISHED_WORDS = frozenset("and of or for to the in on by with a من في على عن إلى أو".split())

Row = list[list[Token]]
_Placed = tuple[TextLine, Row]


def rows_of(
    head: Sequence[TextLine], body: Sequence[TextLine], columns: Sequence[Span], rules: Rules
) -> tuple[list[Row], list[Row]]:
    """The rows of a table's head and those of its body: for each column the words in it."""
    edges = _row_edges(columns, rules)
    bodies = [(line, placed(line, columns)) for line in body]
    return _head_rows(head, columns, edges), _body_rows(bodies, edges)


def _row_edges(columns: Sequence[Span], rules: Rules) -> list[float]:
    """The heights at which a rule, or an edge of a filled band, divides rows, rising."""
    left, right = columns[0].left, columns[-1].right
    edges = [y for y, start, end in rules.horizontal if min(end, right) - max(start, left) > _LONG_RULE]
    for fill in rules.fills:
        if min(fill.right, right) - max(fill.left, left) > 0.5 * (right - left):
            edges.extend((fill.bottom, fill.top))
    return sorted(edges)


def _divided(above: TextLine, below: TextLine, edges: Sequence[float]) -> bool:
    return bisect_right(edges, below.middle) < bisect_left(edges, above.middle)


def _head_rows(head: Sequence[TextLine], columns: Sequence[Span], edges: Sequence[float]) -> list[Row]:
    """Lines of the head are one row unless a rule divides them, or the lower one divides what the upper one spans."""
    rows: list[Row] = []
    previous: TextLine | None = None
    spans = False
    for index, line in enumerate(head):
        heads_groups = index + 1 < len(head) and _divided(line, head[index + 1], edges)
        cells = placed_over(line, columns) if heads_groups else placed(line, columns)
        if previous is not None and not _divided(previous, line, edges) and _same_head(rows[-1], cells, spans):
            _append(rows[-1], cells)
        else:
            rows.append(cells)
            spans = False
        spans = spans or spans_columns(line, columns)
        previous = line
    return rows


def _same_head(upper: Row, lower: Row, upper_spans: bool) -> bool:
    over = {index for index, cell in enumerate(upper) if cell}
    under = {index for index, cell in enumerate(lower) if cell}
    return under <= over or (not upper_spans and over <= under)


def _body_rows(lines: Sequence[_Placed], edges: Sequence[float]) -> list[Row]:
    with_values = [line for line, cells in lines if any(cells[1:])]
    steps = [above.middle - below.middle for above, below in pairwise(with_values)]
    pitch = median(steps) if steps else 0.0
    rows: list[Row] = []
    previous: TextLine | None = None
    for line, cells in lines:
        if (
            previous is not None
            and not _divided(previous, line, edges)
            and _goes_on(rows[-1], cells, previous, line, pitch)
        ):
            _append(rows[-1], cells)
        else:
            rows.append(cells)
        previous = line
    return rows


def _goes_on(row: Row, cells: Row, above: TextLine, below: TextLine, pitch: float) -> bool:
    """Whether a line goes on in the row above it."""
    step = above.middle - below.middle
    height = max(above.height, below.height)
    if step > _NEAR * height:
        return False
    has_values, adds_values = any(row[1:]), any(cells[1:])
    if not cells[0]:
        if _goes_on_in_words(row, cells):
            return step < _WRAPPED * height
        return bool(row[0]) and not has_values and step < _OVERLAPPING * height
    if not row[0]:
        return not adds_values and step < _OVERLAPPING * height
    if has_values and adds_values:
        return False
    ends = row[0][-1].text
    starts_small = cells[0][0].text[:1].islower() and not ends.endswith(":")
    is_unfinished = ends.endswith(_UNFINISHED_ENDS) or ends in _UNFINISHED_WORDS
    if starts_small or (is_unfinished and not has_values):
        return True
    is_tight = pitch < _CLOSE_ROWS * height and step < _TIGHT * pitch
    return not has_values and not ends.endswith(":") and is_tight


def _goes_on_in_words(row: Row, cells: Row) -> bool:
    """Whether a line holds words alone, all in cells that hold words in the row above it."""
    filled = [(above, cell) for above, cell in zip(row, cells, strict=True) if cell]
    return all(above and not is_number(above[-1].text) and not is_number(cell[0].text) for above, cell in filled)


def _append(row: Row, cells: Row) -> None:
    for cell, more in zip(row, cells, strict=True):
        cell.extend(more)
