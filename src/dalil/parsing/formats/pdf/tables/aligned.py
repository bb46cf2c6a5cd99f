"""Tables without upright rules, found by how their numbers stand under each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dalil.parsing.formats.pdf.rules import Rules
from dalil.parsing.formats.pdf.tables.columns import columns_of
from dalil.parsing.formats.pdf.tables.lines import TextLine
from dalil.parsing.formats.pdf.tables.models import Token
from dalil.parsing.formats.pdf.tables.numbers import is_number
from dalil.parsing.formats.pdf.tables.regions import Region, regions
from dalil.parsing.formats.pdf.tables.rows import Row, rows_of

_FEWEST_NUMBERS = 3
_FEWEST_UNDER_HEAD = 2
_FULL_ROWS = 0.4
_LONGEST_CELL = 14
_FEWEST_PAGES = 4
_MOST_COLUMNS = 100
_LONGEST_PAGE_NUMBER = 4
_EQUATION_NUMBER = re.compile(r"\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)")


@dataclass(frozen=True)
class Aligned:
    """A table found by alignment: the lines that it takes, and its rows."""

    lines: list[TextLine]
    rows: list[Row]


def aligned_tables(lines: Sequence[TextLine], rules: Rules) -> list[Aligned]:
    """The tables among the lines of a page or of one of its columns, from top to bottom."""
    if sum(1 for line in lines if line.is_row) < 2:
        return []
    found = []
    for region in regions(lines):
        table = _table(region, rules)
        if table:
            found.append(table)
    return found


def _table(region: Region, rules: Rules) -> Aligned | None:
    if sum(1 for line in (*region.head, *region.body) if len(line.units) > 1) < 2:
        return None
    columns = columns_of(region.head, region.body)
    if not 2 <= len(columns) <= _MOST_COLUMNS:
        return None
    head, body = rows_of(region.head, region.body, columns, rules)
    return Aligned([*region.head, *region.body], head + body) if _is_table(head, body, len(columns)) else None


def _is_table(head: Sequence[Row], body: Sequence[Row], width: int) -> bool:
    """Whether rows hold what tables hold: numbers in columns of their own, and short cells."""
    rows = [*head, *body]
    values = [_joined(cell) for row in body for cell in row[1:] if cell]
    numbers = sum(1 for value in values if is_number(value))
    if len(rows) < 2 or numbers < (_FEWEST_UNDER_HEAD if head else _FEWEST_NUMBERS):
        return False
    if width == 2 and _are_equation_numbers(values):
        return False
    full = sum(1 for row in rows if sum(map(bool, row)) >= 2)
    if full < 2 or full < _FULL_ROWS * len(rows) or _is_contents(rows):
        return False
    return all(len(cell) <= _LONGEST_CELL for row in body for cell in row[1:])


def _are_equation_numbers(values: Sequence[str]) -> bool:
    """Whether values are numbers of equations, "(2.14)": they rise from line to line, where losses do as they like."""
    if not all(_EQUATION_NUMBER.fullmatch(value) for value in values):
        return False
    places = [[int(part) for part in re.findall(r"\d+", value)] for value in values]
    return places[0][0] > 0 and all(before < after for before, after in pairwise(places))


def _is_contents(rows: Sequence[Row]) -> bool:
    """Whether rows are a table of contents: titles, and page numbers that never fall, in the last column alone."""
    pages = [_joined(row[-1]) for row in rows if row[-1]]
    pages = [page for page in pages if page.isdigit() and len(page) <= _LONGEST_PAGE_NUMBER]
    others = [cell for row in rows for cell in row[1:-1]]
    if len(pages) < _FEWEST_PAGES or any(is_number(_joined(cell)) for cell in others):
        return False
    return all(int(before) <= int(after) for before, after in pairwise(pages))


def _joined(cell: Sequence[Token]) -> str:
    return "".join(token.text for token in cell)
