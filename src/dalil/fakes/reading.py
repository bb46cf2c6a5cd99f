"""Fakes that read and cut: plain text to pages, pages to windows of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from dalil.errors import LoaderError
from dalil.identity import content_hash, document_id
from dalil.models import Chunk, Document, Page, PageImage, PageRoute, ParsedDocument, RawSource, Span

_IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"})
_WORD = re.compile(r"\S+")


class FakeDocumentParser:
    """Decodes UTF-8 text; a form feed starts a page. A source named like an image becomes one image page."""

    def parse(self, source: RawSource) -> ParsedDocument:
        try:
            data = source.read()
        except OSError as error:
            raise LoaderError(f"{source.name} could not be read: {error.strerror or error}.") from error
        document = Document(document_id(source.name), source.name, content_hash(data), dict(source.metadata))
        if PurePath(source.name).suffix.lower() in _IMAGES:
            return ParsedDocument(document, (Page(1, image=PageImage(f"{source.name}#1", data)),))
        texts = data.decode("utf-8", "replace").split("\f")
        return ParsedDocument(document, tuple(Page(number, text) for number, text in enumerate(texts, start=1)))


class FakePageClassifier:
    """A page with an image and no text needs a vision model; every other page is text."""

    def classify(self, page: Page) -> PageRoute:
        return PageRoute.VISION if page.image is not None and not page.text.strip() else PageRoute.TEXT


class FakeChunker:
    """Windows of `size` words, `overlap` of them shared with the window before; none crosses a page."""

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """Raises ValueError unless size > 0 and 0 <= overlap < size."""
        if size <= 0 or not 0 <= overlap < size:
            raise ValueError("FakeChunker needs size > 0 and 0 <= overlap < size")
        spans = [span for page in pages for span in _windows(page, size, overlap)]
        texts = {page.number: page.text for page in pages}
        return [
            Chunk(
                id=f"{document.id}:{ordinal}",
                document_id=document.id,
                text=texts[span.page][span.start : span.end],
                page=span.page,
                ordinal=ordinal,
                metadata={"source": document.source},
                spans=(span,),
            )
            for ordinal, span in enumerate(spans)
        ]


def _windows(page: Page, size: int, overlap: int) -> list[Span]:
    words = [match.span() for match in _WORD.finditer(page.text)]
    spans: list[Span] = []
    for first in range(0, len(words), size - overlap):
        last = min(first + size, len(words)) - 1
        spans.append(Span(page.number, words[first][0], words[last][1]))
        if last == len(words) - 1:
            break
    return spans
