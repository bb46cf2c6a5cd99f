"""Pages that are turned, and text that is drawn in another direction than across the page."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from dalil.models import Page

LINES = ["The first line of a paragraph that stands upright when it is read,", "and the second line of it."]


@pytest.fixture
def turned_page(parse) -> Callable[..., Page]:
    """A page displayed after `page` degrees, with lines drawn at `text` degrees against the clock, and upright ones."""

    def make(page: int, text: int, upright: list[str] = ()) -> Page:
        from reportlab.pdfgen.canvas import Canvas

        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=(600, 800))
        canvas.setPageRotation(page)
        canvas.setFont("Helvetica", 10)
        for number, line in enumerate(upright):
            canvas.drawString(60, 700 - 12 * number, line)
        canvas.translate(*((400, 300) if page % 180 else (300, 400)))  # the library swaps the sides of turned pages
        canvas.rotate(text)
        for number, line in enumerate(LINES):
            canvas.drawString(-150, -12 * number, line)
        canvas.showPage()
        canvas.save()
        return parse(buffer.getvalue(), "a.pdf").pages[0]

    return make


@pytest.mark.parametrize("page", [0, 90, 180, 270])
@pytest.mark.parametrize("text", [0, 90, 180, 270])
def test_lines_are_read_whichever_way_they_stand(turned_page, page, text):
    found = turned_page(page, text)
    assert found.text.replace("\n", " ") == " ".join(LINES)
    assert found.geometry is not None
    assert (found.geometry.width, found.geometry.height) == (600, 800)


@pytest.mark.parametrize("page", [0, 90, 180, 270])
@pytest.mark.parametrize("text", [0, 90, 180, 270])
def test_places_are_those_of_the_page_as_displayed(turned_page, page, text):
    found = turned_page(page, text)
    boxes = [box for box in found.geometry.placed_words() if found.text[box.start : box.end] == "The"]
    # The first word begins 150 points before the middle of the page, in the direction of the text, and
    # stands on its own baseline. Text and page are turned in opposite directions.
    direction = (text - page) % 360
    x, y = {0: (-150, 0), 90: (0, -150), 180: (150, 0), 270: (0, 150)}[direction]
    width, height = found.geometry.width, found.geometry.height
    assert len(boxes) == 1
    box = boxes[0]
    assert box.left * width - 4 <= width / 2 + x <= box.right * width + 4
    assert box.top * height - 4 <= height / 2 - y <= box.bottom * height + 4
    is_upright = (box.right - box.left) * width > (box.bottom - box.top) * height
    assert is_upright == (direction % 180 == 0)


def test_text_in_the_margin_comes_after_the_text(turned_page):
    upright = [f"Upright line number {number} of a page that is mostly upright." for number in range(10)]
    text = turned_page(0, 90, upright).text
    assert text.index("Upright line number 9") < text.index("The first line")
    assert "and the second line of it." in text


def test_a_real_page_that_lies_on_its_side(real):
    pages = real("rotation.pdf").pages
    assert len(pages) == 2
    assert "This is my second page. It will have a landscape layout." in pages[1].text
    assert pages[1].geometry.width > pages[1].geometry.height
