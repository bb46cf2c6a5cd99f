"""A document as one running text, for chunkers that do not look at pages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from dalil.chunking.cutting import Place, chunk_of, fitting, trimmed
from dalil.chunking.outline import Outline
from dalil.models import Chunk, Document, Page, Span
from dalil.text import split_sentences


class Flow:
    """The texts of a document's pages, joined by line breaks, and the way back to the pages."""

    def __init__(self, pages: Sequence[Page]):
        self.text = "\n".join(page.text for page in pages)
        self._pages = pages
        self._starts = list(accumulate((len(page.text) + 1 for page in pages), initial=0))[:-1]
        self._outline = Outline(pages)

    def sentences(self, largest: int) -> list[Place]:
        """The sentences in order. One of more than `largest` tokens is cut at its last comma or space that fits."""
        return [
            piece
            for start, end in split_sentences(self.text, self._starts[1:])
            for piece in fitting(self.text, start, end, largest)
        ]

    def headings(self) -> list[int]:
        """Where the headings begin."""
        starts = {page.number: start for page, start in zip(self._pages, self._starts, strict=True)}
        return [starts[number] + offset for number, offset in self._outline.headings()]

    def chunks(self, document: Document, places: Iterable[Place]) -> list[Chunk]:
        """A chunk for each place that is not blank, in order."""
        texts = {page.number: page.text for page in self._pages}
        chunks: list[Chunk] = []
        for start, end in places:
            spans = self._spans(start, end)
            if spans:
                chunks.append(chunk_of(document, len(chunks), spans, texts, self._outline.standing(spans)))
        return chunks

    def _spans(self, start: int, end: int) -> list[Span]:
        """A place on its pages, without the white space at their edges."""
        spans = []
        for position in range(max(0, bisect_right(self._starts, start) - 1), len(self._pages)):
            page, page_start = self._pages[position], self._starts[position]
            if page_start >= end:
                break
            first, last = trimmed(page.text, max(0, start - page_start), min(len(page.text), end - page_start))
            if first < last:
                spans.append(Span(page.number, first, last))
        return spans
