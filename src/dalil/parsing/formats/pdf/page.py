"""Choosing how the text of one page is put in order."""

from __future__ import annotations

import pypdfium2

from dalil.parsing.formats.pdf.arabic import arabic_lines, arabic_share, arabic_text
from dalil.parsing.formats.pdf.lines import Line, code_points, read_lines, text_of

_ARABIC_PAGE = 0.05
_FIRST_ARABIC = 0x0620


def page_lines(page: pypdfium2.PdfPage) -> list[Line]:
    """The lines of a page in reading order: PDFium's own, or by glyphs where there is Arabic."""
    textpage = page.get_textpage()
    try:
        points = code_points(textpage)
        if arabic_share(points) > _ARABIC_PAGE:
            return arabic_lines(textpage, points)

        def text_between(start: int, end: int) -> str:
            line = points[start:end]
            if max(line, default=0) >= _FIRST_ARABIC and arabic_share(line) > 0:
                return arabic_text(textpage, points, start, end)
            return text_of(line)

        return read_lines(textpage, points, text_between)
    finally:
        textpage.close()
