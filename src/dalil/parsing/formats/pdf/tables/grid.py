"""Tables drawn with lines: cells from the grid of their rules."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dalil.parsing.formats.pdf.rules import Rule, Rules
from dalil.parsing.formats.pdf.tables.lines import text_lines
from dalil.parsing.formats.pdf.tables.models import Token
from dalil.parsing.formats.pdf.tables.numbers import is_number

_TOUCHING = 2.5
_SAME_EDGE = 2.0
_NARROWEST_CELL = 3.0
_MOST_CROSSINGS = 250_000
_MOST_CELLS = 20_000
_WALL = 0.6
_FEWEST_FILLED = 0.15
_MOST_CROSSED_WORDS = 0.05
_ROWS_OF_NUMBERS = 0.5
_CUT = 0.2

Tokens = list[Token]


@dataclass(frozen=True)
class Grid:
    """A ruled table: its box, and its rows of cells, each the words in it."""

    left: float
    bottom: float
    right: float
    top: float
    rows: list[list[Tokens]]

    def holds(self, token: Token) -> bool:
        """Whether the middle of a word lies in the box."""
        x, y = (token.left + token.right) / 2, (token.bottom + token.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top


def grids(tokens: Sequence[Token], rules: Rules) -> list[Grid]:
    """The tables whose cells are drawn: rules in both directions that touch, with words between them."""
    if len(rules.horizontal) < 2 or not rules.vertical:
        return []
    horizontal, vertical = joined(rules.horizontal), joined(rules.vertical)
    if len(horizontal) * len(vertical) > _MOST_CROSSINGS:
        return []
    found = []
    for across, upright in _connected(horizontal, vertical):
        grid = _grid(across, upright, tokens)
        if grid:
            found.append(grid)
    return found


def joined(rules: Iterable[Rule]) -> list[Rule]:
    """Rules drawn in pieces, put together."""
    found: list[Rule] = []
    rows: list[list[Rule]] = []
    for rule in sorted(rules):
        if not rows or rule.position - rows[-1][0].position > _SAME_EDGE:
            rows.append([])
        rows[-1].append(rule)
    for row in rows:
        row.sort(key=lambda rule: rule.start)
        position, start, end = row[0]
        for rule in row[1:]:
            if rule.start - end > _TOUCHING:
                found.append(Rule(position, start, end))
                position, start, end = rule
            end = max(end, rule.end)
        found.append(Rule(position, start, end))
    return found


def _connected(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """The rules that touch each other, group by group: those across and those upright."""
    parents = list(range(len(horizontal) + len(vertical)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    places = [rule.position for rule in vertical]
    for row, (y, left, right) in enumerate(horizontal):
        for column in range(bisect_left(places, left - _TOUCHING), bisect_right(places, right + _TOUCHING)):
            _, bottom, top = vertical[column]
            if bottom - _TOUCHING <= y <= top + _TOUCHING:
                parents[root(row)] = root(len(horizontal) + column)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for index, rule in enumerate([*horizontal, *vertical]):
        groups[root(index)][index >= len(horizontal)].append(rule)
    return [group for group in groups.values() if len(group[0]) >= 2 and group[1]]


def _edges(positions: Iterable[float]) -> list[float]:
    edges: list[float] = []
    for position in sorted(positions):
        if not edges or position - edges[-1] > _NARROWEST_CELL:
            edges.append(position)
    return edges


def _grid(horizontal: Sequence[Rule], vertical: Sequence[Rule], tokens: Sequence[Token]) -> Grid | None:
    # A table may be open at its sides: there the ends of the rules are its edges.
    xs = _edges([*(rule.position for rule in vertical), *(end for rule in horizontal for end in rule[1:])])
    ys = _edges([*(rule.position for rule in horizontal), *(end for rule in vertical for end in rule[1:])])[::-1]
    if len(xs) < 3 or len(ys) < 2 or len(xs) * len(ys) > _MOST_CELLS:
        return None
    inside = [token for token in tokens if xs[0] < _middle(token) < xs[-1] and ys[-1] < _height(token) < ys[0]]
    if len(inside) < 2 or _crossed(inside, vertical) > _MOST_CROSSED_WORDS * len(inside):
        return None
    falling = [-y for y in ys]
    walls = _Walls(xs, ys, horizontal, vertical)
    cells: dict[tuple[int, int], Tokens] = defaultdict(list)
    for token in inside:
        row, column = bisect_right(falling, -_height(token)) - 1, bisect_right(xs, _middle(token)) - 1
        cells[walls.first_place(row, column)].append(token)
    top, end = _without_titles(cells, walls, len(ys) - 1)
    rows: list[list[Tokens]] = []
    for row in range(top, end):
        rows.extend(_split([cells.get((row, column), []) for column in range(len(xs) - 1)]))
    rows = [row for row in rows if any(row)]
    used = [column for column in range(len(xs) - 1) if any(row[column] for row in rows)]
    rows = [[row[column] for column in used] for row in rows]
    filled = sum(1 for row in rows for cell in row if cell)
    full_rows = sum(1 for row in rows if sum(map(bool, row)) >= 2)
    if len(used) < 2 or full_rows < 2 or filled < _FEWEST_FILLED * len(rows) * len(used):
        return None
    return Grid(xs[0], ys[end], xs[-1], ys[top], rows)


def _split(row: list[Tokens]) -> list[list[Tokens]]:
    """A row between two rules as the rows of numbers that it may hold: rules may stand between groups of rows only.

    It is several rows if every line of it has numbers in most of its columns.
    """
    lines = text_lines([token for cell in row for token in cell])
    if len(lines) < 2:
        return [row]
    columns = {token.order: column for column, cell in enumerate(row) for token in cell}
    usual = sum(1 for cell in row if cell)
    for line in lines:
        numbers = {columns[token.order] for token in line.tokens if is_number(token.text)}
        if len(numbers) < max(1, _ROWS_OF_NUMBERS * usual):
            return [row]
    rows: list[list[Tokens]] = []
    for line in lines:
        rows.append([[] for _ in row])
        for token in line.tokens:
            rows[-1][columns[token.order]].append(token)
    return rows


def _without_titles(cells: dict[tuple[int, int], Tokens], walls: _Walls, rows: int) -> tuple[int, int]:
    """The rows without those at the top and at the bottom that are one cell: titles and notes, no part of the table."""
    top, end = 0, rows
    while top < end and (walls.is_one_cell(top) or not any(row == top for row, _ in cells)):
        top += 1
    while end > top and (walls.is_one_cell(end - 1) or not any(row == end - 1 for row, _ in cells)):
        end -= 1
    return top, end


class _Walls:
    """Which neighbouring places of a grid are one cell because no rule divides them. Cells are rectangles."""

    def __init__(
        self, xs: Sequence[float], ys: Sequence[float], horizontal: Sequence[Rule], vertical: Sequence[Rule]
    ) -> None:
        rows, columns = len(ys) - 1, len(xs) - 1
        below, beside = _covered(ys, xs, horizontal), _covered(xs, ys[::-1], vertical)
        # For each row: where the stretch of undivided places starts that each place is part of.
        self._starts: list[list[int]] = []
        self._first: dict[tuple[int, int], tuple[int, int]] = {}
        for row in range(rows):
            starts = [0] * columns
            for column in range(1, columns):
                starts[column] = column if beside[column][rows - 1 - row] else starts[column - 1]
            self._starts.append(starts)
            ends = [column for column in range(1, columns) if starts[column] == column]
            above = self._starts[row - 1] if row else []
            for start, end in pairwise([0, *ends, columns]):
                is_open = row > 0 and not any(below[row][start:end])
                # A cell goes on downwards if the one above it is as wide.
                goes_on = is_open and starts[start:end] == above[start:end] and above[end : end + 1] != [start]
                first = self._first[row - 1, start] if goes_on else (row, start)
                for column in range(start, end):
                    self._first[row, column] = first

    def first_place(self, row: int, column: int) -> tuple[int, int]:
        """The first place (row, column) of the cell of which a place is part."""
        return self._first[row, column]

    def is_one_cell(self, row: int) -> bool:
        """Whether a row is one cell from side to side."""
        return not any(self._starts[row])


def _covered(edges: Sequence[float], steps: Sequence[float], rules: Sequence[Rule]) -> list[list[bool]]:
    """For each edge, which of the stretches between neighbouring steps a rule on it covers."""
    covered = []
    for edge in edges:
        on_edge = [rule for rule in rules if abs(rule.position - edge) <= _NARROWEST_CELL]
        covered.append(
            [
                sum(max(0.0, min(rule.end, high) - max(rule.start, low)) for rule in on_edge) >= _WALL * (high - low)
                for low, high in pairwise(steps)
            ]
        )
    return covered


def _crossed(tokens: Sequence[Token], vertical: Sequence[Rule]) -> int:
    """How many words an upright rule runs through."""
    places = [rule.position for rule in vertical]
    crossed = 0
    for token in tokens:
        margin, height = _CUT * (token.right - token.left), _height(token)
        start, end = bisect_left(places, token.left + margin), bisect_right(places, token.right - margin)
        crossed += any(rule.start < height < rule.end for rule in vertical[start:end])
    return crossed


def _middle(token: Token) -> float:
    return (token.left + token.right) / 2


def _height(token: Token) -> float:
    return (token.bottom + token.top) / 2
