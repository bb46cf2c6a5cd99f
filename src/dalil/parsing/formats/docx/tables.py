"""DOCX tables as grids: spanning cells stand in every place they cover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from dalil.parsing.formats.docx.xml import child, is_on, name, number, value

_WIDEST_SPAN = 200


@dataclass
class TableRow:
    """The texts of one row, and whether a page begins inside it."""

    cells: list[str]
    starts_page: bool


def table_rows(table: etree._Element, text_of: Callable[[etree._Element], str]) -> list[TableRow]:
    """The rows of a table. A cell merged downwards repeats the text above it."""
    rows: list[TableRow] = []
    above: list[str] = []
    for row in _rows(table):
        cells = [""] * number(child(row, "trPr", "gridBefore"))
        for cell in _cells(row):
            properties = child(cell, "tcPr")
            width = min(max(1, number(child(properties, "gridSpan"), default=1)), _WIDEST_SPAN)
            merge = child(properties, "vMerge")
            if merge is not None and value(merge) != "restart" and len(cells) < len(above):
                text = above[len(cells)]
            else:
                text = text_of(cell)
            cells.extend([text] * width)
        rows.append(TableRow(cells, _has_page_break(row)))
        above = cells
    return rows


def _rows(table: etree._Element) -> list[etree._Element]:
    """Rows, also those wrapped in content controls or tracked insertions; deleted rows are left out."""
    found: list[etree._Element] = []
    for element in table:
        tag = name(element)
        if tag == "tr" and not is_on(child(element, "trPr", "del")):
            found.append(element)
        elif tag in ("sdt", "sdtContent", "ins", "customXml", "moveTo"):
            found.extend(_rows(element))
    return found


def _cells(row: etree._Element) -> list[etree._Element]:
    found: list[etree._Element] = []
    for element in row:
        tag = name(element)
        if tag == "tc":
            found.append(element)
        elif tag in ("sdt", "sdtContent", "customXml"):
            found.extend(_cells(element))
    return found


def _has_page_break(row: etree._Element) -> bool:
    return any(name(element) == "lastRenderedPageBreak" for element in row.iter())
