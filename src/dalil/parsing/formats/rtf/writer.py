"""Writing the paragraphs of an RTF document as blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.pages import PageBuilder
from dalil.parsing.formats.rtf.state import Paragraph
from dalil.parsing.formats.rtf.tables import CellShape, Row, table_texts
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import heading, list_item, table

_HEADING_NAME = re.compile(r"^(?:heading|überschrift|titre|título|عنوان)\s*(\d)$", re.I)
_TITLE_NAMES = frozenset({"title", "العنوان"})
_BODY_LEVEL = 9
_LONGEST_HEADING = 300


@dataclass
class Style:
    """A paragraph style: its name, and the level of its outline from 0."""

    name: str = ""
    outline: int | None = None


class Writer:
    """Puts paragraphs and table rows on pages."""

    def __init__(self, source_name: str, limits: ParsingLimits) -> None:
        self._source_name = source_name
        self._limits = limits
        self.pages = PageBuilder()
        self.styles: dict[int, Style] = {}
        self.first_heading: str | None = None
        self._has_title = False
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._rows: list[Row] = []
        self._notes: list[str] = []

    def paragraph(self, text: str, properties: Paragraph, label: str) -> None:
        """The end of a paragraph."""
        text = text.strip()
        if properties.in_table:
            self._cell.append(f"{label} {text}" if label and label != "-" else text)
            return
        self.end_table()
        if not text:
            return
        level = self._level(properties)
        if level is not None and len(text) <= _LONGEST_HEADING:
            self._heading(f"{label.rstrip('.')} {text}" if label and label != "-" else text, level)
        elif label:
            self.pages.add(list_item(text, label=label, depth=properties.list_level))
        else:
            self.pages.add(text)

    def end_cell(self) -> None:
        """The end of a table cell; its paragraphs have been written."""
        self._cells.append(one_line(" ".join(self._cell)))
        self._cell = []

    def end_row(self, shapes: list[CellShape]) -> None:
        """The end of a table row."""
        if self._cells:
            self._rows.append(Row(self._cells, shapes))
        self._cells = []

    def end_table(self) -> None:
        """Writes the rows collected so far as a table."""
        if self._cell:
            self.end_cell()
        self.end_row([])
        if self._rows:
            rows, self._rows = self._rows, []
            self.pages.add(table(table_texts(rows, TableGrid(self._source_name, self._limits.table_cells))))

    def note(self, mark: str, text: str) -> None:
        """A note, to stand at the end of its page."""
        self._notes.append(f"{mark}: {one_line(text)}")

    def end_page(self) -> None:
        """The end of a page: its table, then its notes."""
        self.end_table()
        for note in self._notes:
            self.pages.add(note)
        self._notes = []
        self.pages.start_page()

    def end_document(self, last: Sequence[str]) -> None:
        """The end of the document, with what stands on its last page after everything else."""
        self.end_table()
        for block in [*self._notes, *last]:
            self.pages.add(block)
        self._notes = []

    def _level(self, properties: Paragraph) -> int | None:
        """The heading level from 1, 0 for a title, None for other text."""
        style = self.styles.get(properties.style, Style())
        if style.name.lower() in _TITLE_NAMES:
            return 0
        named = _HEADING_NAME.match(style.name)
        if named:
            return int(named[1])
        outline = properties.outline if properties.outline is not None else style.outline
        return outline + 1 if outline is not None and 0 <= outline < _BODY_LEVEL else None

    def _heading(self, text: str, level: int) -> None:
        if level == 0:
            self._has_title = True
        self.first_heading = self.first_heading or one_line(text)
        self.pages.add(heading(text, max(1, level + 1 if self._has_title else level)))
