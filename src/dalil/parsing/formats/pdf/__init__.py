"""PDF: the text layer, page by page, with its paragraphs and headings, and the geometry that routes a page."""

from __future__ import annotations

from dataclasses import dataclass

import pypdfium2

from dalil.models import Page, PageImage, PageLayout, RawSource
from dalil.parsing.characters import clean
from dalil.parsing.formats.pdf.engine import LOCK, document_title, opened
from dalil.parsing.formats.pdf.garbled import is_garbled
from dalil.parsing.formats.pdf.layout import ImageCoverage, has_objects, image_coverage
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.margins import Margins
from dalil.parsing.formats.pdf.page import page_lines
from dalil.parsing.formats.pdf.typography import Typography
from dalil.parsing.formats.pdf.writing import written
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """Every page that can be loaded; those without readable text carry a reference to their picture.

    A garbled text layer stays, for want of a better one, but its layout counts no characters.

    Raises:
        EncryptedDocumentError: it needs a password, or another one than it was given.
        CorruptDocumentError: it cannot be opened, or has no pages.
    """
    raw: list[_RawPage | None] = []
    warnings: list[str] = []
    with LOCK, opened(data, source) as document:
        title = document_title(document)
        for index in range(len(document)):
            try:
                raw.append(_read_page(document, index))
            except Exception as error:
                # One page that PDFium cannot load must not cost the others.
                raw.append(None)
                warnings.append(f"page {index + 1} could not be read: {error}")
    every_page = [page.lines for page in raw if page]
    typography, margins = Typography(every_page), Margins(every_page)
    pages: list[Page] = []
    for number, page in enumerate(raw, 1):
        if page is None:
            pages.append(Page(number))
            continue
        text = clean(written(page.lines, typography, margins.of_page(page.lines)))
        problem = _problem(text, page)
        if problem:
            warnings.append(f"page {number} {problem}: needs OCR")
        readable = 0 if problem else sum(1 for char in text if not char.isspace())
        image = PageImage(f"{source.name}#page={number}") if problem else None
        pages.append(Page(number, text, image, page.layout(readable)))
    return Reading(tuple(pages), title, warnings=tuple(warnings))


@dataclass(frozen=True)
class _RawPage:
    """What PDFium gave of one page."""

    lines: list[Line]
    coverage: ImageCoverage
    has_objects: bool

    def layout(self, text_chars: int) -> PageLayout:
        return PageLayout(text_chars, self.coverage.ratio, self.coverage.area)


def _read_page(document: pypdfium2.PdfDocument, index: int) -> _RawPage:
    page = document[index]
    try:
        return _RawPage(page_lines(page), image_coverage(page), has_objects(page))
    finally:
        page.close()


def _problem(text: str, page: _RawPage) -> str | None:
    """Why a page's text cannot be relied on, or None. A page with nothing on it has no problem."""
    if not text.strip():
        return "has no text layer" if page.has_objects else None
    return "has a garbled text layer" if is_garbled(text) else None
