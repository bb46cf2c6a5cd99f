"""Opening PDF documents with PDFium, which must never be entered by two threads at once."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.errors import CorruptDocumentError, EncryptedDocumentError
from dalil.models import RawSource
from dalil.parsing.characters import clean, one_line

LOCK = threading.RLock()
"""Held during every call into PDFium, in the whole process."""

_LONGEST_LABEL = 40
_NO_TITLE = re.compile(
    r"untitled.*|[\W\d_]*|slide \d+|"
    r"(?:powerpoint|microsoft|word|pdf)? ?(?:presentation|document)\d*|"
    r"microsoft (?:word|powerpoint|excel) - .*|"
    r"\S+\.[a-z0-9]{2,5}|.*\.(?:docx?|pdf|indd|qxd|tex|dvi|pptx?|xlsx?)",
    re.I,
)


@contextmanager
def opened(data: bytes, source: RawSource) -> Iterator[pypdfium2.PdfDocument]:
    """The document, closed afterwards.

    Raises:
        EncryptedDocumentError: the password is missing or wrong.
        CorruptDocumentError: PDFium cannot open it, or it has no pages.
    """
    try:
        with LOCK:
            document = pypdfium2.PdfDocument(data, password=source.password)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
            problem = "needs another password" if source.password else "is locked with a password"
            raise EncryptedDocumentError(f"{source.name} {problem}.") from error
        raise CorruptDocumentError(f"{source.name} is a damaged or incomplete PDF.") from error
    try:
        if len(document) == 0:
            raise CorruptDocumentError(f"{source.name} is a PDF without pages.")
        yield document
    finally:
        with LOCK:
            document.close()


def page_label(document: pypdfium2.PdfDocument, index: int) -> str:
    """The printed number of the page with that index ("iv", "A-3"), or an empty string. The lock must be held."""
    return one_line(clean(document.get_page_label(index) or ""))[:_LONGEST_LABEL]


def document_title(document: pypdfium2.PdfDocument) -> str | None:
    """The title in the document's properties, unless a program put a file name or a placeholder there."""
    title = one_line(clean(document.get_metadata_value("Title") or ""))
    return title if title and not _NO_TITLE.fullmatch(title) else None
