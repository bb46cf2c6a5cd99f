"""Where any place of a document stands: under which headings, and in a table with which header."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from dalil.chunking.blocks import Block, Kind, find_blocks, table_rows
from dalil.models import Page, Span

STANDING = ("headings", "table_header")
"""The keys of a chunk's metadata that say where it stands."""


def headed_blocks(pages: Sequence[Page]) -> Iterator[tuple[Page, Block, tuple[str, ...]]]:
    """The blocks of a document in order, each with the path of headings above it (a heading's own title included).

    Headings carry over from page to page.
    """
    path: list[tuple[int, str]] = []
    for page in pages:
        for block in find_blocks(page.text):
            if block.kind is Kind.HEADING:
                while path and path[-1][0] >= block.level:
                    path.pop()
                path.append((block.level, block.title))
            yield page, block, tuple(title for _, title in path if title)


class Outline:
    """The blocks of a document, to be looked up by place."""

    def __init__(self, pages: Sequence[Page]):
        self._texts = {page.number: page.text for page in pages}
        self._blocks: dict[int, list[tuple[Block, tuple[str, ...]]]] = {page.number: [] for page in pages}
        for page, block, headings in headed_blocks(pages):
            self._blocks[page.number].append((block, headings))
        self._ends = {number: [block.end for block, _ in blocks] for number, blocks in self._blocks.items()}

    def headings(self) -> Iterator[tuple[int, int]]:
        """The page and the offset at which each heading begins."""
        for number, blocks in self._blocks.items():
            yield from ((number, block.start) for block, _ in blocks if block.kind is Kind.HEADING)

    def standing(self, spans: Sequence[Span]) -> dict[str, Any]:
        """The metadata of a chunk at `spans`: `headings`, the path above its first text, and `table_header`, where it
        begins in a table below its header."""
        found: dict[str, Any] = {}
        held = [entry for span in spans for entry in self._within(span)]
        if not held:
            return found
        _, headings = next((entry for entry in held if entry[0].kind is not Kind.HEADING), held[-1])
        if headings:
            found["headings"] = list(headings)
        header = self._header(held[0][0], spans[0])
        if header:
            found["table_header"] = header
        return found

    def _within(self, span: Span) -> Iterator[tuple[Block, tuple[str, ...]]]:
        blocks = self._blocks[span.page]
        for position in range(bisect_right(self._ends[span.page], span.start), len(blocks)):
            if blocks[position][0].start >= span.end:
                return
            yield blocks[position]

    def _header(self, block: Block, span: Span) -> str:
        if block.kind is not Kind.TABLE:
            return ""
        text = self._texts[span.page]
        rows, header_rows = table_rows(text, block)
        if not header_rows or span.start < rows[header_rows - 1][1]:
            return ""
        return text[rows[0][0] : rows[header_rows - 1][1]]
