"""How much of a page is picture."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.ink import PageInk
from dalil.parsing.formats.pdf.space import PageSpace

_FORM_DEPTH = 3
_MOST_IMAGES = 2000
_MOST_OBJECTS = 20_000
_SCAN = 0.5
_LIGHTEST = 250


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
    raw, get, kind_of = page.raw, pdfium.FPDFPage_GetObject, pdfium.FPDFPageObj_GetType
    image, form = pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
    places: list[tuple[Any, int, int]] = []
    for index in range(pdfium.FPDFPage_CountObjects(raw)):
        item = get(raw, index)
        kind = kind_of(item)
        if kind in (image, form):
            places.append((item, kind, 1))
    edges = [ctypes.c_float() for _ in range(4)]
    while places:
        item, kind, depth = places.pop()
        if kind == image and pdfium.FPDFPageObj_GetBounds(item, *edges):
            yield edges[0].value, edges[1].value, edges[2].value, edges[3].value
        elif kind == form and depth < _FORM_DEPTH:
            for index in range(pdfium.FPDFFormObj_CountObjects(item)):
                inner = pdfium.FPDFFormObj_GetObject(item, index)
                places.append((inner, kind_of(inner), depth + 1))


def is_blank(page: pypdfium2.PdfPage) -> bool:
    """Whether nothing can be seen on a page without text: it has no objects, or only paths that leave no ink.

    What a form holds counts as seen, since PDFium gives up on some of them.
    """
    raw = page.raw
    count = pdfium.FPDFPage_CountObjects(raw)
    if count > _MOST_OBJECTS:
        return False
    kinds = {pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(raw, index)) for index in range(count)}
    if kinds != {pdfium.FPDF_PAGEOBJ_PATH}:
        return not kinds
    space = PageSpace.of(page)
    greys = PageInk(page, space).greys(space.left, space.bottom, space.right, space.top)
    return bool(greys.min() >= _LIGHTEST)


def is_scan(page: pypdfium2.PdfPage, coverage: ImageCoverage) -> bool:
    """Whether a page is a picture whose text, if it has any, cannot be seen: never painted, or under the picture."""
    if coverage.ratio < _SCAN:
        return False
    seen = hidden = 0
    for index in range(min(pdfium.FPDFPage_CountObjects(page.raw), _MOST_OBJECTS)):
        item = pdfium.FPDFPage_GetObject(page.raw, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            hidden += seen
            seen = 0
        elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
            unpainted = pdfium.FPDFTextObj_GetTextRenderMode(item) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
            hidden += unpainted
            seen += not unpainted
    return hidden >= seen
