"""Walking the body of a DOCX document."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from dalil.models import Page
from dalil.parsing.characters import one_line
from dalil.parsing.formats.docx.notes import Notes
from dalil.parsing.formats.docx.numbering import Numbering
from dalil.parsing.formats.docx.runs import PAGE_BREAK, ParagraphReader
from dalil.parsing.formats.docx.sections import RunningTexts
from dalil.parsing.formats.docx.styles import Styles
from dalil.parsing.formats.docx.tables import rows_that_start_pages, table_cells, table_rows
from dalil.parsing.formats.office.comments import comment_blocks
from dalil.parsing.formats.office.drawings import Drawings
from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.pages import PageBuilder
from dalil.parsing.formats.office.xml import child, children, is_on, name, number, value
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import heading, list_item, table

_WRAPPERS = frozenset({"sdtContent", "customXml", "smartTag", "ins", "moveTo", "Choice"})
_DEEPEST = 40
_DEEPEST_LIST = 8
_LONGEST_HEADING = 300


class BodyReader:
    """Reads block by block into pages."""

    def __init__(self, package: OfficePackage, limits: ParsingLimits) -> None:
        self._package = package
        self._limits = limits
        self._styles = Styles(package.part("styles"))
        self._numbering = Numbering(package.part("numbering"))
        self._notes = Notes(package.part("footnotes"), package.part("endnotes"))
        drawings = Drawings(package, package.main, limits.table_cells)
        self._paragraphs = ParagraphReader(self._styles, self._notes, drawings, self._warn_of_hidden)
        self._running = RunningTexts(package, self._lines)
        self._pages = PageBuilder()
        self._section = 0
        self._has_title = False
        self.first_heading: str | None = None
        self.warnings = package.warnings

    def pages(self) -> Iterator[Page]:
        """Every block of the body, in order; the notes of each page at its end, comments at the end of the last."""
        self._add_all(self._running.headers(0))
        for body in children(self._package.document, "body"):
            for element in body:
                self._block(element, 0)
                yield from self._pages.take()
        self._write_notes()
        self._add_all(self._running.footers(self._section))
        self._add_all(comment_blocks(self._package.part("comments"), self._flat))
        yield from self._pages.take_last()

    def _block(self, element: etree._Element, depth: int) -> None:
        tag = name(element)
        if tag == "p":
            self._paragraph(element, depth)
        elif tag == "tbl":
            self._table(element, depth)
        elif tag == "altChunk":
            self._warn(f"page {self._pages.number} holds an inserted file, which was left out")
        elif tag == "AlternateContent":
            first = child(element, "Choice")
            self._blocks(first if first is not None else child(element, "Fallback"), depth + 1)
        elif tag == "sdt" and not is_on(child(element, "sdtPr", "showingPlcHdr")):
            self._blocks(child(element, "sdtContent"), depth + 1)
        elif tag in _WRAPPERS:
            self._blocks(element, depth + 1)

    def _blocks(self, container: etree._Element | None, depth: int) -> None:
        if container is None:
            return
        if depth > _DEEPEST:
            self._add_all(self._lines(container))
            return
        for element in container:
            self._block(element, depth)

    def _paragraph(self, paragraph: etree._Element, depth: int) -> None:
        properties = child(paragraph, "pPr")
        if is_on(child(properties, "pageBreakBefore")):
            self._start_page()
        found = self._paragraphs.read(paragraph)
        first, *later = found.text.split(PAGE_BREAK)
        self._write(first, properties)
        for text in later:
            self._start_page()
            # What a page break cuts off goes on as plain text: it is no second heading or list item.
            self._write(text, properties if not first.strip() else None)
            first += text
        self._add_all(found.blocks)
        for box in found.boxes:
            self._blocks(box, depth + 1)
        section = child(properties, "sectPr")
        if section is not None:
            self._end_section(section)

    def _write(self, text: str, properties: etree._Element | None) -> None:
        text = text.strip()
        if not text:
            return
        style = self._styles.of(value(child(properties, "pStyle")))
        level = style.level
        outline = child(properties, "outlineLvl")
        if outline is not None:
            level = number(outline, default=9) + 1
        listed = child(properties, "numPr")
        list_id = value(child(listed, "numId")) or style.list_id
        list_level = min(max(0, number(child(listed, "ilvl"), default=style.list_level)), _DEEPEST_LIST)
        label = self._numbering.label(list_id, list_level) if list_id else None
        if level is not None and level <= 9 and len(text) <= _LONGEST_HEADING:
            self._heading(_labelled(label, text), level)
        elif label is not None:
            self._pages.add(list_item(text, label=label or "-", depth=list_level))
        else:
            self._pages.add(text)

    def _heading(self, text: str, level: int) -> None:
        """A heading. Under a title the numbered levels move down by one, so that the title is above them."""
        if level == 0:
            self._has_title = True
        self.first_heading = self.first_heading or one_line(text)
        self._pages.add(heading(text, max(1, level + 1 if self._has_title else level)))

    def _table(self, element: etree._Element, depth: int) -> None:
        cells = table_cells(element)
        if len(cells) == 1 and len(cells[0]) == 1:
            # One cell is a frame around text, not a table.
            self._blocks(cells[0][0], depth + 1)
            return
        rows = table_rows(element, self._cell, TableGrid(self._package.source_name, self._limits.table_cells))
        start = 0
        for index, starts_page in enumerate(rows_that_start_pages(element)):
            if starts_page and index:
                self._pages.add(table([*rows[:1], *rows[start:index]] if start else rows[:index]))
                start = index
            if starts_page:
                self._start_page()
        self._pages.add(table([*rows[:1], *rows[start:]] if start else rows))

    def _cell(self, cell: etree._Element) -> str:
        """A cell's text on one line; a table inside it gives its words in order."""
        return self._flat(cell)

    def _flat(self, container: etree._Element) -> str:
        return one_line(" ".join(self._lines(container)))

    def _lines(self, container: etree._Element) -> list[str]:
        """The paragraphs anywhere in an element, without structure: their text, and that of their boxes."""
        lines: list[str] = []
        stack = [container]
        while stack:
            element = stack.pop()
            tag = name(element)
            if tag == "p":
                found = self._paragraphs.read(element)
                lines.append(found.text.replace(PAGE_BREAK, " "))
                lines.extend(found.blocks)
                stack.extend(reversed(found.boxes))
            elif tag == "AlternateContent":
                stack.extend(list(element)[:1])
            elif tag not in ("del", "moveFrom") and not is_on(child(element, "sdtPr", "showingPlcHdr")):
                stack.extend(reversed(element))
        return [line for line in lines if line.strip()]

    def _end_section(self, section: etree._Element) -> None:
        footers = self._running.footers(self._section)
        self._section += 1
        headers = self._running.headers(self._section)
        if value(child(section, "type")) != "continuous":
            self._write_notes()
            self._add_all(footers)
            self._pages.start_page()
            self._add_all(headers)
        else:
            self._add_all([*footers, *headers])

    def _start_page(self) -> None:
        self._write_notes()
        self._pages.start_page()

    def _write_notes(self) -> None:
        for mark, note in self._notes.take():
            text = self._flat(note)
            if text:
                self._pages.add(f"{mark}: {text}")

    def _add_all(self, blocks: Iterator[str] | list[str]) -> None:
        for block in blocks:
            self._pages.add(block)

    def _warn_of_hidden(self) -> None:
        self._warn(f"page {self._pages.number} holds hidden text, which was left out")

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)


def _labelled(label: str | None, text: str) -> str:
    """A heading after its number, as in a table of contents: without the number's last dot."""
    return f"{label.rstrip('.')} {text}" if label and label != "-" else text
