"""HTML tables as grids: spans filled in, layout tables told apart from tables of data."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborNode

_SECTIONS = ("thead", "tbody", "tfoot")
_WIDEST_SPAN = 200
_MOST_CELLS = 500_000
_PROSE_CELL = 1500


def rows_of(node: LexborNode, shown: Callable[[LexborNode], bool]) -> list[list[LexborNode]]:
    """The cells of a table that are shown, row by row, without those of tables inside it."""
    rows: list[list[LexborNode]] = []
    for child in _elements(node):
        if child.tag not in ("tr", *_SECTIONS) or not shown(child):
            continue
        inner = [child] if child.tag == "tr" else [row for row in _elements(child) if row.tag == "tr" and shown(row)]
        rows.extend([cell for cell in _elements(row) if cell.tag in ("td", "th") and shown(cell)] for row in inner)
    return [row for row in rows if row]


def is_layout(node: LexborNode, rows: list[list[LexborNode]]) -> bool:
    """Whether the table only arranges a page: one column, headings or long prose inside, or it says so."""
    if node.attributes.get("role") in ("presentation", "none"):
        return True
    if max((len(row) for row in rows), default=0) < 2:
        return True
    for row in rows:
        for cell in row:
            if cell.css_first("h1, h2, h3") is not None:
                return True
            if cell.css_first("p") is not None and len(cell.text(deep=True)) > _PROSE_CELL:
                return True
    return False


def grid(rows: list[list[LexborNode]], text_of: Callable[[LexborNode], str]) -> list[list[str]]:
    """Cell texts in a rectangle; a spanning cell's text stands in every place it covers."""
    filled: dict[tuple[int, int], str] = {}
    for y, row in enumerate(rows):
        x = 0
        for cell in row:
            while (y, x) in filled:
                x += 1
            text = text_of(cell)
            width = _span(cell, "colspan", _WIDEST_SPAN)
            height = _span(cell, "rowspan", len(rows) - y)
            if len(filled) + width * height > _MOST_CELLS:
                width = height = 1
            for below in range(height):
                for right in range(width):
                    filled.setdefault((y + below, x + right), text)
            x += width
    columns = max((x for _, x in filled), default=-1) + 1
    return [[filled.get((y, x), "") for x in range(columns)] for y in range(len(rows))]


def _span(cell: LexborNode, name: str, most: int) -> int:
    value = (cell.attributes.get(name) or "").strip()
    if not value.isdecimal() or len(value) > 6:
        return 1
    # A row span of 0 means: to the end of the table.
    return min(int(value) or (most if name == "rowspan" else 1), most)


def _elements(node: LexborNode) -> list[LexborNode]:
    found: list[LexborNode] = []
    child = node.child
    while child is not None:
        if child.is_element_node:
            found.append(child)
        child = child.next
    return found
