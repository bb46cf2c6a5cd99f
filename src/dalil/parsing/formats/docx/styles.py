"""What styles mean: headings, titles, lists and hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from dalil.parsing.formats.office.xml import child, children, is_on, number, value

_HEADING_NAME = re.compile(r"^(?:heading|überschrift|titre|título|عنوان)\s*(\d)$", re.I)
_TITLE_NAMES = frozenset({"title", "العنوان"})
_BODY_LEVEL = 9
_LONGEST_CHAIN = 20


@dataclass(frozen=True)
class ParagraphStyle:
    """A style: its heading level from 1, or 0 for a title, or None; its list and level where it has them.

    `is_hidden` says that text of this style is not shown.
    """

    level: int | None = None
    list_id: str = ""
    list_level: int = 0
    is_hidden: bool = False


class Styles:
    """The paragraph and character styles of a document, inheritance resolved."""

    def __init__(self, root: etree._Element | None) -> None:
        self._elements = {value(style, "styleId"): style for style in children(root, "style")}
        self._known: dict[str, ParagraphStyle] = {"": self._resolve(self._default(root))}

    def _default(self, root: etree._Element | None) -> str:
        """The style of paragraphs that name none."""
        for style in children(root, "style"):
            if value(style, "type") == "paragraph" and value(style, "default") in ("1", "true", "on"):
                return value(style, "styleId")
        return ""

    def of(self, style_id: str) -> ParagraphStyle:
        """The style of that id; a plain one where there is none."""
        if style_id not in self._known:
            self._known[style_id] = self._resolve(style_id)
        return self._known[style_id]

    def _resolve(self, style_id: str) -> ParagraphStyle:
        level: int | None = None
        list_id, list_level = "", -1
        vanish: etree._Element | None = None
        current = style_id
        for _ in range(_LONGEST_CHAIN):
            element = self._elements.get(current)
            if element is None:
                break
            if level is None:
                level = _own_level(element)
            properties = child(element, "pPr", "numPr")
            list_id = list_id or value(child(properties, "numId"))
            if list_level < 0:
                list_level = number(child(properties, "ilvl"), default=-1)
            if vanish is None:
                vanish = child(element, "rPr", "vanish")
            current = value(child(element, "basedOn"))
        if level == _BODY_LEVEL + 1:
            level = None
        return ParagraphStyle(level, list_id, max(0, list_level), is_on(vanish))


def _own_level(style: etree._Element) -> int | None:
    """The heading level that a style sets itself: by its name, or by its outline level."""
    label = value(child(style, "name")).strip().lower()
    if label in _TITLE_NAMES:
        return 0
    named = _HEADING_NAME.match(label)
    if named:
        return int(named[1])
    outline = child(style, "pPr", "outlineLvl")
    return number(outline, default=_BODY_LEVEL) + 1 if outline is not None else None
