"""Walking the body of an OpenDocument text."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from dalil.models import Page
from dalil.parsing.characters import one_line
from dalil.parsing.formats.odt.inline import NOTE, PAGE_BREAK, frame_description, inline_text
from dalil.parsing.formats.odt.lists import ListReader
from dalil.parsing.formats.odt.numbering import Counters
from dalil.parsing.formats.odt.package import TextPackage
from dalil.parsing.formats.odt.styles import Styles
from dalil.parsing.formats.odt.tables import row_cells, table_rows, table_texts
from dalil.parsing.formats.office.comments import comment_text
from dalil.parsing.formats.office.drawings import picture_text
from dalil.parsing.formats.office.grid import TableGrid
from dalil.parsing.formats.office.pages import PageBuilder
from dalil.parsing.formats.office.running import says_something
from dalil.parsing.formats.office.xml import child, name, number, value
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import heading, list_item, table

_DEEPEST = 40
_SKIPPED = frozenset({"tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms", "annotation"})


class BodyReader:
    """Reads block by block into pages."""

    def __init__(self, package: TextPackage, limits: ParsingLimits) -> None:
        self._package = package
        self._limits = limits
        shared = package.root("styles.xml")
        self._masters = child(shared, "master-styles")
        self._styles = Styles(package.content, shared)
        self._lists = ListReader(self._styles)
        self._headings = Counters()
        self._pages = PageBuilder()
        self._notes: list[str] = []
        self._note_count = 0
        self._comments: list[str] = []
        self._has_title = False
        self.first_heading: str | None = None

    def pages(self) -> Iterator[Page]:
        """Every block of the body, in order; notes at the end of their page, comments at the end of the last."""
        self._add_all(self._running("header"))
        body = child(self._package.content, "body", "text")
        for element in body if body is not None else ():
            self._block(element, 0)
            yield from self._pages.take()
        self._write_notes()
        self._add_all(self._running("footer"))
        self._add_all(self._comments)
        yield from self._pages.take_last()

    def _block(self, element: etree._Element, depth: int) -> None:
        tag = name(element)
        if depth > _DEEPEST:
            self._pages.add(self._flat(element))
        elif tag in ("p", "h"):
            self._paragraph(element, depth)
        elif tag == "list":
            for item, label, level in self._lists.items(element):
                self._item(item, label, level, depth)
        elif tag == "table":
            self._table(element, depth)
        elif tag == "soft-page-break":
            self._start_page()
        elif tag == "object":
            self._object(element)
        elif tag == "image":
            return
        elif tag not in _SKIPPED:
            for inner in element:
                self._block(inner, depth + 1)

    def _paragraph(self, paragraph: etree._Element, depth: int) -> None:
        style = self._styles.of(value(paragraph, "style-name"))
        if style.breaks_before:
            self._start_page()
        text, frames = self._inline(paragraph)
        first, *later = text.split(PAGE_BREAK)
        self._write(paragraph, first.strip())
        for rest in later:
            self._start_page()
            self._pages.add(rest.strip())
        self._frames(frames, depth)
        if style.breaks_after:
            self._start_page()

    def _write(self, paragraph: etree._Element, text: str) -> None:
        is_title = self._styles.of(value(paragraph, "style-name")).is_title
        if not text or not (is_title or name(paragraph) == "h"):
            self._pages.add(text)
            return
        self.first_heading = self.first_heading or one_line(text)
        level = max(1, number(paragraph, "outline-level", default=1))
        if is_title and name(paragraph) == "p":
            self._has_title = True
            level = 0
        elif value(paragraph, "is-list-header") != "true":
            label = self._headings.label(self._styles.outline, level).rstrip(".") if self._styles.outline else ""
            text = f"{label} {text}" if label.strip("-") else text
        self._pages.add(heading(text, max(1, level + 1 if self._has_title else level)))

    def _item(self, item: etree._Element, label: str, level: int, depth: int) -> None:
        """The paragraphs of a list item: the first under its label, others under the first."""
        for element in item:
            if name(element) == "h":
                self._paragraph(element, depth + 1)
            elif name(element) == "p":
                text, frames = self._inline(element)
                text = text.replace(PAGE_BREAK, " ").strip()
                if text:
                    self._pages.add(list_item(text, label=label, depth=level) if label else text)
                    label = ""
                self._frames(frames, depth)
            elif name(element) != "list":
                self._block(element, depth + 1)

    def _table(self, element: etree._Element, depth: int) -> None:
        rows = list(table_rows(element))
        if len(rows) == 1 and len(row_cells(rows[0])) == 1:
            # One cell is a frame around text, not a table.
            for inner in row_cells(rows[0])[0]:
                self._block(inner, depth + 1)
            return
        grid = TableGrid(self._package.source_name, self._limits.table_cells)
        self._pages.add(table(table_texts(element, self._flat, grid)))

    def _frames(self, frames: list[etree._Element], depth: int) -> None:
        for frame in frames:
            self._pages.add(picture_text(_own_text(frame_description(frame))))
            for inner in frame:
                if name(inner) not in ("title", "desc"):
                    self._block(inner, depth + 1)

    def _object(self, element: etree._Element) -> None:
        """An embedded formula as it was typed, or the table behind a chart."""
        root = self._package.object_root(value(element, "href"))
        for inner in root.iter() if root is not None else ():
            if name(inner) == "annotation":
                self._pages.add(_own_text(inner))
            elif name(inner) == "table":
                grid = TableGrid(self._package.source_name, self._limits.table_cells)
                self._pages.add(table(table_texts(inner, self._flat, grid)))

    def _inline(self, paragraph: etree._Element) -> tuple[str, list[etree._Element]]:
        found = inline_text(paragraph, self._styles)
        if found.has_hidden:
            self._package.warn(f"page {self._pages.number} holds hidden text, which was left out")
        text = found.text
        for note in found.notes:
            self._note_count += 1
            mark = f"[^{self._note_count}]"
            text = text.replace(NOTE, mark, 1)
            self._notes.append(f"{mark}: {self._flat(child(note, 'note-body'))}")
        for comment in found.comments:
            words = " ".join(self._inline(p)[0] for p in comment if name(p) in ("p", "list"))
            if words.strip():
                self._comments.append(comment_text(_own_text(child(comment, "creator")), words))
        return text, found.frames

    def _flat(self, container: etree._Element | None) -> str:
        """The paragraphs anywhere in an element on one line."""
        parts: list[str] = []
        stack = [container] if container is not None else []
        while stack:
            element = stack.pop()
            if name(element) in ("p", "h"):
                text, frames = self._inline(element)
                parts.append(text.replace(PAGE_BREAK, " "))
                stack.extend(reversed(frames))
            elif name(element) not in _SKIPPED:
                stack.extend(reversed(element))
        return one_line(" ".join(parts))

    def _running(self, kind: str) -> list[str]:
        """The headers or footers of all master pages, each text once, page numbers left out."""
        found = {
            self._flat(part): None
            for master in (self._masters if self._masters is not None else ())
            for part in master
            if name(part).startswith(kind) and value(part, "display") != "false"
        }
        return [text for text in found if says_something(text)]

    def _start_page(self) -> None:
        self._write_notes()
        self._pages.start_page()

    def _write_notes(self) -> None:
        self._add_all(self._notes)
        self._notes = []

    def _add_all(self, blocks: list[str]) -> None:
        for block in blocks:
            self._pages.add(block)


def _own_text(element: etree._Element | None) -> str:
    return one_line("".join(map(str, element.itertext()))) if element is not None else ""
