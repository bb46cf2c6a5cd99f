"""Words that lines break, letters that type joins, and spaces of every kind."""

from __future__ import annotations

import io

import pytest

FULL = "This line of text is quite long and goes to the margin with a word that is "


def page(*texts: str) -> list[tuple[float, float, str, float, str]]:
    return [(60, 700 - 12 * number, "Helvetica", 10, text) for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("hyphen-", "ated by its typesetter", "is hyphenated by"),
        ("well-", "known to all readers", "is well-known to"),
        ("Franco-", "German by its origin", "is Franco-German by"),
        ("from 1990-", "2020 in the sources", "from 1990-2020 in"),
    ],
)
def test_hyphens_at_the_ends_of_lines(parse, make_pdf, first, second, expected):
    others = "A well-known hyphenated word is known to be in the text, and it does well there."
    text = parse(make_pdf(page(FULL + first, second, "", others)), "a.pdf").pages[0].text
    assert expected in text.replace("\n", " ")


def test_a_hyphen_between_two_words_of_the_document_stays(parse, make_pdf):
    pieces = page(FULL + "high-", "dimensional in every way.", "", "A high tower is a dimensional thing.")
    assert "is high-dimensional in" in parse(make_pdf(pieces), "a.pdf").pages[0].text


def test_a_hyphen_at_the_end_of_a_page_stays(parse, make_pdf):
    assert parse(make_pdf(page(FULL + "hyphen-")), "a.pdf").pages[0].text.endswith("is hyphen-")


def test_places_of_a_broken_word(parse, make_pdf):
    found = parse(make_pdf(page(FULL + "hyphen-", "ated by its typesetter")), "a.pdf").pages[0]
    start = found.text.index("hyphenated")
    boxes = found.geometry.boxes(1, start, start + len("hyphenated"))
    assert len(boxes) == 2
    assert boxes[0].left > boxes[1].right
    assert boxes[0].bottom <= boxes[1].top + 0.005


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("e\ufb03cient \ufb01les and \ufb02oors", "efficient files and floors"),
        ("co\u00adoperate", "cooperate"),
        ("10\u00a0000 people", "10 000 people"),
        ("a\u2003wide\u2009space", "a wide space"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_ligatures_soft_hyphens_and_spaces(parse, drawn, read):
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont
    from reportlab.pdfgen.canvas import Canvas

    try:
        pdfmetrics.registerFont(TTFont("Plain", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
    except TTFError:
        pytest.skip("the DejaVu fonts are not installed here")
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.setFont("Plain", 11)
    canvas.drawString(72, 700, drawn)
    canvas.save()
    found = parse(buffer.getvalue(), "a.pdf").pages[0]
    assert found.text == read
    words = [found.text[word.start : word.end] for word in found.geometry.placed_words()]
    assert words == read.split()
