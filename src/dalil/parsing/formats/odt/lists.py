"""The items of nested lists with their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lxml import etree

from dalil.parsing.formats.odt.numbering import Counters, ListLevel
from dalil.parsing.formats.odt.styles import Styles
from dalil.parsing.formats.office.xml import name, number, value

_DEEPEST = 40


class ListReader:
    """Counts the items of lists; a list may go on where an earlier one of its style ended."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._counters: dict[str, Counters] = {}

    def items(self, element: etree._Element) -> Iterator[tuple[etree._Element, str, int]]:
        """The items of a `text:list` in order, with their labels and their depth from 0."""
        style = value(element, "style-name")
        goes_on = value(element, "continue-numbering") == "true" or bool(value(element, "continue-list"))
        if not goes_on or style not in self._counters:
            self._counters[style] = Counters()
        yield from self._items(element, self._styles.list_style(style), self._counters[style], 0)

    def _items(
        self, element: etree._Element, levels: Mapping[int, ListLevel], counters: Counters, depth: int
    ) -> Iterator[tuple[etree._Element, str, int]]:
        own = self._styles.list_style(value(element, "style-name"))
        levels = own or levels
        for item in element:
            if name(item) not in ("list-item", "list-header"):
                continue
            has_text = any(name(part) in ("p", "h") for part in item)
            label = ""
            if name(item) == "list-item" and has_text:
                start = number(item, "start-value", default=-1)
                label = counters.label(levels, depth + 1, start if start >= 0 else None) or "-"
            yield item, label, depth
            for inner in item:
                if name(inner) == "list" and depth < _DEEPEST:
                    yield from self._items(inner, levels, counters, depth + 1)
