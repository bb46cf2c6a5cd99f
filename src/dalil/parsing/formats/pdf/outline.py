"""The bookmarks of a PDF: headings that its author named, with their pages and levels."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.heading_keys import heading_key, without_numbering

_MOST_BOOKMARKS = 20_000
_DEEPEST = 20
_DEEPEST_HEADING = 6
_TITLE_BYTES = 2000


class Outline:
    """Which headings a document's bookmarks name, by page."""

    def __init__(self, pages: Mapping[int, Mapping[str, int]]) -> None:
        self._pages = pages

    def __bool__(self) -> bool:
        """Whether there is any bookmark that leads to a page."""
        return bool(self._pages)

    @classmethod
    def of(cls, document: pypdfium2.PdfDocument) -> Outline:
        """The bookmarks of a document, at most the first 20,000. The lock must be held."""
        pages: dict[int, dict[str, int]] = {}
        for bookmark, depth in _bookmarks(document):
            page = _page(document, bookmark)
            title = _title(bookmark)
            if page is not None:
                for key in filter(None, (heading_key(title), heading_key(without_numbering(title)))):
                    pages.setdefault(page, {}).setdefault(key, min(depth, _DEEPEST_HEADING))
        return cls(pages)

    def headings(self, page: int) -> Mapping[str, int]:
        """The levels (from 1) of the headings on a page (from 1), by their `heading_key`."""
        return self._pages.get(page, {})


def _bookmarks(document: pypdfium2.PdfDocument) -> Iterator[tuple[Any, int]]:
    """Bookmarks with their depths from 1, each once, though they may lead back to each other."""
    seen: set[int] = set()
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document.raw, None), 1)]
    while waiting and len(seen) < _MOST_BOOKMARKS:
        bookmark, depth = waiting.pop()
        if not bookmark or (address := ctypes.addressof(bookmark.contents)) in seen:
            continue
        seen.add(address)
        yield bookmark, depth
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document.raw, bookmark), depth))
        if depth < _DEEPEST:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document.raw, bookmark), depth + 1))


def _page(document: pypdfium2.PdfDocument, bookmark: Any) -> int | None:
    """The number of the page that a bookmark leads to, if it leads to one."""
    destination = pdfium.FPDFBookmark_GetDest(document.raw, bookmark)
    index = pdfium.FPDFDest_GetDestPageIndex(document.raw, destination) if destination else -1
    return index + 1 if index >= 0 else None


def _title(bookmark: Any) -> str:
    buffer = ctypes.create_string_buffer(_TITLE_BYTES)
    length = pdfium.FPDFBookmark_GetTitle(bookmark, buffer, _TITLE_BYTES)
    return buffer.raw[: length - 2].decode("utf-16-le", "ignore") if 2 < length <= _TITLE_BYTES else ""
