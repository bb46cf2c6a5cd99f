"""DOCX tables as grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lxml import etree

from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.xml import child, children, is_on, name, number, value

_WIDEST = 64
_WRAPPERS = frozenset({"sdt", "sdtContent", "ins", "customXml", "moveTo"})


def table_cells(table: etree._Element) -> list[list[etree._Element]]:
    """The cells of a table by rows, as they are written: a spanning cell once."""
    return [_wrapped(row, "tc") for row in _rows(table)]


def table_rows(table: etree._Element, text_of: Callable[[etree._Element], str], grid: TableGrid) -> list[list[str]]:
    """The texts of a table by rows, spanning cells spread out.

    Raises:
        DocumentTooLargeError: the grid takes no more cells.
    """
    # Spans are believed as far as the table has columns.
    widest = max(_WIDEST, len(list(children(child(table, "tblGrid"), "gridCol"))))
    for row in _rows(table):
        grid.start_row()
        column = min(max(0, number(child(row, "trPr", "gridBefore"))), widest)
        for cell in _wrapped(row, "tc"):
            properties = child(cell, "tcPr")
            columns = min(max(1, number(child(properties, "gridSpan"), default=1)), widest)
            merge = child(properties, "vMerge")
            goes_on = merge is not None and value(merge) != "restart"
            if not (goes_on and grid.put_below(column)):
                grid.put(column, text_of(cell), columns=columns)
            column += columns
    return grid.rows()


def rows_that_start_pages(table: etree._Element) -> Sequence[bool]:
    """For each row, whether a page begins inside it."""
    return [any(name(element) == "lastRenderedPageBreak" for element in row.iter()) for row in _rows(table)]


def _rows(table: etree._Element) -> list[etree._Element]:
    """Rows, also those wrapped in content controls or tracked insertions; deleted rows are left out."""
    return [row for row in _wrapped(table, "tr") if not is_on(child(row, "trPr", "del"))]


def _wrapped(container: etree._Element, wanted: str) -> list[etree._Element]:
    found: list[etree._Element] = []
    for element in container:
        tag = name(element)
        if tag == wanted:
            found.append(element)
        elif tag in _WRAPPERS:
            found.extend(_wrapped(element, wanted))
    return found
