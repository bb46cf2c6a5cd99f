"""Tables with spanning cells as full grids.

A cell that spans rows stands in each of them, since a row has to be understood without the ones above it. One that
spans columns stands in each of them in the first row, where it names them; further down it stands once, since there it
is mostly a subtitle or a total. Long texts stand once.
"""

from __future__ import annotations

from dataclasses import dataclass

from dalil.errors import DocumentTooLargeError

_LONGEST_REPEATED = 200


@dataclass
class _Cell:
    text: str
    row: int
    column: int
    columns: int
    rows: int


class TableGrid:
    """Collects the cells of one table, at most `most_cells` places of them."""

    def __init__(self, source_name: str, most_cells: int) -> None:
        self._source_name = source_name
        self._most_cells = most_cells
        self._places = 0
        self._rows: list[dict[int, _Cell]] = []

    def start_row(self) -> None:
        """Begins the next row."""
        self._rows.append({})

    def put(self, column: int, text: str, *, columns: int = 1, rows: int = 1) -> None:
        """A cell in the current row, spanning `columns`, and `rows` downwards.

        Raises:
            DocumentTooLargeError: the table has too many cells.
        """
        self._occupy(_Cell(text, len(self._rows) - 1, column, max(1, columns), max(1, rows)))

    def repeat(self, column: int, text: str, count: int) -> None:
        """The same cell `count` times, one beside the other.

        Raises:
            DocumentTooLargeError: the table has too many cells.
        """
        self._count(count)
        for place in range(column, column + count):
            self._rows[-1].setdefault(place, _Cell(text, len(self._rows) - 1, place, 1, 1))

    def put_below(self, column: int) -> bool:
        """Makes the cell above reach down into the current row; False where there is none."""
        above = self._rows[-2].get(column) if len(self._rows) > 1 else None
        if above is None:
            return False
        above.rows = len(self._rows) - above.row
        self._occupy(above)
        return True

    def rows(self) -> list[list[str]]:
        """The texts, all rows of one width."""
        self._reach_down()
        width = max((max(row, default=-1) + 1 for row in self._rows), default=0)
        self._count(width * len(self._rows) - self._places)
        return [
            [_text_at(row[column], index, column) if column in row else "" for column in range(width)]
            for index, row in enumerate(self._rows)
        ]

    def _occupy(self, cell: _Cell) -> None:
        self._count(cell.columns)
        row = self._rows[-1]
        for column in range(cell.column, cell.column + cell.columns):
            row.setdefault(column, cell)

    def _reach_down(self) -> None:
        """Fills the places that row spans cover, as far as there are rows."""
        for index in range(1, len(self._rows)):
            for column, cell in self._rows[index - 1].items():
                if cell.row + cell.rows > index and column not in self._rows[index]:
                    self._count(1)
                    self._rows[index][column] = cell

    def _count(self, places: int) -> None:
        self._places += places
        if self._places > self._most_cells:
            raise DocumentTooLargeError(
                f"{self._source_name} holds a table of more than {self._most_cells} cells, which is the limit."
            )


def _text_at(cell: _Cell, row: int, column: int) -> str:
    is_first = row == cell.row and column == cell.column
    if is_first or (len(cell.text) <= _LONGEST_REPEATED and (column == cell.column or cell.row == 0)):
        return cell.text
    return ""
