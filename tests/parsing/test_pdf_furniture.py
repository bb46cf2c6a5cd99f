"""Running headers, footers and page numbers are told from text, and text is never taken for them."""

from __future__ import annotations

import io
import os
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.parsing.formats.pdf.furniture import Furniture
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.page_numbers import Numbered, normal, readings

HEIGHT = 800.0
Placed = tuple[float, str]


def line(bottom: float, text: str, *, size: float = 12, left: float = 72) -> Line:
    return Line(text, left, left + 6 * len(text), bottom, bottom + size, size)


def body(number: int, *, lines: int = 20) -> list[Line]:
    """A page of text that no other page has."""
    return [
        line(700 - 16 * row, f"{chr(97 + row) * (number % 7 + 3)} sentence {number}-{row} of it")
        for row in range(lines)
    ]


def left_out(pages: Sequence[Sequence[Line]], *, height: float = HEIGHT) -> list[list[str]]:
    """The texts that are furniture, by the page."""
    furniture = Furniture()
    for number, lines in enumerate(pages, 1):
        furniture.add(number, lines, height)
    return [
        [lines[place].text for place in sorted(furniture.on_page(number, lines, height))]
        for number, lines in enumerate(pages, 1)
    ]


def document(pages: int, header: Callable[[int], list[Line]]) -> list[list[Line]]:
    return [header(number) + body(number) for number in range(1, pages + 1)]


@pytest.mark.parametrize(
    "text",
    [
        lambda number: "THE SIEGE OF VICKSBURG",
        lambda number: "الجريدة الرسمية - العدد 9 (مكرر) فى 6 مارس سنة 2022",
        lambda number: f"Annual Report of the Company {number + 11}",
        lambda number: f"{number + 11} | Annual Report of the Company",
        lambda number: f"Page {number} of 9",
        lambda number: f"- {number} -",
        lambda number: f"{number}/9",
        lambda number: str(number + 40),
        lambda number: ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][number - 1],
        lambda number: f"صفحة {number} من 9".translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
        lambda number: str(number).translate(str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")),
        lambda number: f"https://example.org/report {number}/9",
    ],
)
@pytest.mark.parametrize("bottom", [760, 20])
def test_what_is_repeated_at_an_edge_is_left_out(text: Callable[[int], str], bottom: float):
    pages = document(9, lambda number: [line(bottom, text(number))])
    assert left_out(pages) == [[text(number)] for number in range(1, 10)]


def test_left_and_right_pages_have_their_own_headers():
    def header(number: int) -> list[Line]:
        return [line(760, f"{number + 48} The Siege of the City" if number % 2 else f"A Soldier's Diary {number + 48}")]

    pages = document(9, header)
    assert left_out(pages) == [[header(number)[0].text] for number in range(1, 10)]


def test_headers_of_several_lines():
    pages = document(
        6, lambda number: [line(776, "ACME CORPORATION"), line(762, "NOTES (Continued)"), line(748, "(Unaudited)")]
    )
    assert left_out(pages) == [["ACME CORPORATION", "NOTES (Continued)", "(Unaudited)"]] * 6


def test_a_number_beside_the_header():
    pages = document(6, lambda number: [line(760, "ACME CORPORATION"), line(760, str(number), left=500)])
    assert left_out(pages) == [["ACME CORPORATION", str(number)] for number in range(1, 7)]


def test_page_numbers_wherever_the_text_ends():
    pages = [[*body(number, lines=5 + 3 * number), line(660 - 48 * number, str(number))] for number in range(1, 9)]
    for page in pages:
        page[-1] = line(min(one.bottom for one in page[:-1]) - 40, page[-1].text)
    assert left_out(pages) == [[str(number)] for number in range(1, 9)]


def test_a_chapter_s_own_header():
    pages = document(20, lambda number: [line(760, "The First Chapter" if number < 10 else "The Second Chapter")])
    assert left_out(pages)[4] == ["The First Chapter"]
    assert left_out(pages)[14] == ["The Second Chapter"]


def test_a_header_that_ocr_misread_on_one_page():
    pages = document(
        6, lambda number: [line(760, "THE SIEGE OF VICKSBURG" if number != 3 else "THE SIEGE OP VICKSBUEG")]
    )
    assert left_out(pages)[2] == ["THE SIEGE OP VICKSBUEG"]


