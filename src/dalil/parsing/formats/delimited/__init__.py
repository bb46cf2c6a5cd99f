"""CSV and its relatives: rows as a Markdown table, whatever character separates the fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from dalil.errors import DocumentTooLargeError
from dalil.models import Page, RawSource
from dalil.parsing.characters import Cleaner
from dalil.parsing.encodings import decode
from dalil.parsing.formats.delimited.dialect import Dialect, dialect_of
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import table
from dalil.parsing.reading import Reading

# The module's own limit refuses honest columns of long texts.
_LONGEST_FIELD = 4 * 1024 * 1024
_ROWS_OF_A_PAGE = 1000


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """The table under its header; every thousand rows start a page, which repeats the header.

    What looks like a formula is text. Rows of one field each are read as lines.

    Raises:
        DocumentTooLargeError: a field has more than four million characters.
    """
    cleaner = Cleaner()
    text = cleaner.clean(decode(data))
    warnings = cleaner.warnings()
    dialect = dialect_of(text)
    if dialect.delimiter is None:
        return Reading((Page(1, text.strip("\n")),), warnings=warnings)
    media_type = "text/tab-separated-values" if dialect.delimiter == "\t" else "text/csv"
    rows = _rows(text, dialect, source.name)
    pages = _pages(rows, dialect.columns, limits.table_cells, warnings)
    return Reading(pages, None, {"media_type": media_type}, warnings)


def _rows(text: str, dialect: Dialect, name: str) -> Iterator[list[str]]:
    assert dialect.delimiter is not None
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_FIELD))
    lines = io.StringIO(text[dialect.start :], newline="")
    reader = csv.reader(lines, delimiter=dialect.delimiter, quoting=dialect.quoting, skipinitialspace=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield cells
    except csv.Error as error:
        raise DocumentTooLargeError(
            f"{name} has a field of more than {_LONGEST_FIELD} characters near line {reader.line_num}."
        ) from error


def _pages(rows: Iterator[list[str]], columns: int, most_cells: int, warnings: list[str]) -> Iterator[Page]:
    above, header = _head(rows, columns)
    taken: list[list[str]] = []
    number, count, ragged, cells = 1, 0, 0, 0
    for row in rows:
        cells += max(len(row), columns)
        if cells > most_cells:
            warnings.append(f"rows after row {count} were left out: the limit is {most_cells} cells")
            break
        count += 1
        ragged += len(row) != columns
        taken.append(row)
        if len(taken) == _ROWS_OF_A_PAGE:
            yield _page(number, above, header, taken, count, last=False)
            number, above, taken = number + 1, [], []
    if taken or number == 1:
        yield _page(number, above, header, taken, count, last=True)
    if ragged:
        warnings.append(f"{ragged} of {count} rows have another number of fields than the header")


def _head(rows: Iterator[list[str]], columns: int) -> tuple[list[str], list[str]]:
    """What stands above the table, as lines, and its first full row.

    Exports often begin with a title or a date in the first field alone.
    """
    above: list[str] = []
    for row in rows:
        filled = [cell for cell in row if cell]
        if len(filled) > 1 or columns < 2:
            return above, row
        above.append(filled[0])
    return above, []


def _page(number: int, above: list[str], header: list[str], rows: list[list[str]], count: int, *, last: bool) -> Page:
    text = "\n\n".join([*above, table([header, *rows])])
    label = "" if last and number == 1 else f"rows {count - len(rows) + 1}-{count}"
    return Page(number, text.strip("\n"), label=label)
