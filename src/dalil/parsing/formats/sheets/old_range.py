"""How large the used ranges of an old workbook (.xls) are, from its cell records."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from dalil.errors import EncryptedDocumentError
from dalil.parsing.compound import open_compound
from dalil.parsing.formats.sheets.used_range import UsedRange

_STREAMS = ("Workbook", "Book")
_BEGIN_OF_SHEET = frozenset({0x0009, 0x0209, 0x0409, 0x0809})
# FORMULA, LABEL, NUMBER, BOOLERR, RK, LABELSST, RSTRING and MULRK in their versions: all begin with row and column.
_CELLS = frozenset(
    {0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x00BD, 0x00D6, 0x00FD, 0x0203, 0x0204, 0x0205, 0x0206, 0x027E, 0x0406}
)
_MANY = 0x00BD
_LOCKED = 0x002F
_HEAD = struct.Struct("<HH")


def old_ranges(data: bytes, name: str, most_cells: int) -> Iterator[UsedRange]:
    """The used range of each sheet; reading ends with the first that has more than `most_cells` cells.

    Raises:
        CorruptDocumentError: the container is damaged.
        EncryptedDocumentError: the workbook is locked with a password, of which calamine only says "unknown".
    """
    with open_compound(data, name) as container:
        stream = next((place for place in _STREAMS if container.exists(place)), None)
        records = container.openstream(stream).read() if stream else b""
    found = UsedRange()
    place = 0
    while place + 4 <= len(records):
        kind, size = _HEAD.unpack_from(records, place)
        place += 4
        if kind == _LOCKED:
            raise EncryptedDocumentError(f"{name} is a workbook locked with a password.")
        if kind in _BEGIN_OF_SHEET:
            yield found
            found = UsedRange()
        elif kind in _CELLS and size >= 4 and place + 4 <= len(records):
            row, column = _HEAD.unpack_from(records, place)
            found.add(row, column, columns=max(1, (size - 6) // 6) if kind == _MANY else 1)
            if found.cells > most_cells:
                break
        place += size
    yield found