def test_two_pages_are_enough_where_there_are_no_more():
    assert left_out(document(2, lambda number: [line(760, "Letter to the Council")])) == [["Letter to the Council"]] * 2
    assert left_out(document(1, lambda number: [line(760, "Letter to the Council")])) == [[]]


def test_running_headers_are_named_once_and_without_page_numbers():
    furniture = Furniture()
    for number in range(1, 10):
        header = f"Report of the Council | {number}" if number % 2 else "For the Members"
        furniture.add(number, [line(760, header), *body(number), line(20, str(number))], HEIGHT)
    assert furniture.texts == ("Report of the Council", "For the Members")


@pytest.mark.parametrize(
    "text",
    [
        lambda number: f"Printed on {number * 37 % 28 + 1} March, {number * 13 % 24}:{number * 7 % 60:02d}",
        lambda number: f"Section on matter {chr(96 + number)}",
        lambda number: f"Article {number}",
        lambda number: f"مادة ( {number + 40} ) :",
        lambda number: f"Lesson {number}",
        lambda number: f"Total {number * 5}",
        lambda number: f"{number * 1000 + 234:,} {number * 77:,}",
        lambda number: f"{number * 3}",
        lambda number: "Summary" if number in (1, 7, 13) else f"Chapter {chr(96 + number)}",
        lambda number: "Summary" if number < 3 else f"Chapter {chr(96 + number)}",
    ],
)
def test_what_is_not_repeated_enough_stays(text: Callable[[int], str]):
    assert left_out(document(13, lambda number: [line(760, text(number))])) == [[]] * 13


def test_the_head_of_a_table_that_runs_on_stays():
    pages = [
        [line(760, "Date Amount Balance"), *(line(744 - 16 * row, f"{number}{row} {row * 7}") for row in range(30))]
        for number in range(1, 8)
    ]
    assert left_out(pages) == [[]] * 7


def test_the_head_of_a_table_below_a_running_header_stays():
    pages = [
        [
            line(776, "Statement of the Account"),
            line(740, "Date Amount Balance"),
            *(line(724 - 16 * row, f"{number}{row} {row * 7}") for row in range(30)),
        ]
        for number in range(1, 8)
    ]
    assert left_out(pages) == [["Statement of the Account"]] * 7


def test_what_stands_beside_a_header_ends_the_edge():
    pages = document(
        6,
        lambda number: [
            line(776, "ACME"),
            line(776, f"on matter {chr(96 + number)}", left=300),
            line(762, "(Unaudited)"),
        ],
    )
    for page in pages:
        del page[3:5]
    assert "(Unaudited)" not in {text for page in left_out(pages) for text in page}


def test_a_second_line_that_few_pages_have_stays():
    pages = document(
        40, lambda number: [line(776, "ACME"), *([line(750, "BALANCE SHEETS")] if 9 < number < 15 else [])]
    )
    for page in pages:
        del page[-20:-18]
    assert left_out(pages) == [["ACME"]] * 40


def test_the_name_of_a_table_stays():
    furniture = Furniture()
    pages = document(6, lambda number: [line(760, "ACME CORPORATION")])
    for number, lines in enumerate(pages, 1):
        furniture.add(number, lines, HEIGHT)
    assert furniture.on_page(4, [line(760, "ACME CORPORATION")], HEIGHT, [(100, 755)]) == frozenset()
    assert furniture.on_page(4, pages[3], HEIGHT, [(774, 790)]) == frozenset()


def test_large_titles_stay():
    assert left_out(document(8, lambda number: [line(750, "Agenda", size=24)])) == [[]] * 8


def test_what_is_repeated_in_the_middle_stays():
    pages = document(7, lambda number: [line(360, "See the notes")])
    assert left_out(pages) == [[]] * 7


def test_the_only_text_of_a_page_stays():
    pages = [*document(5, lambda number: [line(760, "ACME CORPORATION")]), [line(760, "ACME CORPORATION")]]
    assert left_out(pages)[5] == []
    furniture = Furniture()
    for number, lines in enumerate(pages, 1):
        furniture.add(number, lines, HEIGHT)
    assert furniture.on_page(6, pages[5], HEIGHT, [(100, 600)]) == {0}


def test_a_page_without_lines():
    assert left_out([[], [], []]) == [[], [], []]


WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=10)
NUMBERS = st.integers(0, 999_999)


