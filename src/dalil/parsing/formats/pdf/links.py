"""Where the links of a PDF lead."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.characters import clean

_MOST_ON_PAGE = 500
_MOST = 200
_LONGEST = 2000
_SCHEMES = ("http://", "https://", "mailto:")


class Links:
    """The addresses that a document's links lead to, each once and at most 200.

    Only addresses of the web and of mail are kept: others start programs, or lead back into the document.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, None] = {}

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses, in the order in which they were met."""
        return tuple(self._addresses)

    def add(self, document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> None:
        """Collects the links of a page. The lock must be held."""
        position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
        for _ in range(_MOST_ON_PAGE):
            if len(self._addresses) >= _MOST or not pdfium.FPDFLink_Enumerate(page.raw, position, link):
                return
            address = _address(document, link)
            if address.lower().startswith(_SCHEMES):
                self._addresses[address] = None


def _address(document: pypdfium2.PdfDocument, link: Any) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    length = pdfium.FPDFAction_GetURIPath(document.raw, action, None, 0)
    if not 1 < length <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, length)
    return clean(buffer.value.decode("utf-8", "replace")).strip()
