"""Sheets become pages; the tables on them are told apart."""

from __future__ import annotations

import time

from office_files import workbook


def sheet_text(parse, *rows: list, at: tuple[int, int] = (0, 0)) -> str:
    def fill(book):
        sheet = book.add_worksheet("S")
        for index, row in enumerate(rows):
            for column, value in enumerate(row):
                if value != "":
                    sheet.write(at[0] + index, at[1] + column, value)

    return parse(workbook(fill), "a.xlsx").pages[0].text.removeprefix("# S\n\n")


def test_a_page_for_each_sheet_headed_and_labelled_with_its_name(parse):
    def fill(book):
        book.add_worksheet("الميزانية").write(0, 0, "نص")
        book.add_worksheet("empty")
        book.add_worksheet("last").write(0, 0, "x")

    pages = parse(workbook(fill), "a.xlsx").pages
    assert [(page.number, page.label, page.text) for page in pages] == [
        (1, "الميزانية", "# الميزانية\n\nنص"),
        (2, "empty", ""),
        (3, "last", "# last\n\nx"),
    ]


def test_titles_and_notes_around_a_table_are_text(parse):
    rows = [["Budget 2024"], [], ["name", "count"], ["أ", 1], ["ب", 2], ["Source: us"]]
    expected = "Budget 2024\n\n| name | count |\n| --- | --- |\n| أ | 1 |\n| ب | 2 |\n\nSource: us"
    assert sheet_text(parse, *rows) == expected
    assert sheet_text(parse, *[row for row in rows if row], at=(7, 4)) == expected


def test_tables_below_each_other(parse):
    rows = [["a", "b"], [1, 2], [], ["c", "d"], [3, 4]]
    assert sheet_text(parse, *rows) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n| c | d |\n| --- | --- |\n| 3 | 4 |"


def test_an_empty_row_does_not_end_a_table_that_goes_on(parse):
    rows = [["a", "b"], [1, 2], [], [3, 4], [], [5, ""], [6, 7]]
    assert sheet_text(parse, *rows).startswith("| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |")
    assert sheet_text(parse, *rows).count("---") == 2


def test_tables_beside_each_other(parse):
    rows = [["a", "b", "", "c", "d"], [1, 2, "", 3, 4], [5, 6]]
    assert sheet_text(parse, *rows) == (
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 5 | 6 |\n\n| c | d |\n| --- | --- |\n| 3 | 4 |"
    )


def test_parts_of_one_height_are_one_table(parse):
    assert sheet_text(parse, ["a", "", "b"], [1, "", 2]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"


def test_hidden_sheets_are_left_out_with_a_warning(parse):
    def fill(book):
        book.add_worksheet("shown").write(0, 0, "x")
        hidden = book.add_worksheet("lists")
        hidden.write(0, 0, "y")
        hidden.hide()

    parsed = parse(workbook(fill), "a.xlsx")
    assert [page.label for page in parsed.pages] == ["shown"]
    assert parsed.warnings == ('the hidden sheet "lists" was left out',)


def test_comments_on_cells(parse):
    def fill(book):
        sheet = book.add_worksheet("S")
        sheet.write(0, 0, "x")
        sheet.write_comment(2, 1, "تحقق", {"author": "Sam"})

    assert parse(workbook(fill), "a.xlsx").pages[0].text == "# S\n\nx\n\nComment by Sam on B3: تحقق"


def widths(table: str) -> list[int]:
    return [line.count("|") - 1 for line in table.split("\n") if "---" not in line]


def test_a_real_sheet_that_says_it_is_larger_than_it_is(real):
    real("testEXCEL_dateFormats.xlsx")  # loads the reader
    start = time.perf_counter()
    parsed = real("xlsx_04_inflated.xlsx")
    assert time.perf_counter() - start < 1
    tables = [
        [
            [line.count("|") - 1 for line in block.split("\n") if "---" not in line]
            for block in page.text.split("\n\n")[1:]
        ]
        for page in parsed.pages
    ]
    # 7x3 on the first sheet; 18x9 and 13x7 are made of three and two tables.
    assert tables == [[[3] * 7], [[4] * 9, [3] * 5, [3] * 5], [[3] * 7, [3] * 7]]
    assert parsed.warnings == ('the hidden sheet "Sheet4" was left out',)
