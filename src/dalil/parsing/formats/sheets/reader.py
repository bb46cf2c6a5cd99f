"""The sheets of a workbook as pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from dalil.errors import DocumentTooLargeError
from dalil.models import Page
from dalil.parsing.characters import clean, one_line
from dalil.parsing.formats.sheets.cells import Value, cell_text, is_empty
from dalil.parsing.formats.sheets.container import Container
from dalil.parsing.formats.sheets.merges import Merge, fill_across, fill_down
from dalil.parsing.formats.sheets.regions import Region, find_regions, first_row
from dalil.parsing.formats.sheets.workbook import reading_errors
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import heading, join_blocks, table


def sheet_pages(workbook: CalamineWorkbook, container: Container, name: str, limits: ParsingLimits) -> Iterator[Page]:
    """A page for each visible worksheet; an empty one has no text.

    Raises:
        CorruptDocumentError: a sheet is damaged.
        DocumentTooLargeError: a sheet's used range has too many cells.
    """
    number = 0
    for sheet in workbook.sheets_metadata:
        if sheet.typ is not SheetTypeEnum.WorkSheet:
            continue
        if sheet.visible is not SheetVisibleEnum.Visible:
            container.warnings.append(f'the hidden sheet "{one_line(sheet.name)}" was left out')
            continue
        number += 1
        with reading_errors(name):
            found = workbook.get_sheet_by_name(sheet.name)
        errors = container.errors.get(sheet.name, {})
        blocks = [*_blocks(found, errors, name, limits), *container.comments.get(sheet.name, [])]
        label = one_line(clean(sheet.name))
        text = clean(join_blocks([heading(label, 1), *blocks])) if blocks else ""
        yield Page(number, text, label=label)


def _blocks(
    sheet: CalamineSheet, errors: Mapping[tuple[int, int], str], name: str, limits: ParsingLimits
) -> Iterator[str]:
    if sheet.height * sheet.width > limits.table_cells:
        raise DocumentTooLargeError(
            f'{name} has a sheet "{sheet.name}" of {sheet.height} rows by {sheet.width} columns; '
            f"the limit is {limits.table_cells} cells."
        )
    with reading_errors(name):
        rows: list[list[Value]] = sheet.to_python(skip_empty_area=True)
    top, left = sheet.start or (0, 0)
    for (row, column), error in errors.items():
        if 0 <= row - top < len(rows) and 0 <= column - left < len(rows[row - top]):
            rows[row - top][column - left] = error
    merges = _merges(sheet, len(rows), max((len(row) for row in rows), default=0))
    fill_down(rows, merges, limits.table_cells)
    for region in find_regions(rows):
        yield from _region_blocks(rows, region, merges)


def _merges(sheet: CalamineSheet, height: int, width: int) -> list[Merge]:
    """The merged ranges, counted from the corner of the used range and cut at its edges."""
    if sheet.start is None:
        return []
    top, left = sheet.start
    found: list[Merge] = []
    for (first, start), (last, end) in sheet.merged_cell_ranges or ():
        merge = Merge(first - top, start - left, min(last - top, height - 1), min(end - left, width - 1))
        if merge.top >= 0 and merge.left >= 0 and merge.bottom >= merge.top and merge.right >= merge.left:
            found.append(merge)
    return found


def _region_blocks(rows: Sequence[list[Value]], region: Region, merges: Sequence[Merge]) -> Iterator[str]:
    """The title above a table, the table, and the notes below it. A lone cell is text."""
    start = first_row(rows, region)
    end = region.bottom
    if start > region.top or region.width > 1:
        while end - 1 > start and _is_lone(rows[end - 1], region):
            end -= 1
    yield from _texts(rows[region.top : start], region)
    fill_across(rows, start, merges)
    body = [[cell_text(value) for value in row[region.left : region.right]] for row in rows[start:end]]
    used = [column for column in range(region.width) if any(row[column].strip() for row in body)]
    if len(used) == 1 and len(body) == 1:
        yield one_line(body[0][used[0]])
    else:
        yield table([[row[column] for column in used] for row in body])
    yield from _texts(rows[end : region.bottom], region)


def _is_lone(row: Sequence[Value], region: Region) -> bool:
    filled = [offset for offset, value in enumerate(row[region.left : region.right]) if not is_empty(value)]
    return not filled or filled == [0]


def _texts(rows: Sequence[Sequence[Value]], region: Region) -> Iterator[str]:
    for row in rows:
        for value in row[region.left : region.right]:
            text = one_line(cell_text(value))
            if text:
                yield text
