"""Tables on slides."""

from __future__ import annotations

from lxml import etree

from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.xml import child, children, number, value
from dalil.parsing.formats.pptx.text import body_text

_ON = ("1", "true")


def slide_table(table: etree._Element, grid: TableGrid) -> list[list[str]]:
    """The texts of an `a:tbl` by rows, spanning cells spread out.

    Raises:
        DocumentTooLargeError: the grid takes no more cells.
    """
    rows = list(children(table, "tr"))
    for index, row in enumerate(rows):
        grid.start_row()
        cells = list(children(row, "tc"))
        for column, cell in enumerate(cells):
            if value(cell, "hMerge") in _ON or value(cell, "vMerge") in _ON:
                continue
            grid.put(
                column,
                body_text(child(cell, "txBody")),
                # Spans are believed as far as there are cells.
                columns=min(number(cell, "gridSpan", default=1), len(cells) - column),
                rows=min(number(cell, "rowSpan", default=1), len(rows) - index),
            )
    return grid.rows()
