"""The text of one paragraph: its runs, fields, notes, equations and line breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree

from dalil.parsing.formats.docx.fields import FieldState
from dalil.parsing.formats.docx.notes import Notes
from dalil.parsing.formats.docx.styles import Styles
from dalil.parsing.formats.office.drawings import Drawings, description
from dalil.parsing.formats.office.equations import linear
from dalil.parsing.formats.office.symbols import symbol
from dalil.parsing.formats.office.xml import child, children, is_on, name, number, value

PAGE_BREAK = "\f"
_SKIPPED = frozenset(
    [
        "pPr",
        "rPr",
        "del",
        "moveFrom",
        "instrText",
        "delText",
        "delInstrText",
        "rt",
        "sdtPr",
        "tblPr",
        "annotationRef",
        "commentReference",
        "fldData",
    ]
)
_FIXED = {
    "tab": "\t",
    "ptab": "\t",
    "cr": "\n",
    "noBreakHyphen": "-",
    "softHyphen": "",
    "lastRenderedPageBreak": PAGE_BREAK,
}
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote"}
_SMALLEST_HALF_POINTS = 2


@dataclass
class ParagraphText:
    """What a paragraph says, with `\\f` where a page ends in it, and what is anchored to it.

    `boxes` are the text boxes, `blocks` the charts, diagrams and descriptions of pictures, written out.
    """

    text: str = ""
    boxes: list[etree._Element] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)


class ParagraphReader:
    """Reads paragraphs. Deleted and hidden text is left out, inserted text stays.

    `on_hidden` is called for each run that is left out because it is hidden.
    """

    def __init__(self, styles: Styles, notes: Notes, drawings: Drawings, on_hidden: Callable[[], None]) -> None:
        self._styles = styles
        self._notes = notes
        self._drawings = drawings
        self._on_hidden = on_hidden

    def read(self, paragraph: etree._Element) -> ParagraphText:
        """The runs of a paragraph in order. Of alternative contents only the first is read."""
        found = ParagraphText()
        fields = FieldState()
        hidden_by_style = self._styles.of(value(child(paragraph, "pPr", "pStyle"))).is_hidden
        stack: list[Iterator[etree._Element]] = [iter(paragraph)]
        while stack:
            element = next(stack[-1], None)
            if element is None:
                stack.pop()
                continue
            tag = name(element)
            if tag in _SKIPPED or (tag == "r" and self._is_hidden(element, hidden_by_style)):
                continue
            if tag == "fldChar":
                fields.mark(element)
            elif tag == "AlternateContent":
                stack.append(iter(_chosen(element)))
            elif tag == "sdt":
                stack.append(iter(() if _shows_placeholder(element) else element))
            elif tag == "txbxContent":
                found.boxes.append(element)
            elif tag == "chart":
                found.blocks.extend(self._drawings.chart(element))
            elif tag == "relIds":
                found.blocks.extend(self._drawings.diagram(element))
            elif tag == "docPr":
                found.blocks.append(description(element))
            else:
                text = self._text_of(tag, element)
                if text is None:
                    stack.append(iter(element))
                else:
                    fields.add(text)
        found.text = fields.text()
        found.blocks = [block for block in found.blocks if block]
        return found

    def _text_of(self, tag: str, element: etree._Element) -> str | None:
        """The text of an element that is no container; None for one that is."""
        if tag == "t":
            return element.text or ""
        if tag in _FIXED:
            return _FIXED[tag]
        if tag == "br":
            return PAGE_BREAK if value(element, "type") == "page" else "\n"
        if tag in _NOTES:
            return self._notes.refer(_NOTES[tag], value(element, "id"))
        if tag == "sym":
            return symbol(value(element, "font"), value(element, "char"))
        if tag == "oMath":
            return linear(element)
        return None

    def _is_hidden(self, run: etree._Element, hidden_by_style: bool) -> bool:
        properties = child(run, "rPr")
        own = child(properties, "vanish")
        if own is not None:
            hidden = is_on(own)
        else:
            hidden = hidden_by_style or self._styles.of(value(child(properties, "rStyle"))).is_hidden
        size = child(properties, "sz")
        hidden = hidden or (size is not None and number(size, default=99) <= _SMALLEST_HALF_POINTS)
        if hidden and any((text.text or "").strip() for text in children(run, "t")):
            self._on_hidden()
        return hidden


def _chosen(element: etree._Element) -> tuple[etree._Element, ...]:
    """The first alternative, or the fallback where there is none."""
    first = child(element, "Choice")
    chosen = first if first is not None else child(element, "Fallback")
    return (chosen,) if chosen is not None else ()


def _shows_placeholder(control: etree._Element) -> bool:
    """Whether a content control shows only the prompt for its text."""
    return is_on(child(control, "sdtPr", "showingPlcHdr"))
