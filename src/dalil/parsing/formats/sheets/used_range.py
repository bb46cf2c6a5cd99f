"""How large the used range of an XLSX worksheet is, read from its cells in passing."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass

from dalil.errors import CorruptDocumentError

_BLOCK = 1024 * 1024
_LONGEST_WAIT = 8 * _BLOCK
_CELL_END = b"c>"
# Tags are looked at as far as honest ones reach, so that no made-up one takes long.
# Cells with a value, a formula or text in them; the same where it is an error; cells that do not say where they stand.
_PLACE = rb"[^<>]{0,300}?\br=[\"']([A-Z]{1,3})(\d{1,7})[\"'][^<>]{0,300}(?<!/)>"
_FILLED = re.compile(rb"<(?:\w+:)?c\b" + _PLACE + rb"\s*<(?:\w+:)?(?:v|is|f)\b")
_ERROR = re.compile(
    rb"<(?:\w+:)?c\b(?=[^<>]{0,300}\bt=[\"']e[\"'])"
    + _PLACE
    + rb"\s*(?:<(?:\w+:)?f\b[^<>]{0,300}(?:/>|>[^<]{0,9000}</(?:\w+:)?f>)\s*)?<(?:\w+:)?v>(#[A-Z0-9/!?_]{2,20})"
)
_ERROR_MARK = re.compile(rb"t=[\"']e[\"']")
_PLACELESS = re.compile(rb"<(?:\w+:)?c\b(?![^<>]{0,300}\br=)")
_COUNTED = re.compile(
    rb"<(?:\w+:)?(?:(?P<row>row)\b(?:[^<>]{0,300}?\br=[\"'](?P<number>\d{1,7})[\"'])?|c\b(?P<rest>[^<>]{0,300})>)"
)
_MOST_ERRORS = 10_000


@dataclass
class UsedRange:
    """The rectangle that holds all filled cells, rows and columns counted from 0."""

    top: int = 1 << 32
    left: int = 1 << 32
    bottom: int = -1
    right: int = -1

    def add(self, row: int, column: int, *, rows: int = 1, columns: int = 1) -> None:
        """Takes in a filled cell, repeated over some rows and columns."""
        self.top = min(self.top, row)
        self.left = min(self.left, column)
        self.bottom = max(self.bottom, row + rows - 1)
        self.right = max(self.right, column + columns - 1)

    @property
    def rows(self) -> int:
        """Its height."""
        return max(0, self.bottom - self.top + 1)

    @property
    def columns(self) -> int:
        """Its width."""
        return max(0, self.right - self.left + 1)

    @property
    def cells(self) -> int:
        """Its area."""
        return self.rows * self.columns


class SheetScan:
    """Goes through the XML of a worksheet piece by piece.

    `found` is the used range so far. `errors` are the error values (`#N/A`) by row and column, which calamine does
    not give: 10,000 at most.
    """

    def __init__(self) -> None:
        self.found = UsedRange()
        self.errors: dict[tuple[int, int], str] = {}
        self._row = -1
        self._column = -1

    def read(self, piece: bytes) -> None:
        """Takes in a piece that ends between two cells."""
        if _PLACELESS.search(piece):
            self._count(piece)
        places = _FILLED.findall(piece)
        if places:
            rows = {int(row) for row in {row for _, row in places}}
            columns = {column_number(letters) for letters in {letters for letters, _ in places}}
            self.found.add(min(rows) - 1, min(columns))
            self.found.add(max(rows) - 1, max(columns))
            self._row = max(self._row, max(rows) - 1)
        if len(self.errors) < _MOST_ERRORS and _ERROR_MARK.search(piece):
            for letters, row, error in _ERROR.findall(piece)[:_MOST_ERRORS]:
                self.errors[int(row) - 1, column_number(letters)] = error.decode("ascii")

    def _count(self, piece: bytes) -> None:
        """Counts rows and cells where they do not say where they stand."""
        for mark in _COUNTED.finditer(piece):
            if mark["row"]:
                self._row = int(mark["number"]) - 1 if mark["number"] else self._row + 1
                self._column = -1
            else:
                self._column += 1
                if not mark["rest"].endswith(b"/"):
                    self.found.add(max(0, self._row), self._column)


def scan_sheet(archive: zipfile.ZipFile, member: str, name: str, most_cells: int) -> SheetScan:
    """Scans one worksheet; once its used range has more than `most_cells` cells the rest is not looked at.

    Raises:
        CorruptDocumentError: the part is damaged.
    """
    scan = SheetScan()
    try:
        with archive.open(member) as stream:
            text = b""
            while block := stream.read(_BLOCK):
                text += block
                cut = text.rfind(_CELL_END) + len(_CELL_END)
                if cut < len(_CELL_END):
                    if len(text) < _LONGEST_WAIT:
                        continue
                    cut = len(text)
                scan.read(text[:cut])
                text = text[cut:]
                if scan.found.cells > most_cells:
                    return scan
            scan.read(text)
    except Exception as error:
        # Damaged members surface as errors of zipfile, zlib and others.
        raise CorruptDocumentError(f"{name} holds a damaged part ({member}).") from error
    return scan


def column_number(letters: bytes) -> int:
    """The column that letters name, from 0: `A` is 0, `AA` is 26."""
    count = 0
    for letter in letters:
        count = count * 26 + letter - 64
    return count - 1
