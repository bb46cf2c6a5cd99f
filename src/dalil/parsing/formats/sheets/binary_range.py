"""How large the used range of a binary worksheet (.xlsb) is, from its cell records."""

from __future__ import annotations

import struct

from dalil.parsing.formats.sheets.used_range import UsedRange

_ROW = 0
# Numbers, errors, truth values, texts, and formulas with each of these; record 1 is a cell that is only formatted.
_CELLS = frozenset(range(2, 12)) | {62}
_FIRST = struct.Struct("<I")


def binary_range(records: bytes, most_cells: int) -> UsedRange:
    """The used range of one worksheet; once it has more than `most_cells` cells the rest is not looked at."""
    found = UsedRange()
    row = place = 0
    while place < len(records):
        kind, place = _variable(records, place, 2)
        size, place = _variable(records, place, 4)
        if place + 4 <= len(records) and size >= 4:
            if kind == _ROW:
                row = _FIRST.unpack_from(records, place)[0]
            elif kind in _CELLS:
                found.add(row, _FIRST.unpack_from(records, place)[0])
                if found.cells > most_cells:
                    break
        place += size
    return found


def _variable(records: bytes, place: int, most_bytes: int) -> tuple[int, int]:
    """A number of up to `most_bytes` bytes of seven bits each, the lowest first, and the place after it."""
    number = 0
    for index in range(most_bytes):
        byte = records[place] if place < len(records) else 0
        place += 1
        number |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            break
    return number, place
