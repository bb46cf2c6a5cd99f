"""From what was read of a page to the page: its text, its reason, its picture where that must be looked at."""

from __future__ import annotations

import pypdfium2

from dalil.models import Page, PageImage
from dalil.parsing.formats.pdf.content import PageContent
from dalil.parsing.formats.pdf.garbled import is_garbled
from dalil.parsing.formats.pdf.loading import PageLoader
from dalil.parsing.formats.pdf.pictures import page_png
from dalil.parsing.formats.pdf.places import geometry
from dalil.parsing.formats.pdf.statistics import DocumentStatistics
from dalil.parsing.formats.pdf.writing import written
from dalil.parsing.limits import ParsingLimits

_THIN = "thin hidden text layer"
_THIN_CHARACTERS = 200  # below which `LayoutPageClassifier` prefers the picture of a scan
_UNUSABLE = ("no text layer", "garbled text layer")
_NEEDING_OCR = (*_UNUSABLE, _THIN)


class Finisher:
    """Makes the pages of one document, when all of it was looked at once."""

    def __init__(
        self,
        loader: PageLoader,
        name: str,
        statistics: DocumentStatistics,
        limits: ParsingLimits,
        warnings: list[str],
    ) -> None:
        self._loader = loader
        self._name = name
        self._statistics = statistics
        self._limits = limits
        self._warnings = warnings

    def page(self, number: int, content: PageContent) -> Page:
        """The page of that number. What there is to say about it is added to the warnings."""
        content = self._statistics.without_furniture(number, content)
        headings = self._statistics.headings(number, content)
        block = written(content.parts, headings, self._statistics.vocabulary)
        if content.hidden:
            self._warnings.append(content.hidden)
        reason = _reason(block.text, content)
        if reason in _NEEDING_OCR:
            self._warnings.append(f"page {number} has {_with_article(reason)}: needs OCR")
        readable = 0 if reason in _UNUSABLE else _visible_characters(block.text)
        return Page(
            number,
            block.text,
            self._picture(number) if reason in _NEEDING_OCR else None,
            content.layout(readable),
            label=content.label if content.label != str(number) else "",
            reason=reason,
            geometry=geometry(content.width, content.height, content.turns, block.words),
        )

    def _picture(self, number: int) -> PageImage:
        """The picture of a page, without its bytes where it cannot be drawn."""
        drawn: bytes | None = None
        try:
            with self._loader.page(number - 1) as (_, page):
                drawn = page_png(page, self._limits)
        except (pypdfium2.PdfiumError, MemoryError) as error:
            self._warnings.append(f"page {number} could not be drawn: {error}")
        return PageImage(f"{self._name}#page={number}", drawn)


def _reason(text: str, content: PageContent) -> str:
    """Where a page's text comes from, or why it cannot be relied on. A page with nothing on it has no reason."""
    if not text.strip():
        return "" if content.is_blank else "no text layer"
    if is_garbled(text):
        return "garbled text layer"
    if content.is_scan:
        return _THIN if _visible_characters(text) < _THIN_CHARACTERS else "hidden text layer"
    return "text layer"


def _visible_characters(text: str) -> int:
    return len("".join(text.split()))


def _with_article(reason: str) -> str:
    return reason if reason.startswith("no ") else f"a {reason}"
