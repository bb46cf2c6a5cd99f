"""Values of cells are written as a reader of the sheet expects them."""

from __future__ import annotations

import datetime as dt

import pytest
from office_files import workbook


def cell_of(parse, value, number_format: str = "") -> str:
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write(0, 0, "head")
        sheet.write(1, 0, value, book.add_format({"num_format": number_format}) if number_format else None)

    return parse(workbook(fill), "a.xlsx").pages[0].text.split("\n")[-1].strip("| ")


@pytest.mark.parametrize(
    ("value", "number_format", "expected"),
    [
        (5, "", "5"),
        (-3.0, "", "-3"),
        (2000.5, "", "2000.5"),
        (0.1 + 0.2, "", "0.3"),
        (123456789012345, "", "123456789012345"),
        (0.15, "0%", "0.15"),
        (True, "", "TRUE"),
        ("007", "", "007"),
        ("نص | مقسوم", "", "نص \\| مقسوم"),
        (dt.date(2018, 9, 20), "d/m/yyyy", "2018-09-20"),
        (dt.datetime(1996, 8, 10, 14, 30), "yyyy-mm-dd hh:mm", "1996-08-10 14:30:00"),
        (dt.time(14, 30), "hh:mm", "14:30:00"),
        (dt.timedelta(hours=36, minutes=5), "[h]:mm", "36:05:00"),
    ],
)
def test_values(parse, value, number_format, expected):
    assert cell_of(parse, value, number_format) == expected


@pytest.mark.parametrize("error", ["#N/A", "#DIV/0!", "#REF!"])
def test_errors_stay(parse, error):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["a", "b"])
        sheet.write(1, 0, 1)
        sheet.write_formula(1, 1, '=IF("x"="#",1/0)', None, error)

    assert parse(workbook(fill), "a.xlsx").pages[0].text.endswith(f"| 1 | {error} |")


def test_real_dates(real):
    text = real("testEXCEL_dateFormats.xlsx").pages[0].text
    assert "| 2018-09-20 |" in text
    assert "| 1996-08-10 |" in text
