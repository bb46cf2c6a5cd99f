"""What the styles of an OpenDocument text mean: titles, page breaks, hidden text, lists and numbered headings."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from dalil.parsing.formats.odt.numbering import ListLevel, list_levels
from dalil.parsing.formats.office.xml import child, name, value

_LONGEST_CHAIN = 20
_TITLE = "Title"


@dataclass(frozen=True)
class TextStyle:
    """A paragraph or text style, inheritance resolved."""

    is_title: bool = False
    is_hidden: bool = False
    breaks_before: bool = False
    breaks_after: bool = False


class Styles:
    """The styles of the document, those of its content before the shared ones."""

    def __init__(self, *roots: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self.outline: dict[int, ListLevel] = {}
        for root in roots:
            for element in root.iter() if root is not None else ():
                tag = name(element)
                if tag == "style":
                    self._elements.setdefault(value(element, "name"), element)
                elif tag == "list-style":
                    self._lists.setdefault(value(element, "name"), list_levels(element))
                elif tag == "outline-style" and not self.outline:
                    self.outline = list_levels(element)
        self._known: dict[str, TextStyle] = {}

    def of(self, style_name: str) -> TextStyle:
        """The style of that name; a plain one where there is none."""
        if style_name not in self._known:
            self._known[style_name] = self._resolve(style_name)
        return self._known[style_name]

    def list_style(self, style_name: str) -> dict[int, ListLevel]:
        """The levels of a list style, from 1."""
        return self._lists.get(style_name, {})

    def _resolve(self, style_name: str) -> TextStyle:
        is_title = False
        display = before = after = ""
        current = style_name
        for step in range(_LONGEST_CHAIN):
            is_title = is_title or current == _TITLE
            element = self._elements.get(current)
            if element is None:
                break
            paragraph = child(element, "paragraph-properties")
            # A master page begins anew only where a style names one itself.
            before = before or value(paragraph, "break-before") or ("page" if _begins_master(element, step) else "")
            after = after or value(paragraph, "break-after")
            display = display or value(child(element, "text-properties"), "display")
            current = value(element, "parent-style-name")
        return TextStyle(is_title, display == "none", before == "page", after == "page")


def _begins_master(element: etree._Element, step: int) -> bool:
    return step == 0 and bool(value(element, "master-page-name"))
