"""The labels that a word processor puts before numbered paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from dalil.parsing.formats.docx.xml import child, children, number, value

_PLACE = re.compile(r"%([1-9])")
_LEVELS = 9
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


@dataclass
class _Level:
    format: str = "decimal"
    pattern: str = "%1."
    start: int = 1


class Numbering:
    """The lists of a document, with their running counters."""

    def __init__(self, root: etree._Element | None) -> None:
        abstract = {value(element, "abstractNumId"): _levels(element) for element in children(root, "abstractNum")}
        self._lists: dict[str, dict[int, _Level]] = {}
        self._abstract_of: dict[str, str] = {}
        for element in children(root, "num"):
            list_id = value(element, "numId")
            abstract_id = value(child(element, "abstractNumId"))
            levels = dict(abstract.get(abstract_id, {}))
            for override in children(element, "lvlOverride"):
                level = number(override, "ilvl")
                replaced = child(override, "lvl")
                if replaced is not None:
                    levels[level] = _level(replaced)
            self._lists[list_id] = levels
            # Lists over one definition count on together, unless one of them starts anew.
            restarted = child(element, "lvlOverride", "startOverride") is not None
            self._abstract_of[list_id] = list_id if restarted else f"abstract {abstract_id}"
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
        counters = self._counters.setdefault(self._abstract_of[list_id], [None] * _LEVELS)
        current = counters[level]
        counters[level] = this.start if current is None else current + 1
        counters[level + 1 :] = [None] * (_LEVELS - level - 1)
        if this.format == "none":
            return ""

        def place(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            owner = levels.get(index, _Level())
            count = counters[index]
            return _written(owner.start if count is None else count, owner.format)

        return _PLACE.sub(place, this.pattern).strip()


def _levels(element: etree._Element) -> dict[int, _Level]:
    return {number(level, "ilvl"): _level(level) for level in children(element, "lvl")}


def _level(element: etree._Element) -> _Level:
    return _Level(
        value(child(element, "numFmt")) or "decimal",
        value(child(element, "lvlText")),
        number(child(element, "start"), default=1),
    )


def _written(count: int, kind: str) -> str:
    if kind == "decimalZero":
        return f"{count:02d}"
    if kind in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        text = _roman(count)
        return text.upper() if kind == "upperRoman" else text
    if kind in ("lowerLetter", "upperLetter") and count > 0:
        repeat, index = divmod(count - 1, 26)
        text = chr(ord("a") + index) * min(repeat + 1, 10)
        return text.upper() if kind == "upperLetter" else text
    return str(count)


def _roman(count: int) -> str:
    text = ""
    for size, letters in _ROMAN:
        repeat, count = divmod(count, size)
        text += letters * repeat
    return text
