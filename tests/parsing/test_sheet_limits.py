"""Workbooks that are damaged, locked or absurdly large end in typed errors, soon."""

from __future__ import annotations

import io
import re
import struct
import time
import zipfile

import pytest
from compound_files import compound_file
from office_files import members_of, opendocument, patched, workbook, zipped

from dalil.errors import CorruptDocumentError, DocumentTooLargeError, EncryptedDocumentError, LoaderError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits
from dalil.parsing.formats import sheets
from dalil.parsing.formats.sheets.binary_range import binary_range
from dalil.parsing.formats.sheets.used_range import scan_sheet

SHEET = "xl/worksheets/sheet1.xml"
FAR = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)


def simple() -> bytes:
    return workbook(lambda book: book.add_worksheet().write_row(0, 0, ["a", 1]))


def with_cells(cells: str) -> bytes:
    return patched(simple(), SHEET, lambda old: FAR.format(cells).encode())


@pytest.mark.parametrize(
    "cells",
    [
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        "<row r='1'><c s='1' r='A1'><v>1</v></c></row><row r='1048576'><c r='XFD1048576'><f>1+1</f><v>2</v></c></row>",
        '<row r="1"><c><v>1</v></c></row><row r="1048576">' + "<c/>" * 16383 + "<c><v>1</v></c></row>",
        '<row><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>',
    ],
)
def test_cells_far_apart_are_refused_before_they_take_memory(cells):
    start = time.perf_counter()
    with pytest.raises(DocumentTooLargeError, match="1048576 rows by 16384 columns"):
        sheets.read(with_cells(cells), RawSource("a.xlsx", content=b""), ParsingLimits())
    assert time.perf_counter() - start < 5


def test_cells_that_are_only_formatted_do_not_count(parse):
    cells = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576" s="0"/></row>'
    assert parse(with_cells(cells), "a.xlsx").pages[0].text == "# Sheet1\n\n1"


def test_a_repetition_in_an_opendocument_sheet_is_refused(parse):
    repeated = 'office:value-type="string" table:number-columns-repeated="16384"'
    cell = f"<table:table-cell {repeated}><text:p>x</text:p></table:table-cell>"
    rows = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    with pytest.raises(DocumentTooLargeError):
        parse(opendocument(f"<table:table>{rows}</table:table>", kind="spreadsheet"), "a.ods")


def old_workbook(*cells: tuple[int, int, float], protected: bool = False) -> bytes:
    """An .xls file of one sheet with these numbers."""

    def record(kind: int, data: bytes = b"") -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    begin = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0))
    lock = record(0x002F, struct.pack("<HHH", 1, 1, 1) + bytes(48)) if protected else b""
    name = b"S"
    place = len(begin) + len(lock) + 4 + 8 + len(name) + 4
    bound = record(0x0085, struct.pack("<IBBBB", place, 0, 0, len(name), 0) + name)
    sheet = record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
    sheet += b"".join(record(0x0203, struct.pack("<HHHd", row, column, 0, value)) for row, column, value in cells)
    stream = begin + lock + bound + record(0x000A) + sheet + record(0x000A)
    return compound_file({"Workbook": stream.ljust(4096, b"\0")})


def test_an_old_workbook(parse):
    text = parse(old_workbook((0, 0, 1), (0, 1, 2.5), (1, 0, 3)), "a.xls").pages[0].text
    assert text == "# S\n\n| 1 | 2.5 |\n| --- | --- |\n\n3"


def test_an_old_workbook_whose_cells_are_far_apart():
    with pytest.raises(DocumentTooLargeError, match="65536 rows by 256 columns"):
        sheets.read(old_workbook((0, 0, 1), (65535, 255, 1)), RawSource("a.xls", content=b""), ParsingLimits())


def binary_sheet(*cells: tuple[int, int]) -> bytes:
    """The records of a binary worksheet: a row and a number for each cell, and one long record of text."""
    records = b"\xa5\x03\x81\x01" + bytes(129)
    for row, column in cells:
        records += b"\x00\x08" + struct.pack("<II", row, 0)
        records += b"\x01\x08" + struct.pack("<II", 16383, 0)
        records += b"\x05\x10" + struct.pack("<IId", column, 0, 1.5)
    return records


def test_a_binary_workbook_whose_cells_are_far_apart():
    found = binary_range(binary_sheet((2, 1), (4, 3)), 1000)
    assert (found.top, found.left, found.rows, found.columns) == (2, 1, 3, 3)
    members = {"xl/workbook.bin": b"", "xl/worksheets/sheet1.bin": binary_sheet((0, 0), (1048575, 16383))}
    with pytest.raises(DocumentTooLargeError):
        sheets.read(zipped(members), RawSource("a.xlsb", content=b""), ParsingLimits())


def test_a_locked_old_workbook_is_encrypted(parse):
    with pytest.raises(EncryptedDocumentError):
        parse(old_workbook((0, 0, 1), protected=True), "a.xls")


def test_a_workbook_without_sheets_is_corrupt(parse):
    data = patched(simple(), "xl/workbook.xml", lambda old: re.sub(rb"<sheets>.*</sheets>", b"<sheets/>", old))
    with pytest.raises(CorruptDocumentError, match="no sheets"):
        parse(data, "a.xlsx")


@pytest.mark.parametrize("member", ["xl/workbook.xml", SHEET, "xl/sharedStrings.xml"])
def test_a_damaged_part_is_corrupt(parse, member):
    with pytest.raises(CorruptDocumentError):
        parse(patched(simple(), member, lambda old: old[: len(old) // 2] + b"<<<"), "a.xlsx")


@pytest.mark.parametrize("member", ["xl/workbook.xml", SHEET])
def test_a_missing_part_is_a_typed_error(parse, member):
    members = members_of(simple())
    del members[member]
    with pytest.raises(LoaderError):
        parse(zipped(members), "a.xlsx")


def test_the_limit_on_cells_can_be_set():
    data = workbook(lambda book: [book.add_worksheet().write(row, 0, row) for row in range(1)])
    many = workbook(lambda book: book.add_worksheet().write_column(0, 0, range(100)))
    assert HeuristicBackend(ParsingLimits(table_cells=50)).parse(RawSource("a.xlsx", content=data)).pages
    with pytest.raises(DocumentTooLargeError):
        HeuristicBackend(ParsingLimits(table_cells=50)).parse(RawSource("a.xlsx", content=many))


def test_strict_workbooks_are_read(parse):
    old, new = b"http://schemas.openxmlformats.org/", b"http://purl.oclc.org/ooxml/"
    strict = {
        name: data.replace(old + b"spreadsheetml/2006/main", new + b"spreadsheetml/main").replace(
            old + b"officeDocument/2006/relationships", new + b"officeDocument/relationships"
        )
        for name, data in members_of(simple()).items()
    }
    assert parse(zipped(strict), "a.xlsx").pages[0].text == "# Sheet1\n\n| a | 1 |\n| --- | --- |"


@pytest.mark.parametrize("piece", [b"<c ", b'<c r="A1">', b'<c r="A1" t="e"><v>', b"<row "])
def test_made_up_tags_do_not_take_long(piece):
    data = zipped({"sheet.xml": piece * (1_000_000 // len(piece))})
    start = time.perf_counter()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        scan_sheet(archive, "sheet.xml", "a.xlsx", 1000)
    assert time.perf_counter() - start < 5
