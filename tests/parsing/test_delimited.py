"""Tables of text become Markdown tables, whatever separates their fields."""

from __future__ import annotations

import time

import pytest

from dalil.errors import DocumentTooLargeError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.split("\n") if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(parse, delimiter):
    content = "\n".join(
        delimiter.join(row) for row in (["name", "city", "age"], ["علي", "Cairo", "3"], ["b", "x", "4"])
    )
    assert rows(parse(content, "a.csv").pages[0].text) == [
        ["name", "city", "age"],
        ["علي", "Cairo", "3"],
        ["b", "x", "4"],
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", [["a", "b"], ["1,5", "2,5"], ["3,5", "4,5"]]),
        ("1,5;2,5\n3,5;4,5\n", [["1,5", "2,5"], ["3,5", "4,5"]]),
        ('a,b\nx,"one, two"\n', [["a", "b"], ["x", "one, two"]]),
        ('a,b\nx,"he said ""yes"""\n', [["a", "b"], ["x", 'he said "yes"']]),
        ('a,b\nx,"line one\nline two"\ny,z\n', [["a", "b"], ["x", "line one line two"], ["y", "z"]]),
        ("a,b\nx,=HYPERLINK(1)\n", [["a", "b"], ["x", "=HYPERLINK(1)"]]),
        ('size,item\n5",screen\n7",tv\n', [["size", "item"], ['5"', "screen"], ['7"', "tv"]]),
        ('size,item\n"5,screen\n7,tv\n', [["size", "item"], ['"5', "screen"], ["7", "tv"]]),
        ("sep=;\na;b\n1;2\n", [["a", "b"], ["1", "2"]]),
        ("a, b\n1, 2\n\n3, 4\n", [["a", "b"], ["1", "2"], ["3", "4"]]),
    ],
)
def test_how_fields_are_written(parse, content, expected):
    assert rows(parse(content, "a.csv").pages[0].text) == expected


def test_a_title_above_the_table_stays_above_it(parse):
    assert (
        parse("Sales 2024,,\nteam,city,won\nx,y,1\n", "a.csv")
        .pages[0]
        .text.startswith("Sales 2024\n\n| team | city | won |")
    )


def test_ragged_rows_are_filled_up_and_warned_about(parse):
    parsed = parse("a,b,c\n1,2\n1,2,3,4\n1,2,3\n5,6,7\n", "a.csv")
    assert rows(parsed.pages[0].text)[2] == ["1", "2", "3", "4"]
    assert parsed.warnings == ("2 of 4 rows have another number of fields than the header",)


def test_one_column_is_lines(parse):
    assert parse("first line\nsecond line\n", "a.csv").pages[0].text == "first line\nsecond line"


def test_the_media_type_says_what_separates(parse):
    assert parse("a\tb\n1\t2\n", "a.csv").document.metadata["media_type"] == "text/tab-separated-values"
    assert parse("a,b\n1,2\n", "a.tsv").document.metadata["media_type"] == "text/csv"


def test_a_long_table_has_pages_that_repeat_the_header(parse):
    parsed = parse("number,text\n" + "".join(f"{n},row {n}\n" for n in range(1, 2501)), "a.csv")
    assert [page.label for page in parsed.pages] == ["rows 1-1000", "rows 1001-2000", "rows 2001-2500"]
    assert all(page.text.startswith("| number | text |\n") for page in parsed.pages)
    assert rows(parsed.pages[2].text)[-1] == ["2500", "row 2500"]


def test_a_table_beyond_the_limit_is_cut_with_a_warning():
    backend = HeuristicBackend(ParsingLimits(table_cells=20))
    parsed = backend.parse(RawSource("a.csv", content="a,b\n" + "1,2\n" * 50))
    assert len(rows(parsed.pages[0].text)) == 11
    assert parsed.warnings == ("rows after row 10 were left out: the limit is 20 cells",)


def test_a_long_text_in_a_field_is_read(parse):
    assert "end" in parse(f'a,b\n1,"{"word " * 100_000}end"\n', "a.csv").pages[0].text


def test_a_huge_field_is_refused_soon(parse):
    start = time.perf_counter()
    with pytest.raises(DocumentTooLargeError, match="field"):
        parse(f"a,b\n1,{'x' * 100_000_000}\n", "a.csv")
    assert time.perf_counter() - start < 15


def test_a_real_table_with_semicolons(real):
    table = rows(real("csv-semicolon.csv").pages[0].text)
    assert {len(row) for row in table} == {12}
    assert table[0][0] == "Index"
    assert table[4][4] == "Dominguez;Mcmillan and Donovan"


def test_a_real_table_under_a_title(real):
    text = real("stanley-utf16.csv").pages[0].text
    assert text.startswith("Stanley Cups\n\n| Team | Location | Stanley Cups |")
    assert ["Maple Leafs", "TOR", "13"] in rows(text)


def test_a_real_japanese_table(real):
    assert ["佐藤太郎", "30", "東京"] in rows(real("test_mskanji.csv").pages[0].text)
