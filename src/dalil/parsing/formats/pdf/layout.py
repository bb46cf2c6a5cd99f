"""How much of a page is picture."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

_FORM_DEPTH = 3
_MOST_IMAGES = 2000


class ImageCoverage(NamedTuple):
    """The share of a page's area under images (at most 1), and their area on it in square points."""

    ratio: float
    area: float


def image_coverage(page: pypdfium2.PdfPage) -> ImageCoverage:
    """Measures the images of a page, each only where it lies on the page. Where they overlap, both count."""
    left, bottom, right, top = page.get_bbox()
    page_area = max(0.0, right - left) * max(0.0, top - bottom)
    covered = 0.0
    for x0, y0, x1, y1 in islice(_image_boxes(page), _MOST_IMAGES):
        width = min(x1, right) - max(x0, left)
        height = min(y1, top) - max(y0, bottom)
        covered += max(0.0, width) * max(0.0, height)
    return ImageCoverage(min(1.0, covered / page_area) if page_area else 0.0, covered)


def _image_boxes(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of the images on a page and in its forms: left, bottom, right, top.

    This asks PDFium directly: a page has thousands of objects, and wrapping each costs more than reading its text.
    """
    places = [
        (pdfium.FPDFPage_GetObject(page.raw, index), 1) for index in range(pdfium.FPDFPage_CountObjects(page.raw))
    ]
    edges = [ctypes.c_float() for _ in range(4)]
    while places:
        item, depth = places.pop()
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE and pdfium.FPDFPageObj_GetBounds(item, *edges):
            yield edges[0].value, edges[1].value, edges[2].value, edges[3].value
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _FORM_DEPTH:
            count = pdfium.FPDFFormObj_CountObjects(item)
            places.extend((pdfium.FPDFFormObj_GetObject(item, index), depth + 1) for index in range(count))


def has_objects(page: pypdfium2.PdfPage) -> bool:
    """Whether anything at all is drawn on a page."""
    return bool(pdfium.FPDFPage_CountObjects(page.raw) > 0)
