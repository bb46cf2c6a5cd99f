"""What a PDF says about its pages, and what one bad page costs the others."""

from __future__ import annotations

import io

import pytest

from dalil.errors import DocumentTooLargeError
from dalil.models import RawSource
from dalil.parsing.formats.pdf import finishing, read
from dalil.parsing.limits import ParsingLimits


def test_printed_page_numbers(parse):
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for number in range(6):
        canvas.drawString(72, 700, f"This is the page with the index {number}.")
        canvas.showPage()
    canvas.addPageLabel(0, style="ROMAN_LOWER", start=4)
    canvas.addPageLabel(2, style="ARABIC", start=3)
    canvas.addPageLabel(4, prefix="A-", style="ARABIC", start=1)
    canvas.save()
    pages = parse(buffer.getvalue(), "a.pdf").pages
    assert [page.label for page in pages] == ["iv", "v", "", "", "A-1", "A-2"]


def test_too_many_pages(make_pdf):
    data = make_pdf(*[[(72, 700, "Helvetica", 10, f"page {number}")] for number in range(4)])
    source = RawSource("a.pdf", content=data)
    with pytest.raises(DocumentTooLargeError, match="4 pages"):
        read(data, source, ParsingLimits(pages=3))
    assert len(list(read(data, source, ParsingLimits(pages=4)).pages)) == 4


def test_pages_are_made_one_by_one_and_warnings_with_them(make_pdf, monkeypatch):
    def broken(parts, *others):
        if any("two" in part.text for part in parts):
            raise ValueError("no such luck")
        return written(parts, *others)

    written = finishing.written
    monkeypatch.setattr(finishing, "written", broken)
    data = make_pdf(*[[(72, 700, "Helvetica", 10, text)] for text in ("one", "two", "three")])
    reading = read(data, RawSource("a.pdf", content=data), ParsingLimits())
    pages = iter(reading.pages)
    assert next(pages).text == "one"
    assert list(reading.warnings) == []
    assert (next(pages).text, next(pages).text) == ("", "three")
    assert list(reading.warnings) == ["page 2 could not be read: no such luck"]


@pytest.mark.parametrize(("grey", "reason"), [(1.0, ""), (0.0, "no text layer")])
def test_a_page_on_which_nothing_shows_needs_no_ocr(parse, grey, reason):
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.drawString(72, 700, "This is the first page.")
    canvas.showPage()
    canvas.setFillGray(grey)
    canvas.rect(100, 100, 300, 200, stroke=0, fill=1)
    canvas.showPage()
    canvas.save()
    parsed = parse(buffer.getvalue(), "a.pdf")
    assert parsed.pages[1].reason == reason
    assert (parsed.pages[1].image is None) == (reason == "")
    assert len(parsed.warnings) == (1 if reason else 0)


def test_a_page_that_is_nothing_but_a_table(parse, make_pdf):
    rows = [
        (x, 700 - 16 * row, "Helvetica", 10, f"{text}{row}")
        for row in range(8)
        for x, text in ((72, "name"), (200, "1,00"), (300, "2,00"), (400, "3,00"))
    ]
    parsed = parse(make_pdf(rows), "a.pdf")
    assert parsed.pages[0].text.startswith("| name0 | 1,000 | 2,000 | 3,000 |\n| --- |")
    assert parsed.warnings == ()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("multi_page.pdf", "text layer"),
        ("vicksburg_ocr.pdf", "hidden text layer"),
        ("ocr_test.pdf", "no text layer"),
        ("ocr_test_rotated_90.pdf", "no text layer"),
        ("right_to_left_02.pdf", "garbled text layer"),
        ("picture_classification.pdf", "text layer"),
    ],
)
def test_pages_say_where_their_text_comes_from(real, name, reason):
    page = real(name).pages[0]
    assert page.reason == reason
    has_picture = page.image is not None and page.image.data is not None
    assert has_picture == (reason in ("no text layer", "garbled text layer"))
