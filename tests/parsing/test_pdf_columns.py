"""Columns of a page are read one after the other, whatever order the file draws them in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

FONT, SIZE, LEADING = "Helvetica", 10, 12
Piece = tuple[float, float, str, float, str]

WORDS = (
    "the passage retriever selects candidate contexts from many documents and the reader then finds answers within "
    "them while older systems matched only the exact words of every question with little regard for what they meant"
).split()


def prose(tag: str, count: int) -> list[str]:
    """Lines of about forty characters, each with words that no other column has."""
    lines = []
    for number in range(count):
        start = 5 * number % len(WORDS)
        words = (WORDS * 2)[start : start + 6]
        lines.append(" ".join([f"{tag}{number}", *words])[:42].rsplit(" ", 1)[0])
    return lines


def column(x: float, top: float, lines: list[str]) -> list[Piece]:
    return [(x, top - LEADING * number, FONT, SIZE, line) for number, line in enumerate(lines)]


def across(*columns: list[Piece]) -> Iterator[Piece]:
    """Line by line through all columns."""
    for row in zip(*columns, strict=True):
        yield from row


def order(text: str, *marks: str) -> list[str]:
    """The marks in the order in which they stand in a text."""
    assert all(mark in text for mark in marks), text
    return sorted(marks, key=text.index)


LEFT = column(60, 700, prose("left", 20))
RIGHT = column(320, 700, prose("right", 20))
MARKS = ("left0", "left10", "left19", "right0", "right10", "right19")


@pytest.mark.parametrize(
    "pieces", [[*LEFT, *RIGHT], [*RIGHT, *LEFT], list(across(LEFT, RIGHT)), list(across(RIGHT, LEFT))]
)
def test_the_left_column_first(parse, make_pdf, pieces):
    text = parse(make_pdf(pieces), "a.pdf").pages[0].text
    assert order(text, *MARKS) == list(MARKS)


def test_a_title_and_a_wide_paragraph_stand_over_and_under_columns(parse, make_pdf):
    title = [(120, 760, "Helvetica-Bold", 20, "A Title That Stands Over Both Columns")]
    wide = column(60, 440, ["Finally, a line that runs through the whole width of the page, over both of its columns."])
    below = [*column(60, 400, prose("low", 10)), *column(320, 400, prose("deep", 10))]
    text = parse(make_pdf([*across(LEFT, RIGHT), *below, *wide, *title]), "a.pdf").pages[0].text
    marks = ("A Title That", *MARKS, "Finally", "low0", "low9", "deep0", "deep9")
    assert order(text, *marks) == list(marks)


def test_three_columns(parse, make_pdf):
    columns = [
        column(x, 700, [line[:26].rsplit(" ", 1)[0] for line in prose(tag, 20)])
        for x, tag in ((50, "one"), (230, "two"), (410, "three"))
    ]
    marks = ("one0", "one19", "two0", "two19", "three0", "three19")
    text = parse(make_pdf(list(across(*columns))), "a.pdf").pages[0].text
    assert order(text, *marks) == list(marks)


def test_rows_without_running_text_are_no_columns(parse, make_pdf):
    labels = ["Name", "Street", "Town", "Country", "Telephone", "Born", "Profession", "Language"]
    values = ["Amina", "Harbour Road", "Tunis", "Tunisia", "none", "1990", "engineer", "Arabic"]
    text = parse(make_pdf([*across(column(72, 700, labels), column(320, 700, values))]), "a.pdf").pages[0].text
    for label, value in zip(labels, values, strict=True):
        assert abs(text.index(label) - text.index(value)) < 20


def test_a_heading_of_two_lines_is_no_pair_of_columns(parse, make_pdf):
    heading = [
        (72, 740, "Helvetica-Bold", 18, "Report on the"),
        (330, 740, "Helvetica-Bold", 18, "Retrieval of"),
        (72, 718, "Helvetica-Bold", 18, "Passages and"),
        (330, 718, "Helvetica-Bold", 18, "Answers"),
    ]
    body = column(72, 680, ["A line of plain text that goes through the whole page, from one margin to the other."] * 8)
    text = parse(make_pdf([*heading, *body]), "a.pdf").pages[0].text
    assert text.startswith("# Report on the Retrieval of Passages and Answers\n\n")


def test_what_the_file_draws_last_is_read_where_it_stands(parse, make_pdf):
    body = column(
        72,
        700,
        [f"line{number} of a paragraph of plain text that is long enough to be a line." for number in range(10)],
    )
    footer, title = (72, 60, FONT, SIZE, "Confidential"), (72, 760, FONT, 20, "The Title")
    text = parse(make_pdf([footer, *body[5:], title, *body[:5]]), "a.pdf").pages[0].text
    marks = ("The Title", "line0", "line4", "line5", "line9", "Confidential")
    assert order(text, *marks) == list(marks)


def test_words_broken_at_the_end_of_a_column_are_whole(parse, make_pdf):
    left = [*LEFT[:-1], (60, LEFT[-1][1], FONT, SIZE, "it matches questions by their embed-")]
    right = [(320, RIGHT[0][1], FONT, SIZE, "dings, which are learned"), *RIGHT[1:]]
    assert "their embeddings, which" in parse(make_pdf([*left, *right]), "a.pdf").pages[0].text


def test_a_real_page(real):
    text = real("multi-column-2p.pdf").pages[0].text
    assert "Open-domain question answering relies on efficient passage retrieval to select candidate contexts" in text
    marks = ("Abstract", "1 Introduction", "Equal contribution", "Retrieval in open-domain QA is usually", "ORQA")
    assert order(text, *marks) == list(marks)
