"""The rows of an RTF table, whose cells say where their right edges are."""

from __future__ import annotations

from dataclasses import dataclass, field

from dalil.parsing.formats.office.grid import TableGrid

_MOST_EDGES = 1000
# Edges that differ by less, in twentieths of a point, are one.
_TOLERANCE = 30


@dataclass
class CellShape:
    """Where a cell ends, and whether it goes on with the one on its left or above it."""

    edge: int = 0
    joins_left: bool = False
    joins_above: bool = False


class RowShape:
    """The shapes of the cells of a row, as control words give them one after the other."""

    def __init__(self) -> None:
        self.cells: list[CellShape] = []
        self._next = CellShape()

    def set(self, word: str, number: int | None) -> bool:
        """Takes a control word; False for one that says nothing about cells."""
        if word == "clmrg":
            self._next.joins_left = True
        elif word == "clvmrg":
            self._next.joins_above = True
        elif word == "cellx":
            self._next.edge = number or 0
            if len(self.cells) < _MOST_EDGES:
                self.cells.append(self._next)
            self._next = CellShape()
        else:
            return False
        return True


@dataclass
class Row:
    """The texts of a row, and the shapes of its cells as far as they are given."""

    texts: list[str]
    shapes: list[CellShape] = field(default_factory=list)


def table_texts(rows: list[Row], grid: TableGrid) -> list[list[str]]:
    """The texts by rows, spanning cells spread out.

    Raises:
        DocumentTooLargeError: the grid takes no more cells.
    """
    edges = _edges(rows)
    for row in rows:
        grid.start_row()
        column = 0
        cells = [(text, row.shapes[i] if i < len(row.shapes) else CellShape()) for i, text in enumerate(row.texts)]
        for place, (text, shape) in enumerate(cells):
            if shape.joins_left and place:
                continue
            last = place
            while last + 1 < len(cells) and cells[last + 1][1].joins_left:
                last += 1
            end = max(column + 1, _columns_before(edges, cells[last][1].edge)) if shape.edge else column + 1
            if not (shape.joins_above and grid.put_below(column)):
                grid.put(column, text, columns=end - column)
            column = end
    return grid.rows()


def _edges(rows: list[Row]) -> list[int]:
    """The right edges of all columns, from the left."""
    edges: list[int] = []
    for edge in sorted({shape.edge for row in rows for shape in row.shapes[: len(row.texts)]}):
        if not edges or edge - edges[-1] > _TOLERANCE:
            edges.append(edge)
    return edges[:_MOST_EDGES]


def _columns_before(edges: list[int], edge: int) -> int:
    """How many columns end at or before an edge."""
    return sum(known <= edge for known in edges)
