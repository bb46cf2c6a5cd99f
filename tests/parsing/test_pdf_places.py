"""Every word of a page's text has its place on the page, exactly."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pypdfium2
import pytest

from dalil.models import Page
from dalil.parsing.formats.pdf.engine import LOCK
from dalil.parsing.formats.pdf.folding import folded
from dalil.parsing.formats.pdf.space import PageSpace

FOLDER = (
    Path(os.environ.get("DALIL_DATA", Path(__file__).resolve().parents[2].parent / "shared" / "data")) / "documents"
)


def letters(text: str) -> Counter[str]:
    return Counter(char for char in folded("".join(text.split())) if char.isalnum())


def drawn_in(textpage: pypdfium2.PdfTextPage, space: PageSpace, edges: tuple[float, float, float, float]) -> str:
    """The characters that PDFium draws in a box of the page as displayed (shares, from the top left)."""
    left, top, right, bottom = edges
    width, height = space.width, space.height
    shown = PageSpace(0, 0, width, height, -space.turns % 4)
    across = shown.place(left * width, (1 - bottom) * height, right * width, (1 - top) * height)
    return textpage.get_text_bounded(
        across[0] + space.left - 1,
        across[1] + space.bottom - 1,
        across[2] + space.left + 1,
        across[3] + space.bottom + 1,
    )


def check(data: bytes, pages: list[Page]) -> int:
    """Checks the places of every word; the number of words."""
    count = 0
    with LOCK:
        document = pypdfium2.PdfDocument(data)
        try:
            for page in pages:
                textpage, space = document[page.number - 1].get_textpage(), PageSpace.of(document[page.number - 1])
                end = 0
                for word in page.geometry.placed_words():
                    text = page.text[word.start : word.end]
                    assert word.start >= end, "words overlap, or do not come in the order of the text"
                    end = word.end
                    assert text
                    assert not any(char.isspace() for char in text), text
                    missing = letters(text) - letters(drawn_in(textpage, space, word[2:]))
                    assert not missing, (page.number, text, word)
                    count += 1
                written = sum(1 for part in page.text.split() if any(map(str.isalnum, part)))
                placed = sum(
                    1
                    for word in page.geometry.placed_words()
                    if any(map(str.isalnum, page.text[word.start : word.end]))
                )
                assert placed >= written, "some words of the text have no place"
        finally:
            document.close()
    return count


@pytest.mark.parametrize(
    ("name", "fewest"),
    [
        ("multi-column-2p.pdf", 1200),
        ("multi_page.pdf", 1300),
        ("nics.pdf", 1000),
        ("sparse_borderless.pdf", 200),
        ("picture_classification.pdf", 400),
        ("rotation.pdf", 25),
        ("vicksburg_ocr.pdf", 1500),
        ("natural_arabic.pdf", 4000),
        ("right_to_left_01.pdf", 200),
        ("BidiSample.pdf", 20),
    ],
)
def test_real_words_stand_where_they_are_drawn(real, name, fewest):
    pages = [page for page in real(name).pages if page.reason.endswith("text layer")]
    assert check((FOLDER / name).read_bytes(), pages) >= fewest


def test_words_of_headings_lists_and_tables(parse, make_pdf):
    page = [
        (72, 760, "Helvetica-Bold", 20, "A heading of 12 words | and one bar"),
        (
            72,
            720,
            "Helvetica",
            10,
            "The first paragraph is long and goes to the margin, where the last word is hyphen-",
        ),
        (72, 708, "Helvetica", 10, "ated. It is followed by a list - with a dash - and a table."),
        (72, 680, "Helvetica", 10, "\u2022 a first item that says - something"),
        (72, 668, "Helvetica", 10, "\u2022a second item"),
        *[
            (x, 630 - 14 * row, "Helvetica", 10, f"{text}{row}")
            for row in range(6)
            for x, text in ((72, "name|"), (200, "1,00"), (300, "2,00"), (400, "1,00"))
        ],
    ]
    data = make_pdf(page)
    pages = list(parse(data, "a.pdf").pages)
    assert check(data, pages) > 40
    assert "hyphenated" in pages[0].text
    assert "- a second item" in pages[0].text
    assert "| --- |" in pages[0].text


def test_a_quote_in_two_columns_has_boxes_in_both(real):
    page = real("multi-column-2p.pdf").pages[1]
    quote = "a higher retrieval precision indeed translates to a higher end-to-end QA accuracy"
    start = page.text.index(quote)
    boxes = page.geometry.boxes(2, start, start + len(quote))
    assert 2 <= len(boxes) <= 3
    assert all(box.right < 0.5 for box in boxes)
    assert all(0.005 < box.bottom - box.top < 0.02 for box in boxes)


def test_long_words_of_scripts_without_spaces_have_several_places(parse):
    import io

    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    canvas.setFont("HeiseiMin-W3", 12)
    text = "東京都千代田区霞が関一丁目一番一号の建物"
    canvas.drawString(72, 700, text)
    canvas.save()
    page = parse(buffer.getvalue(), "a.pdf").pages[0]
    assert page.text == text
    words = [page.text[word.start : word.end] for word in page.geometry.placed_words()]
    assert "".join(words) == text
    assert all(len(word) <= 8 for word in words)
