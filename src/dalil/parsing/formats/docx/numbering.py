"""The labels that a word processor puts before numbered paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lxml import etree

from dalil.parsing.formats.office.counting import written
from dalil.parsing.formats.office.xml import child, children, is_on, number, value

_PLACE = re.compile(r"%([1-9])")
_LEVELS = 9


@dataclass(frozen=True)
class _Level:
    format: str = "decimal"
    pattern: str = "%1."
    start: int = 1
    is_legal: bool = False
    restarts: bool = True


class Numbering:
    """The lists of a document, with their running counters."""

    def __init__(self, root: etree._Element | None) -> None:
        abstract = _abstract_lists(root)
        self._lists: dict[str, dict[int, _Level]] = {}
        self._counters_of: dict[str, str] = {}
        for element in children(root, "num"):
            list_id = value(element, "numId")
            abstract_id = value(child(element, "abstractNumId"))
            levels = dict(abstract.get(abstract_id, {}))
            # Lists over one definition count on together, unless one of them starts anew.
            self._counters_of[list_id] = f"abstract {abstract_id}"
            for override in children(element, "lvlOverride"):
                level = number(override, "ilvl")
                replaced = child(override, "lvl")
                if replaced is not None:
                    levels[level] = _level(replaced)
                start = child(override, "startOverride")
                if start is not None:
                    levels[level] = replace(levels.get(level, _Level()), start=number(start, default=1))
                    self._counters_of[list_id] = list_id
            self._lists[list_id] = levels
        self._counters: dict[str, list[int | None]] = {}

    def label(self, list_id: str, level: int) -> str | None:
        """Counts one paragraph and gives its label: `-` for a bullet, `1.2` or `a)` for a number, or None."""
        levels = self._lists.get(list_id)
        if levels is None or list_id == "0":
            return None
        level = min(max(level, 0), _LEVELS - 1)
        this = levels.get(level, _Level())
        if this.format == "bullet":
            return "-"
        counters = self._counters.setdefault(self._counters_of[list_id], [None] * _LEVELS)
        current = counters[level]
        counters[level] = this.start if current is None else current + 1
        for deeper in range(level + 1, _LEVELS):
            if levels.get(deeper, _Level()).restarts:
                counters[deeper] = None
        if this.format == "none":
            return ""

        def place(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            owner = levels.get(index, _Level())
            count = counters[index]
            return written(owner.start if count is None else count, "decimal" if this.is_legal else owner.format)

        return _PLACE.sub(place, this.pattern).strip()


def _abstract_lists(root: etree._Element | None) -> dict[str, dict[int, _Level]]:
    """The definitions of lists by their ids; one that only names a list style has the levels of that style."""
    own = {value(element, "abstractNumId"): _levels(element) for element in children(root, "abstractNum")}
    styled: dict[str, str] = {}
    linked: dict[str, str] = {}
    for element in children(root, "abstractNum"):
        abstract_id = value(element, "abstractNumId")
        style, link = value(child(element, "styleLink")), value(child(element, "numStyleLink"))
        if style:
            styled[style] = abstract_id
        if link:
            linked[abstract_id] = link
    return {
        abstract_id: levels or own.get(styled.get(linked.get(abstract_id, ""), ""), {})
        for abstract_id, levels in own.items()
    }


def _levels(element: etree._Element) -> dict[int, _Level]:
    return {number(level, "ilvl"): _level(level) for level in children(element, "lvl")}


def _level(element: etree._Element) -> _Level:
    return _Level(
        value(child(element, "numFmt")) or "decimal",
        value(child(element, "lvlText")),
        number(child(element, "start"), default=1),
        is_on(child(element, "isLgl")),
        value(child(element, "lvlRestart")) != "0",
    )
