"""The tags of a PDF: which of a page's text its author marked as headings."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.heading_keys import heading_key

_MOST_ELEMENTS = 3_000
_DEEPEST = 40
_TYPE_BYTES = 64
_HEADING = re.compile(r"H([1-6]?)|Title")
_HOLD_HEADINGS = frozenset(
    "Document DocumentFragment Part Art Article Sect Section Div NonStruct Private BlockQuote Aside Figure".split()
)
_PAGES_BEFORE_GIVING_UP = 5
_TITLE_LEVEL = 1
_DEEPEST_HEADING = 6


class Tags:
    """The headings that the tags of a document name.

    Many programs tag every word and no heading; of such documents only the first pages are looked at.
    """

    def __init__(self, document: pypdfium2.PdfDocument) -> None:
        self._pages_left = _PAGES_BEFORE_GIVING_UP if pdfium.FPDFCatalog_IsTagged(document.raw) else 0

    def headings(self, page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, text: str) -> dict[str, int]:
        """The levels (from 1) of a page's headings, by their `heading_key`.

        `text` has one code point for each character that PDFium counts on the page. The lock must be held.
        """
        if not self._pages_left:
            return {}
        marked = _marked_headings(page)
        if not marked:
            self._pages_left -= 1
            return {}
        self._pages_left = -1
        return _levels(marked, textpage, text)


def _marked_headings(page: pypdfium2.PdfPage) -> dict[int, tuple[int, int]]:
    """The marked contents of a page that are headings: the number of the heading, and its level."""
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return {}
    try:
        marked: dict[int, tuple[int, int]] = {}
        waiting: list[tuple[Any, int, int]] = []
        for index in reversed(range(min(pdfium.FPDF_StructTree_CountChildren(tree), _MOST_ELEMENTS))):
            waiting.append((pdfium.FPDF_StructTree_GetChildAtIndex(tree, index), 0, 1))
        looked_at = 0
        while waiting and looked_at < _MOST_ELEMENTS:
            element, depth, sections = waiting.pop()
            looked_at += 1
            if not element or depth > _DEEPEST:
                continue
            kind = _type(element)
            heading = _HEADING.fullmatch(kind)
            if heading:
                level = _TITLE_LEVEL if kind == "Title" else int(heading[1] or min(sections, _DEEPEST_HEADING))
                marked.update(dict.fromkeys(_contents(element), (looked_at, level)))
            elif kind in _HOLD_HEADINGS:
                inside = sections + (kind in ("Sect", "Section", "Art", "Article", "Part"))
                for index in reversed(range(min(pdfium.FPDF_StructElement_CountChildren(element), _MOST_ELEMENTS))):
                    child = pdfium.FPDF_StructElement_GetChildAtIndex(element, index)
                    if child:
                        waiting.append((child, depth + 1, inside))
        return marked
    finally:
        pdfium.FPDF_StructTree_Close(tree)


def _type(element: Any) -> str:
    buffer = ctypes.create_string_buffer(_TYPE_BYTES)
    length = pdfium.FPDF_StructElement_GetType(element, buffer, _TYPE_BYTES)
    return buffer.raw[: length - 2].decode("utf-16-le", "ignore") if 2 < length <= _TYPE_BYTES else ""


def _contents(heading: Any) -> list[int]:
    """The numbers of the marked contents in a heading, those of its parts included."""
    found: list[int] = []
    waiting = [(heading, 0)]
    while waiting and len(found) < _MOST_ELEMENTS:
        element, depth = waiting.pop()
        for index in range(min(pdfium.FPDF_StructElement_CountChildren(element), _MOST_ELEMENTS)):
            child = pdfium.FPDF_StructElement_GetChildAtIndex(element, index)
            content = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, index)
            if content >= 0:
                found.append(content)
            elif child and depth < _DEEPEST:
                waiting.append((child, depth + 1))
    return found


def _levels(marked: dict[int, tuple[int, int]], textpage: pypdfium2.PdfTextPage, text: str) -> dict[str, int]:
    """The levels of headings by what they say."""
    texts: dict[tuple[int, int], list[str]] = {}
    headings: dict[int, tuple[int, int] | None] = {}
    for index, char in enumerate(text):
        if char.isspace():
            continue
        item = pdfium.FPDFText_GetTextObject(textpage.raw, index)
        if not item:
            continue
        address = ctypes.addressof(item.contents)
        if address not in headings:
            headings[address] = marked.get(pdfium.FPDFPageObj_GetMarkedContentID(item))
        heading = headings[address]
        if heading:
            texts.setdefault(heading, []).append(char)
    keys = {heading_key("".join(chars)): level for (_, level), chars in texts.items()}
    keys.pop("", None)
    return keys
