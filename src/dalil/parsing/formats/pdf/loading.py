"""Loading the pages of a document one at a time, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import pypdfium2

from dalil.models import RawSource
from dalil.parsing.formats.pdf.engine import LOCK, opened

_PAGES_KEPT = 100


class PageLoader(AbstractContextManager["PageLoader"]):
    """An open document. It is opened anew now and then, since PDFium keeps what it read of every page.

    Raises what `opened` raises.
    """

    def __init__(self, data: bytes, source: RawSource) -> None:
        self._data = data
        self._source = source
        self._loaded = 0
        self._opened = ExitStack()
        self._document: pypdfium2.PdfDocument = self._opened.enter_context(opened(data, source))
        with LOCK:
            self.count = len(self._document)

    def __exit__(self, *_: Any) -> None:
        self._opened.close()

    @contextmanager
    def document(self) -> Iterator[pypdfium2.PdfDocument]:
        """The document; the lock is held."""
        with LOCK:
            yield self._document

    @contextmanager
    def page(self, index: int) -> Iterator[tuple[pypdfium2.PdfDocument, pypdfium2.PdfPage]]:
        """The document and its page of that index, closed afterwards; the lock is held.

        Raises:
            pypdfium2.PdfiumError: the page cannot be loaded.
        """
        with LOCK:
            if self._loaded >= _PAGES_KEPT:
                self._opened.close()
                self._document = self._opened.enter_context(opened(self._data, self._source))
                self._loaded = 0
            self._loaded += 1
            page = self._document[index]
            try:
                yield self._document, page
            finally:
                page.close()
