"""The tables of real documents stand in the text of their pages, cell for cell."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from dalil.models import ParsedDocument, RawSource
from dalil.parsing import HeuristicBackend

_DATA = Path(os.environ.get("DALIL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


@cache
def _report(name: str) -> ParsedDocument:
    path = _DATA / "sec-10q-pdf" / "pdfs" / name
    if not path.exists():
        pytest.skip(f"the report {name} is not here; DALIL_DATA names the folder that holds it")
    return HeuristicBackend().parse(RawSource(name, path=path))


def _rows(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("| ---")
    ]


def test_a_ruled_table_of_many_columns(real):
    rows = _rows(real("nics.pdf").pages[0].text)
    assert len(rows) == 58
    assert {len(row) for row in rows} == {25}
    heads, names, first, *_, totals = rows
    assert heads[0] == "State / Territory"
    assert heads[7] == "Pre-Pawn"
    assert names[1:7] == ["Permit", "Handgun", "Long Gun", "*Other", "**Multiple", "Admin"]
    assert first[:4] == ["Alabama", "18,870", "23,022", "22,650"]
    assert first[-1] == "71,137"
    assert totals[0] == "Totals"
    assert totals[-1] == "2,236,457"
    numbers = [cell for row in rows[2:] for cell in row[1:] if cell]
    assert all(cell.replace(",", "").replace(" ", "").isdigit() for cell in numbers)


def test_the_columns_of_a_ruled_table_add_up(real):
    *states, totals = _rows(real("nics.pdf").pages[0].text)[2:]

    def number(cell: str) -> int:
        return int(cell.replace(",", "").replace(" ", "") or 0)

    for column in range(1, 25):
        assert sum(number(row[column]) for row in states) == number(totals[column])


def test_tables_with_many_empty_cells(real):
    first, second = (_rows(page.text) for page in real("sparse_borderless.pdf").pages)
    assert first == [
        ["Product Code", "Location", "Expected", "Actual", "Variance", "Status"],
        ["SKU-8847", "A-12", "450", "", "", ""],
        ["", "B-07", "", "289", "-23", ""],
        ["SKU-9201", "", "780", "778", "", "OK"],
        ["", "C-15", "", "", "+15", ""],
        ["SKU-4563", "D-22", "", "156", "", "CRITICAL"],
        ["", "", "180", "", "-24", ""],
        ["SKU-7728", "A-08", "920", "", "", ""],
        ["", "", "", "935", "+15", "OK"],
    ]
    assert second[0] == ["Product Code", "Category", "Unit Cost", "Total Value", "Last Audit", "Notes"]
    assert second[1] == ["SKU-8847", "Electronics", "$45.00", "$13,005.00", "2024-10-15", ""]
    assert len(second) == 11


_REPORTS = [
    ("2022 Q3 AAPL.pdf", 4, ["", "June 25, 2022", "June 26, 2021", "June 25, 2022", "June 26, 2021"]),
    ("2022 Q3 AAPL.pdf", 4, ["Products", "$ 63,355", "$ 63,948", "$ 245,241", "$ 232,309"]),
    ("2022 Q3 AAPL.pdf", 4, ["Other income/(expense), net", "(10)", "243", "(97)", "796"]),
    ("2022 Q3 AAPL.pdf", 6, ["Total liabilities and shareholders’ equity", "$ 336,309", "$ 351,002"]),
    ("2022 Q3 AMZN.pdf", 4, ["", "Three Months Ended September 30,", "", "Nine Months Ended September 30,", ""]),
    ("2022 Q3 AMZN.pdf", 4, ["Net income (loss)", "$ 3,156", "$ 2,872", "$ 19,041", "$ (3,000)"]),
    ("2022 Q3 AMZN.pdf", 10, ["Cash", "$ 10,942", "$ 10,720", "$ —", "$ —", "$ 10,720"]),
    ("2022 Q3 AMZN.pdf", 10, ["Equity securities (1)(3)", "1,646", "", "", "", "5,988"]),
    ("2022 Q3 MSFT.pdf", 3, ["Three Months Ended September 30,", "2022", "2021"]),
    ("2022 Q3 MSFT.pdf", 5, ["Accounts payable", "$ 16,609", "$ 19,000"]),
    ("2022 Q3 NVDA.pdf", 5, ["", "October 30, 2022", "January 30, 2022"]),
    ("2022 Q3 NVDA.pdf", 12, ["Dilutive impact of outstanding equity awards", "16", "39", "22", "39"]),
    ("2023 Q3 NVDA.pdf", 30, ["Compute & Networking", "$ 14,645", "$ 3,816", "$ 10,829", "284 %"]),
]


@pytest.mark.parametrize(("name", "number", "row"), _REPORTS)
def test_rows_of_quarterly_reports(name, number, row):
    rows = _rows(_report(name).pages[number - 1].text)
    assert row in [found[: len(row)] for found in rows]
