"""Walking the body of a DOCX document."""

from __future__ import annotations

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.docx.notes import Notes
from dalil.parsing.formats.docx.numbering import Numbering
from dalil.parsing.formats.docx.pages import PageBuilder
from dalil.parsing.formats.docx.runs import PAGE_BREAK, paragraph_text
from dalil.parsing.formats.docx.styles import Styles
from dalil.parsing.formats.docx.tables import table_rows
from dalil.parsing.formats.docx.xml import child, is_on, name, number, value
from dalil.parsing.markup import heading, list_item, table

_WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo", "AlternateContent", "Choice"})
_DEEPEST = 40
_LONGEST_HEADING = 300


class BodyReader:
    """Reads block by block into a page builder."""

    def __init__(self, styles: Styles, numbering: Numbering, notes: Notes, pages: PageBuilder) -> None:
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._pages = pages
        self._has_title = False
        self.first_heading: str | None = None

    def read(self, container: etree._Element, depth: int = 0) -> None:
        """Every block of the body, in order; the notes of each page at its end."""
        self._blocks(container, depth)
        self._write_notes()

    def _blocks(self, container: etree._Element, depth: int) -> None:
        for element in container:
            tag = name(element)
            if tag == "p":
                self._paragraph(element, depth)
            elif tag == "tbl":
                self._table(element)
            elif tag in _WRAPPERS and depth < _DEEPEST:
                self._blocks(element, depth + 1)

    def _paragraph(self, paragraph: etree._Element, depth: int) -> None:
        properties = child(paragraph, "pPr")
        if is_on(child(properties, "pageBreakBefore")):
            self._start_page()
        found = paragraph_text(paragraph, self._notes)
        first, *later = found.text.split(PAGE_BREAK)
        self._write(first, properties)
        for text in later:
            self._start_page()
            # What a page break cuts off goes on as plain text: it is no second heading or list item.
            self._write(text, properties if not first.strip() else None)
            first += text
        for box in found.boxes:
            if depth < _DEEPEST:
                self._blocks(box, depth + 1)
        section = child(properties, "sectPr")
        if section is not None and value(child(section, "type")) != "continuous":
            self._start_page()

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
        list_level = number(child(listed, "ilvl"), default=style.list_level)
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

    def _table(self, element: etree._Element) -> None:
        rows = table_rows(element, self._cell)
        start = 0
        for index, row in enumerate(rows):
            if row.starts_page and index:
                self._write_table([rows[0].cells] if start else [], [row.cells for row in rows[start:index]])
                self._start_page()
                start = index
            elif row.starts_page:
                self._start_page()
        self._write_table([rows[0].cells] if start else [], [row.cells for row in rows[start:]])

    def _write_table(self, header: list[list[str]], rows: list[list[str]]) -> None:
        written = table(header + rows)
        if written:
            self._pages.add(written)

    def _cell(self, cell: etree._Element) -> str:
        """A cell's text on one line; a table inside it gives its words in order."""
        parts: list[str] = []
        for paragraph in cell.iter():
            if name(paragraph) == "p" and not _inside_box(paragraph, cell):
                found = paragraph_text(paragraph, self._notes)
                parts.append(found.text)
                parts.extend(_box_text(box, self._notes) for box in found.boxes)
        return one_line(" ".join(parts).replace(PAGE_BREAK, " "))

    def _start_page(self) -> None:
        self._write_notes()
        self._pages.start_page()

    def _write_notes(self) -> None:
        for mark, note in self._notes.take():
            text = " ".join(paragraph_text(p, self._notes).text for p in note.iter() if name(p) == "p")
            if text.strip():
                self._pages.add(f"{mark}: {one_line(text.replace(PAGE_BREAK, ' '))}")


def _inside_box(element: etree._Element, within: etree._Element) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not within:
        if name(parent) in ("txbxContent", "Fallback"):
            return True
        parent = parent.getparent()
    return False


def _box_text(box: etree._Element, notes: Notes) -> str:
    return " ".join(paragraph_text(p, notes).text for p in box.iter() if name(p) == "p")


def _labelled(label: str | None, text: str) -> str:
    """A heading after its number, as in a table of contents: without the number's last dot."""
    return f"{label.rstrip('.')} {text}" if label and label != "-" else text
