"""How large the used ranges of an OpenDocument spreadsheet are, with the repetitions that it only counts."""

from __future__ import annotations

import io
from collections.abc import Iterator

from lxml import etree

from dalil.errors import CorruptDocumentError
from dalil.parsing.formats.office.xml import name as local_name
from dalil.parsing.formats.office.xml import number, value
from dalil.parsing.formats.sheets.used_range import UsedRange


def opendocument_ranges(content: bytes, name: str, most_cells: int) -> Iterator[UsedRange]:
    """The used range of each table; a table is given up once it has more than `most_cells` cells.

    Raises:
        CorruptDocumentError: the content is not well-formed, or declares a document type.
    """
    found = UsedRange()
    row = column = 0
    filled: list[tuple[int, int]] = []
    try:
        events = etree.iterparse(
            io.BytesIO(content), events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False
        )
        for event, element in events:
            tag = local_name(element)
            if event == "start":
                if tag == "table":
                    found, row = UsedRange(), 0
                elif tag == "table-row":
                    column, filled = 0, []
                continue
            if tag in ("table-cell", "covered-table-cell"):
                repeat = max(1, number(element, "number-columns-repeated", default=1))
                if value(element, "value-type") or len(element):
                    filled.append((column, repeat))
                column += repeat
                element.clear()
            elif tag == "table-row":
                repeat = max(1, number(element, "number-rows-repeated", default=1))
                for start, columns in filled:
                    found.add(row, start, rows=repeat, columns=columns)
                row += repeat
                element.clear()
            if tag == "table" or found.cells > most_cells:
                yield found
                if found.cells > most_cells:
                    return
    except etree.XMLSyntaxError as error:
        raise CorruptDocumentError(f"{name} holds a damaged part (content.xml).") from error
