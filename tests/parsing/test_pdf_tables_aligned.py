"""Tables without upright rules come back with every number beside its label and under its head."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from table_pages import tables, text_at, texts

from dalil.parsing.formats.pdf.rules import Fill, Rule, Rules
from dalil.parsing.formats.pdf.words import Word

_AMOUNT = st.decimals(0, 99_999, places=2).map(lambda amount: f"{amount:,.2f}")
_VALUE = _AMOUNT | _AMOUNT.map(lambda amount: f"({amount})") | st.just("—")
_LABEL = st.lists(st.sampled_from(["Net", "Total", "Other", "Cash", "Income", "Assets"]), min_size=1, max_size=4)


def _page(rows: list[list[str]], ends: tuple[float, ...], *, top: float = 700, pitch: float = 14) -> list[Word]:
    words = []
    for number, (label, *values) in enumerate(rows):
        y = top - pitch * number
        words += text_at(50, y, label)
        for end, value in zip(ends, values, strict=True):
            words += text_at(end, y, value, right=True)
    return words


def _may_number_equations(values: list[str]) -> bool:
    """Numbers in brackets that rise from line to line: nothing tells them from the numbers of equations."""
    if not all("(" in value for value in values):
        return False
    amounts = [float(value.strip("()").replace(",", "")) for value in values]
    return all(before < after for before, after in pairwise(amounts))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_rows_of_numbers_with_wide_gutters_come_back_cell_for_cell(data: st.DataObject) -> None:
    columns = data.draw(st.integers(1, 4))
    count = data.draw(st.integers(3, 15))
    rows = [
        [" ".join(data.draw(_LABEL)), *data.draw(st.lists(_VALUE, min_size=columns, max_size=columns))]
        for _ in range(count)
    ]
    assume(columns > 1 or not _may_number_equations([row[1] for row in rows]))
    (table,) = tables(_page(rows, tuple(270.0 + 80 * column for column in range(columns))))
    assert texts(table) == rows


def test_one_column_of_equal_losses_is_a_table() -> None:
    rows = [["Net", "(0.00)"], ["Net", "(0.00)"], ["Net", "(0.00)"]]
    (table,) = tables(_page(rows, (270,)))
    assert texts(table) == rows


def test_a_statement_has_its_heads_sections_and_totals() -> None:
    rows = [["Net sales:", "", ""], ["Products", "63,355", "63,948"], ["Services", "(19,604)", "—"]]
    words = [
        *text_at(300, 742, "Three Months Ended"),
        *text_at(288, 726, "June 25,"),
        *text_at(378, 726, "June 26,"),
        *text_at(297, 715, "2022"),
        *text_at(387, 715, "2021"),
        *_page(rows, (320, 410)),
        *text_at(50, 655, "Total net sales"),
        *text_at(270, 655, "$"),
        *text_at(320, 655, "82,959", right=True),
        *text_at(360, 655, "$"),
        *text_at(410, 655, "81,434", right=True),
    ]
    rules = Rules((Rule(740, 270, 410), Rule(668, 270, 320), Rule(668, 360, 410)))
    (table,) = tables(words, rules)
    assert texts(table) == [
        ["", "Three Months Ended", ""],
        ["", "June 25, 2022", "June 26, 2021"],
        *rows,
        ["Total net sales", "$ 82,959", "$ 81,434"],
    ]


def test_a_label_of_two_lines_is_one_label() -> None:
    words = _page([["Short", "1.5", "2.5"]], (320, 410))
    words += text_at(50, 686, "Common stock withheld related to")
    words += text_at(60, 676, "net settlement")
    words += [*text_at(320, 676, "3.5", right=True), *text_at(410, 676, "4.5", right=True)]
    words += _page([["Other", "5.5", "6.5"]], (320, 410), top=662)
    (table,) = tables(words)
    assert texts(table) == [
        ["Short", "1.5", "2.5"],
        ["Common stock withheld related to net settlement", "3.5", "4.5"],
        ["Other", "5.5", "6.5"],
    ]


def test_words_that_go_on_in_another_column_are_one_cell() -> None:
    words = []
    for y, number, title in ((700, "3.1", "Bylaws of the company as"), (670, "3.2", "Another document")):
        words += [*text_at(50, y, number), *text_at(120, y, title), *text_at(400, y, "8-K"), *text_at(460, y, "10.1")]
    words += text_at(120, 688, "of this year")
    words += [*text_at(50, 650, "3.3"), *text_at(120, 650, "The last"), *text_at(460, 650, "10.2")]
    (table,) = tables(words)
    assert texts(table) == [
        ["3.1", "Bylaws of the company as of this year", "8-K", "10.1"],
        ["3.2", "Another document", "8-K", "10.1"],
        ["3.3", "The last", "", "10.2"],
    ]


def test_per_cent_signs_and_currencies_are_with_their_numbers() -> None:
    words = []
    for number, label in enumerate(("Revenue", "Cost", "Margin")):
        y = 700 - 14 * number
        words += [*text_at(50, y, label), *text_at(200, y, "$"), *text_at(270, y, f"{number}4.0", right=True)]
        words += [*text_at(330, y, f"{number + 1}2", right=True), *text_at(334, y, "%")]
    (table,) = tables(words)
    assert texts(table) == [
        ["Revenue", "$ 04.0", "12 %"],
        ["Cost", "$ 14.0", "22 %"],
        ["Margin", "$ 24.0", "32 %"],
    ]


def test_empty_cells_stay_empty() -> None:
    columns = (50.0, 130.0, 210.0, 290.0)
    rows = [["SKU-1", "A-12", "450", ""], ["", "B-07", "", "-23"], ["SKU-2", "", "780", ""], ["", "C-15", "", "+15"]]
    words = [
        word
        for number, row in enumerate(rows)
        for x, cell in zip(columns, row, strict=True)
        for word in text_at(x, 700 - 20 * number, cell)
    ]
    (table,) = tables(words)
    assert texts(table) == rows


def test_a_new_head_begins_a_new_table() -> None:
    first, second = [["A", "10.5", "20.5"], ["B", "30.5", "40.5"]], [["C", "50.5", "60.5"], ["D", "70.5", "80.5"]]
    words = [*text_at(300, 714, "2022"), *text_at(390, 714, "2021"), *_page(first, (320, 410))]
    words += [*text_at(300, 660, "2023"), *text_at(390, 660, "2022"), *_page(second, (320, 410), top=646)]
    found = tables(words)
    assert [texts(table) for table in found] == [
        [["", "2022", "2021"], *first],
        [["", "2023", "2022"], *second],
    ]


def test_a_band_of_colour_divides_rows_that_stand_close() -> None:
    words = _page([["Alpha", "1.5", "2.5"]], (320, 410), top=700)
    words += text_at(50, 691, "Section")
    words += _page([["beta", "3.5", "4.5"]], (320, 410), top=682)
    band = Fill(45, 690, 415, 701)
    (table,) = tables(words, Rules(fills=(band,)))
    assert ["Alpha", "1.5", "2.5"] in texts(table)


def test_a_table_in_one_column_of_a_page_leaves_the_other_columns_prose_alone() -> None:
    prose = "words of a second column that runs on"
    words = []
    for number in range(20):
        words += text_at(330, 700 - 14 * number, prose)
        if number < 14:
            words += text_at(50, 700 - 14 * number, "words of the first column that goes on")
        else:
            words += text_at(50, 700 - 14 * number, f"Row {number}")
            words += text_at(180, 700 - 14 * number, f"{number}.5", right=True)
            words += text_at(240, 700 - 14 * number, f"{number}.7", right=True)
    (table,) = tables(words)
    assert texts(table) == [[f"Row {number}", f"{number}.5", f"{number}.7"] for number in range(14, 20)]
