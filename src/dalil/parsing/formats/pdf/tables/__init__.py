"""Finding the tables of a PDF page from its words and its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dalil.parsing.formats.pdf.bidi import direction
from dalil.parsing.formats.pdf.rules import Fill, Rule, Rules
from dalil.parsing.formats.pdf.tables.aligned import aligned_tables
from dalil.parsing.formats.pdf.tables.banded import banded_tables
from dalil.parsing.formats.pdf.tables.grid import grids, joined
from dalil.parsing.formats.pdf.tables.lines import TextLine, text_lines
from dalil.parsing.formats.pdf.tables.models import EMPTY, Cell, FoundTable, Token
from dalil.parsing.formats.pdf.tables.page_columns import blocks
from dalil.parsing.formats.pdf.tables.rows import Row
from dalil.parsing.formats.pdf.words import Word

__all__ = ["Cell", "FoundTable", "find_tables"]

_FEWEST_WORDS = 4
_MOST_WORDS = 20_000
_MOSTLY = 0.5
_FEWEST_ROWS = 2
_FEWEST_EDGES = 3
_PAGE_COLUMNS = 2


def find_tables(words: Sequence[Word], rules: Rules, width: float, height: float) -> list[FoundTable]:
    """The tables of a page of that width and height in points, from top to bottom; they do not overlap.

    Precision comes first: what does not clearly look like a table is not reported. On a page written from right to
    left, tables are read from the right. The words of a cell stand in the order in which they were given, line by
    line.
    """
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return []
    mirrored = _reads_from_the_right(words)
    tokens = _tokens(words, width if mirrored else None)
    if mirrored:
        rules = _mirrored(rules, width)
    found: list[FoundTable] = []
    drawn = grids(tokens, rules)
    for grid in drawn:
        found.append(_found(grid.rows, words, (grid.left, grid.bottom, grid.right, grid.top)))
    if drawn:
        tokens = [token for token in tokens if not any(grid.holds(token) for grid in drawn)]
    rules = rules._replace(horizontal=tuple(joined(rules.horizontal)))
    for lines, rows in _undrawn(text_lines(tokens), rules, width):
        box = (
            min(line.left for line in lines),
            min(line.bottom for line in lines),
            max(line.right for line in lines),
            max(line.top for line in lines),
        )
        found.append(_found(rows, words, box))
    if mirrored:
        found = [
            FoundTable(width - table.right, table.bottom, width - table.left, table.top, table.rows) for table in found
        ]
    return sorted(found, key=lambda table: -table.top)


def _undrawn(lines: Sequence[TextLine], rules: Rules, width: float) -> Iterator[tuple[list[TextLine], list[Row]]]:
    """The tables without upright rules among the lines of a page: the lines that each takes, and its rows."""
    is_numeric = sum(1 for line in lines if _may_be_row(line)) >= _FEWEST_ROWS
    is_banded = len(rules.horizontal) + 2 * len(rules.fills) >= _FEWEST_EDGES and (
        sum(1 for line in lines if len(line.units) > 1) >= _FEWEST_ROWS
    )
    if not is_numeric and not is_banded:
        return
    for block in blocks(lines, width):
        taken: set[int] = set()
        if is_numeric:
            for table in aligned_tables(block, rules):
                taken.update(id(line) for line in table.lines)
                yield table.lines, table.rows
        if is_banded:
            for banded in banded_tables([line for line in block if id(line) not in taken], rules):
                yield banded.lines, banded.rows


def _may_be_row(line: TextLine) -> bool:
    """Whether a line is a row, or one beside a column of prose: that one has numbers, and more parts than a page."""
    return line.is_row or (len(line.units) > _PAGE_COLUMNS and any(unit.is_number for unit in line.units))


def _reads_from_the_right(words: Sequence[Word]) -> bool:
    right = left = 0
    for word in words:
        kind = direction(word.text)
        right += kind == "R"
        left += kind == "L"
    return right > _MOSTLY * (right + left)


def _tokens(words: Sequence[Word], mirror: float | None) -> list[Token]:
    if mirror is None:
        return [Token(*word, order) for order, word in enumerate(words)]
    return [
        Token(word.text, mirror - word.right, word.bottom, mirror - word.left, word.top, order)
        for order, word in enumerate(words)
    ]


def _mirrored(rules: Rules, width: float) -> Rules:
    return Rules(
        tuple(Rule(y, width - end, width - start) for y, start, end in rules.horizontal),
        tuple(Rule(width - x, start, end) for x, start, end in rules.vertical),
        tuple(Fill(width - right, bottom, width - left, top) for left, bottom, right, top in rules.fills),
    )


def _found(
    rows: Iterable[Sequence[Sequence[Token]]], words: Sequence[Word], box: tuple[float, float, float, float]
) -> FoundTable:
    return FoundTable(*box, [[_cell(cell, words) for cell in row] for row in rows])


def _cell(tokens: Sequence[Token], words: Sequence[Word]) -> Cell:
    if not tokens:
        return EMPTY
    if len(tokens) == 1:
        word = words[tokens[0].order]
        return Cell(word.text, (word,))
    ordered: list[Token] = []
    for line in text_lines(tokens):
        is_right_to_left = any(direction(token.text) == "R" for token in line.tokens)
        ordered.extend(sorted(line.tokens, key=lambda token: token.order) if is_right_to_left else line.tokens)
    return Cell(" ".join(token.text for token in ordered), tuple(words[token.order] for token in ordered))
