"""The labels of list items and numbered headings in OpenDocument."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lxml import etree

from dalil.parsing.formats.office.counting import written
from dalil.parsing.formats.office.xml import name, number, value

_LEVELS = 10
_FORMATS = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
    "أ, ب, ت, ...": "arabicAlpha",
    "أ, ب, ج, ...": "arabicAbjad",
}


@dataclass(frozen=True)
class ListLevel:
    """One level of a list: how it is counted (an empty format for one that is not), and what stands around."""

    format: str = ""
    prefix: str = ""
    suffix: str = ""
    shown_levels: int = 1
    start: int = 1
    is_bullet: bool = False


def list_levels(style: etree._Element) -> dict[int, ListLevel]:
    """The levels of a `text:list-style` or `text:outline-style`, from 1."""
    levels: dict[int, ListLevel] = {}
    for element in style:
        level = min(number(element, "level"), _LEVELS)
        if level > 0:
            levels[level] = ListLevel(
                _FORMATS.get(value(element, "num-format"), "decimal") if value(element, "num-format") else "",
                value(element, "num-prefix"),
                value(element, "num-suffix"),
                max(1, number(element, "display-levels", default=1)),
                number(element, "start-value", default=1),
                name(element) != "list-level-style-number" and name(element) != "outline-level-style",
            )
    return levels


class Counters:
    """The running counters of one list, or of the headings."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def label(self, levels: Mapping[int, ListLevel], level: int, start: int | None = None) -> str:
        """Counts one item of a level (from 1) and gives its label: `-` for a bullet, empty for no number."""
        level = min(max(1, level), _LEVELS)
        this = levels.get(level, ListLevel(is_bullet=True))
        if this.is_bullet:
            return "-"
        if start is not None:
            self._counts[level] = start
        else:
            self._counts[level] = self._counts[level] + 1 if level in self._counts else this.start
        for deeper in [known for known in self._counts if known > level]:
            del self._counts[deeper]
        if not this.format:
            return ""
        shown = range(max(1, level - this.shown_levels + 1), level + 1)
        owners = [(levels.get(one, ListLevel()), one) for one in shown]
        parts = [written(self._counts.get(one, owner.start), owner.format) for owner, one in owners if owner.format]
        return f"{this.prefix}{'.'.join(parts)}{this.suffix}".strip()
