"""Merged cells of a sheet.

A merged cell holds for every row that it covers, so its value is written into each of them. Across it is written only
in a header, where it names several columns; further down it stands once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dalil.parsing.formats.sheets.cells import Value

_LONGEST_REPEATED = 200


class Merge(NamedTuple):
    """The rows and columns that a merged cell covers, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


def fill_down(rows: Sequence[list[Value]], merges: Sequence[Merge], most_cells: int) -> None:
    """Writes each merged value into the first column of all rows that it covers; `most_cells` cells at most."""
    for merge in merges:
        value = rows[merge.top][merge.left]
        if isinstance(value, str) and len(value) > _LONGEST_REPEATED:
            continue
        most_cells -= merge.bottom - merge.top
        if most_cells < 0:
            return
        for row in range(merge.top + 1, merge.bottom + 1):
            rows[row][merge.left] = value


def fill_across(rows: Sequence[list[Value]], row: int, merges: Sequence[Merge]) -> None:
    """Writes the merged values of one row into all columns that they cover."""
    for merge in merges:
        if merge.top <= row <= merge.bottom:
            rows[row][merge.left : merge.right + 1] = [rows[row][merge.left]] * (merge.right - merge.left + 1)
