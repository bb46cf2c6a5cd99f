"""The text inside a paragraph or heading of an OpenDocument text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from dalil.parsing.formats.odt.styles import Styles
from dalil.parsing.formats.office.xml import child, name, number, value

PAGE_BREAK = "\f"
NOTE = "\0"
_FIXED = {"tab": "\t", "line-break": "\n", "soft-page-break": PAGE_BREAK, "soft-hyphen": ""}
_SKIPPED = frozenset({"ruby-text", "tracked-changes", "hidden-text", "title", "desc", "script", "note-citation"})
_FRAMES = frozenset({"frame", "custom-shape", "rect", "ellipse", "g", "text-box"})
_MOST_SPACES = 1000
_SPACES = re.compile(r"[ \t\r\n]+")


@dataclass
class InlineText:
    """What a paragraph says, with `\\f` where a page ends in it; its frames, notes and comments as elements.

    `notes` stand in the text as `\\0`, one for each, in order.
    """

    text: str = ""
    frames: list[etree._Element] = field(default_factory=list)
    notes: list[etree._Element] = field(default_factory=list)
    comments: list[etree._Element] = field(default_factory=list)
    has_hidden: bool = False


def inline_text(paragraph: etree._Element, styles: Styles) -> InlineText:
    """Reads a paragraph. Hidden text is left out; deleted text is kept elsewhere by the format."""
    found = InlineText()
    parts: list[str] = []
    if styles.of(value(paragraph, "style-name")).is_hidden:
        found.has_hidden = bool("".join(map(str, paragraph.itertext())).strip())
        return found
    _walk(paragraph, styles, found, parts)
    found.text = "".join(parts)
    return found


def _walk(container: etree._Element, styles: Styles, found: InlineText, parts: list[str]) -> None:
    parts.append(_collapsed(container.text))
    for element in container:
        tag = name(element)
        if tag in _FIXED:
            parts.append(_FIXED[tag])
        elif tag == "s":
            parts.append(" " * min(max(1, number(element, "c", default=1)), _MOST_SPACES))
        elif tag == "note":
            found.notes.append(element)
            parts.append(NOTE)
        elif tag == "annotation":
            found.comments.append(element)
        elif tag in _FRAMES:
            found.frames.append(element)
        elif tag == "span" and styles.of(value(element, "style-name")).is_hidden:
            found.has_hidden = True
        elif tag not in _SKIPPED:
            _walk(element, styles, found, parts)
        parts.append(_collapsed(element.tail))


def _collapsed(text: str | None) -> str:
    """White space in the file is one space; more of it is written as elements."""
    return _SPACES.sub(" ", text) if text else ""


def frame_description(frame: etree._Element) -> etree._Element | None:
    """The element that says what a frame shows, or None."""
    described = child(frame, "desc")
    return described if described is not None else child(frame, "title")