@given(st.data())
def test_text_that_is_nowhere_repeated_is_never_left_out(data: st.DataObject):
    """Whatever numbers it holds, and wherever on the page it stands."""
    count = data.draw(st.integers(1, 12))
    words = data.draw(st.lists(WORDS, min_size=count * 6, max_size=count * 6, unique=True))
    tops = st.lists(st.integers(0, 78), min_size=1, max_size=6, unique=True)
    pages = [
        [
            line(10.0 * top, f"{words[number * 6 + row]} {data.draw(NUMBERS)} {data.draw(NUMBERS)}")
            for row, top in enumerate(data.draw(tops))
        ]
        for number in range(count)
    ]
    assert left_out(pages) == [[]] * count


@given(st.data())
def test_only_the_header_and_the_page_number_are_left_out(data: st.DataObject):
    """With any text between them that is not repeated, however near it stands."""
    count = data.draw(st.integers(4, 12))
    words = data.draw(st.lists(WORDS, min_size=count * 5, max_size=count * 5, unique=True))
    first = data.draw(st.integers(1, 500))
    pages = []
    for number in range(count):
        highest = data.draw(st.integers(690, 735))
        rows = [line(highest - 16 * row, f"{words[number * 5 + row]} {data.draw(NUMBERS)} {row}") for row in range(5)]
        pages.append([line(770, "Proceedings of the Society"), *rows, line(30, str(first + number))])
    expected = [["Proceedings of the Society", str(first + number)] for number in range(count)]
    assert left_out(pages) == expected


def test_a_document_of_many_pages_needs_little_memory():
    furniture = Furniture()
    tracemalloc.start()
    for number in range(1, 8001):
        furniture.add(
            number, [line(780 - 40 * row, f"text {number} {row} {number * row}") for row in range(10)], HEIGHT
        )
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Page 12 of 300", [Numbered("page 12 of #", 300), Numbered("page # of 300", 12)]),
        ("١٢", [Numbered("#", 12)]),
        ("— xiv —", [Numbered("— # —", 14)]),
        ("12,345.67", []),
        ("A-3", [Numbered("a-#", 3)]),
        ("no number", []),
    ],
)
def test_the_page_numbers_that_a_line_may_hold(text: str, expected: list[Numbered]):
    assert readings(normal(text)) == expected


@given(st.text())
def test_any_line_can_be_read(text: str):
    for reading in readings(normal(text)):
        assert reading.number >= 0


DATA = Path(os.environ.get("DALIL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def test_a_header_never_reaches_the_text(parse: Callable[..., Any]):
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    for number in range(1, 7):
        canvas.drawString(72, 800, "Proceedings of the Society")
        canvas.drawString(
            72, 700, f"What was said on day {'first second third fourth fifth sixth'.split()[number - 1]}."
        )
        canvas.drawString(72, 680, f"It was entered as number {number * 31} in the book.")
        canvas.drawString(290, 30, str(number))
        canvas.showPage()
    canvas.save()
    parsed = parse(buffer.getvalue(), "a.pdf")
    assert [page.text for page in parsed.pages] == [
        f"What was said on day {word}.\nIt was entered as number {number * 31} in the book."
        for number, word in enumerate("first second third fourth fifth sixth".split(), 1)
    ]


@pytest.mark.parametrize(
    ("name", "page", "header", "kept"),
    [
        ("natural_arabic.pdf", 5, "الجريدة الرسمية", "تُشكل اللجنة الوزارية للسياحة"),
        ("vicksburg_ocr.pdf", 1, "THE SIEGE OF VICKSBURG", "did not last long; it became too conspicuous"),
        ("vicksburg_ocr.pdf", 2, "THE SIEGE OF VICKSBUEG", "and exploded, scattering dirt"),
    ],
)
def test_real_headers_are_left_out(real: Callable[..., Any], name: str, page: int, header: str, kept: str):
    text = real(name).pages[page - 1].text
    assert header not in text
    assert kept in text


def test_a_real_report_loses_nothing_but_its_headers(parse: Callable[..., Any]):
    path = DATA / "sec-10q-pdf" / "pdfs" / "2022 Q3 AAPL.pdf"
    if not path.exists():
        pytest.skip("the SEC reports are not here; DALIL_DATA names the folder that holds them")
    parsed = parse(path.read_bytes(), path.name)
    assert not any("Form 10-Q | " in page.text for page in parsed.pages)
    assert "Apple Inc. | Q3 2022 Form 10-Q" in parsed.document.metadata["running_headers"]
    assert "Emerging growth company" in parsed.pages[0].text
    assert "Diluted" in parsed.pages[3].text
