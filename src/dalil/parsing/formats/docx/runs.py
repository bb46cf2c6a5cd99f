"""The text of one paragraph: its runs, fields, notes and line breaks."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from dalil.parsing.formats.docx.notes import Notes
from dalil.parsing.formats.docx.xml import child, is_on, name, value

PAGE_BREAK = "\f"
_SKIPPED = frozenset(
    [
        "pPr",
        "rPr",
        "del",
        "moveFrom",
        "instrText",
        "delText",
        "rt",
        "Fallback",
        "sdtPr",
        "tblPr",
        "annotationRef",
        "commentReference",
        "fldData",
    ]
)
_FIXED = {
    "tab": "\t",
    "cr": "\n",
    "noBreakHyphen": "-",
    "softHyphen": "",
    "lastRenderedPageBreak": PAGE_BREAK,
}
_NOTES = {"footnoteReference": "footnote", "endnoteReference": "endnote"}
_PRIVATE_USE = range(0xE000, 0xF900)


@dataclass
class ParagraphText:
    """What a paragraph says, with `\\f` where a page ends in it, and the text boxes anchored to it."""

    text: str = ""
    boxes: list[etree._Element] = field(default_factory=list)


def paragraph_text(paragraph: etree._Element, notes: Notes) -> ParagraphText:
    """Reads the runs of a paragraph in order.

    Deleted and hidden text is left out, inserted text stays. Of alternative contents only the first is read.
    """
    boxes: list[etree._Element] = []
    parts: list[str] = []
    stack = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
            continue
        tag = name(element)
        if tag in _SKIPPED or (tag == "r" and is_on(child(element, "rPr", "vanish"))):
            continue
        if tag == "t":
            parts.append(element.text or "")
        elif tag in _FIXED:
            parts.append(_FIXED[tag])
        elif tag == "br":
            parts.append(PAGE_BREAK if value(element, "type") == "page" else "\n")
        elif tag in _NOTES:
            parts.append(notes.refer(_NOTES[tag], value(element, "id")))
        elif tag == "sym":
            parts.append(_symbol(value(element, "char")))
        elif tag == "txbxContent":
            boxes.append(element)
        else:
            stack.append(iter(element))
    return ParagraphText("".join(parts), boxes)


def _symbol(code: str) -> str:
    """A character given by number; those of symbol fonts have no meaning outside their font."""
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    return "" if point in _PRIVATE_USE or point > 0xFFFF else chr(point)
