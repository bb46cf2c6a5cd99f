"""OpenDocument tables as grids."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lxml import etree

from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.xml import name, number

_ROW_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_CELLS = frozenset({"table-cell", "covered-table-cell"})


def table_rows(table: etree._Element) -> Iterator[etree._Element]:
    """The rows of a table, those in groups too."""
    for element in table:
        tag = name(element)
        if tag == "table-row":
            yield element
        elif tag in _ROW_GROUPS:
            yield from table_rows(element)


def row_cells(row: etree._Element) -> list[etree._Element]:
    """The cells of a row, covered ones too."""
    return [element for element in row if name(element) in _CELLS]


def table_texts(table: etree._Element, text_of: Callable[[etree._Element], str], grid: TableGrid) -> list[list[str]]:
    """The texts of a table by rows, spanning cells spread out. A repeated row stands once.

    Raises:
        DocumentTooLargeError: the grid takes no more cells.
    """
    rows = list(table_rows(table))
    for index, row in enumerate(rows):
        grid.start_row()
        column = 0
        cells = row_cells(row)
        for place, cell in enumerate(cells):
            repeats = max(1, number(cell, "number-columns-repeated", default=1))
            text = text_of(cell) if name(cell) == "table-cell" else ""
            if name(cell) == "table-cell" and repeats == 1:
                # Spans are believed as far as there are cells and rows.
                columns = min(number(cell, "number-columns-spanned", default=1), len(cells) - place)
                down = min(number(cell, "number-rows-spanned", default=1), len(rows) - index)
                grid.put(column, text, columns=columns, rows=down)
            elif text:
                grid.repeat(column, text, repeats)
            column += repeats
    return grid.rows()
