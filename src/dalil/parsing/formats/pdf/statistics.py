"""What the pages of a document have in common."""

from __future__ import annotations

from dataclasses import replace

from dalil.parsing.formats.pdf.content import PageContent, PlacedTable
from dalil.parsing.formats.pdf.furniture import Furniture
from dalil.parsing.formats.pdf.headings import PageHeadings
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.margins import Margins
from dalil.parsing.formats.pdf.outline import Outline
from dalil.parsing.formats.pdf.typography import Typography
from dalil.parsing.formats.pdf.vocabulary import Vocabulary


class DocumentStatistics:
    """The type, the margins and the running headers of a document: learnt page by page, then asked."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._furniture = Furniture()
        self._typography = Typography()
        self._margins = Margins()
        self.vocabulary = Vocabulary()

    @property
    def running_headers(self) -> tuple[str, ...]:
        """The first few texts that are repeated at the edges of pages."""
        return self._furniture.texts

    def add(self, number: int, content: PageContent) -> None:
        """Learns from the next page."""
        lines = content.lines
        self._furniture.add(number, _upright_lines(content), content.upright_height)
        self._typography.add(lines)
        self._margins.add(lines)
        self.vocabulary.add(lines)

    def without_furniture(self, number: int, content: PageContent) -> PageContent:
        """A page without its running headers, running footers and page number."""
        lines = _upright_lines(content)
        if not lines:
            return content
        tables = [part.table for part in content.parts if isinstance(part, PlacedTable)]
        others = [(table.bottom, table.top) for table in tables]
        furniture = self._furniture.on_page(number, lines, content.upright_height, others)
        if not furniture:
            return content
        left_out = {id(lines[place]) for place in furniture}
        return replace(content, parts=tuple(part for part in content.parts if id(part) not in left_out))

    def headings(self, number: int, content: PageContent) -> PageHeadings:
        """What tells the headings among the lines of page `number`."""
        named = {**content.headings, **self._outline.headings(number)}
        return PageHeadings(named, self._typography, self._margins.of_page(content.lines))


def _upright_lines(content: PageContent) -> list[Line]:
    return [line for line in content.lines if line.turns == content.upright_turns]
