"""A picture of a PDF page shows the page as it is displayed, and never costs more than it may."""

from __future__ import annotations

import io
from typing import Any

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dalil.parsing.formats.pdf.engine import LOCK
from dalil.parsing.formats.pdf.pictures import page_png
from dalil.parsing.limits import ParsingLimits


def picture(
    size: tuple[float, float], *, rotation: int = 0, limits: ParsingLimits | None = None, dpi: float = 72
) -> Image.Image:
    """A page with a black box in its lower left corner, drawn."""
    document = pypdfium2.PdfDocument.new()
    with LOCK:
        page = document.new_page(*size)
        box: Any = pypdfium2.raw.FPDFPageObj_CreateNewRect(0, 0, size[0] / 4, size[1] / 4)
        pypdfium2.raw.FPDFPath_SetDrawMode(box, pypdfium2.raw.FPDF_FILLMODE_WINDING, False)
        pypdfium2.raw.FPDFPage_InsertObject(page, box)
        page.set_rotation(rotation)
        page.gen_content()
        data = page_png(page, limits or ParsingLimits(), dpi)
        page.close()
        document.close()
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize(
    ("rotation", "size", "corner"),
    [
        (0, (200, 400), (10, 390)),
        (90, (400, 200), (10, 10)),
        (180, (200, 400), (190, 10)),
        (270, (400, 200), (390, 190)),
    ],
)
def test_the_page_is_drawn_as_it_is_displayed(rotation: int, size: tuple[int, int], corner: tuple[int, int]):
    image = picture((200, 400), rotation=rotation)
    assert (image.format, image.mode, image.size) == ("PNG", "L", size)
    corners = [(x, y) for x in (10, size[0] - 10) for y in (10, size[1] - 10)]
    assert [place for place in corners if image.getpixel(place) < 128] == [corner]
    assert image.getpixel((size[0] // 2, size[1] // 2)) == 255


def test_the_resolution_is_the_wanted_one():
    assert picture((144, 72), dpi=200).size == (400, 200)


@pytest.mark.parametrize("size", [(200_000, 200_000), (200_000, 20), (3, 200_000), (14_400, 14_400)])
def test_a_giant_page_stays_within_the_limit(size: tuple[float, float]):
    image = picture(size, limits=ParsingLimits(render_pixels=250_000), dpi=300)
    assert image.width * image.height <= 250_000


@given(st.floats(1, 200_000), st.floats(1, 200_000), st.integers(1, 50_000), st.sampled_from([20, 72, 300]))
def test_no_picture_is_larger_than_it_may_be(width: float, height: float, pixels: int, dpi: float):
    image = picture((width, height), limits=ParsingLimits(render_pixels=pixels), dpi=dpi)
    assert image.width * image.height <= pixels
    assert image.width <= width * dpi / 72 + 1.001  # rounded up to a whole pixel
    assert image.height <= height * dpi / 72 + 1.001
