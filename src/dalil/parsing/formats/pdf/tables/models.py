"""What is found: a table with its place, its rows, and the words of every cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from dalil.parsing.formats.pdf.words import Word


class Cell(NamedTuple):
    """The text of one cell on one line, and its words in the order of that text, separated by single spaces."""

    text: str
    words: tuple[Word, ...] = ()


EMPTY = Cell("")


@dataclass(frozen=True)
class FoundTable:
    """A table and its box on the page as displayed, in points, y growing upwards.

    Every row has the same number of cells. Rows go from top to bottom, header rows first; cells go in reading order,
    so from the right in a right-to-left table. The text of a cell that spans others stands in the first of them, and
    the others are empty.
    """

    left: float
    bottom: float
    right: float
    top: float
    rows: list[list[Cell]] = field(repr=False)


class Token(NamedTuple):
    """A word on its way into a table: its box, which may be mirrored, and its number among the words given."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    order: int
