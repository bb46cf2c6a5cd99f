"""The shapes of a slide: what they are, where they stand, and which placeholder they fill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from dalil.parsing.formats.office.xml import child, name, number, value
from dalil.parsing.formats.pptx.order import Box

_KINDS = frozenset({"sp", "grpSp", "graphicFrame", "pic", "cxnSp"})
_TITLES = frozenset({"title", "ctrTitle"})


class Placeholder(NamedTuple):
    """The kind of a placeholder ("title", "body", ...) and its number on the layout."""

    kind: str
    number: str

    @property
    def is_title(self) -> bool:
        """Whether it holds the slide's title."""
        return self.kind in _TITLES


@dataclass(frozen=True)
class Shape:
    """One shape. `box` is None where the shape leaves its place to its placeholder."""

    element: etree._Element
    kind: str
    properties: etree._Element | None
    placeholder: Placeholder | None
    box: Box | None

    @property
    def is_hidden(self) -> bool:
        """Whether it is switched off in the selection pane."""
        return value(self.properties, "hidden") in ("1", "true")


def shapes_of(tree: etree._Element | None) -> Iterator[Shape]:
    """The shapes of a tree or group in drawing order. Of alternative contents only the first is taken."""
    for element in tree if tree is not None else ():
        tag = name(element)
        if tag in _KINDS:
            yield _shape(element, tag)
        elif tag == "AlternateContent":
            first = child(element, "Choice")
            yield from shapes_of(first if first is not None else child(element, "Fallback"))


def _shape(element: etree._Element, tag: str) -> Shape:
    head = next((part for part in element if name(part).startswith("nv")), None)
    mark = child(head, "nvPr", "ph")
    placeholder = Placeholder(value(mark, "type") or "obj", value(mark, "idx") or "0") if mark is not None else None
    return Shape(element, tag, child(head, "cNvPr"), placeholder, _box(element))


def _box(element: etree._Element) -> Box | None:
    place = child(element, "xfrm")
    for part in ("spPr", "grpSpPr"):
        if place is None:
            place = child(element, part, "xfrm")
    offset, size = child(place, "off"), child(place, "ext")
    if offset is None or size is None:
        return None
    left, top = number(offset, "x"), number(offset, "y")
    return Box(left, top, left + number(size, "cx"), top + number(size, "cy"))
