"""Charts as tables: a row for each category, a column for each series."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.numbers import moment_text, number_text
from dalil.parsing.formats.office.xml import child, children, name, number, value
from dalil.parsing.markup import table

_FIRST_DAY = dt.datetime(1899, 12, 30)
_LAST_DAY = 2_958_465
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_CATEGORIES = ("cat", "xVal")
_VALUES = ("val", "yVal", "bubbleSize")
_CACHES = ("strCache", "numCache", "multiLvlStrCache", "strLit", "numLit")


@dataclass
class _Series:
    title: str
    categories: dict[int, str]
    values: dict[int, str]


def chart_blocks(space: etree._Element, most_cells: int) -> list[str]:
    """The title and the table of a `c:chartSpace`. Points beyond `most_cells` cells are left out."""
    chart = child(space, "chart")
    blocks = [one_line(_rich_text(child(chart, "title")))]
    series = [_series(element) for element in space.iter() if name(element) == "ser"]
    # Charts of several kinds on one pair of axes share their categories; others get a table each.
    groups: list[list[_Series]] = []
    for one in series:
        if groups and groups[-1][0].categories == one.categories:
            groups[-1].append(one)
        else:
            groups.append([one])
    for group in groups:
        written = table(_rows(group, most_cells))
        blocks.append(written)
        most_cells -= len(group) * len(group[0].values)
    return [block for block in blocks if block]


def _rows(group: list[_Series], most_cells: int) -> list[list[str]]:
    places = sorted({place for one in group for place in (*one.categories, *one.values)})
    places = places[: max(0, most_cells // (len(group) + 1))]
    header = ["", *(one.title for one in group)]
    return [header] + [
        [group[0].categories.get(place, ""), *(one.values.get(place, "") for one in group)] for place in places
    ]


def _series(element: etree._Element) -> _Series:
    title = child(element, "tx")
    texts = _points(title) if title is not None else {}
    named = " ".join(texts.values()) or one_line("".join(t.text or "" for t in _iter(title, "v")))
    categories: dict[int, str] = {}
    values: dict[int, str] = {}
    for tag in _CATEGORIES:
        categories = categories or _points(child(element, tag))
    for tag in _VALUES:
        values = values or _points(child(element, tag))
    return _Series(named, categories, values)


def _iter(element: etree._Element | None, wanted: str) -> list[etree._Element]:
    return [found for found in element.iter() if name(found) == wanted] if element is not None else []


def _points(source: etree._Element | None) -> dict[int, str]:
    """The cached texts of a reference, by their place. Levels of categories are joined, the outermost first."""
    cache = next((found for tag in _CACHES for found in _iter(source, tag)), None)
    if cache is None:
        return {}
    levels = list(children(cache, "lvl"))
    if levels:
        return _joined_levels([_level(level, "") for level in levels])
    code = child(cache, "formatCode")
    return _level(cache, (code.text or "") if code is not None else "")


def _level(container: etree._Element, code: str) -> dict[int, str]:
    found: dict[int, str] = {}
    is_number = name(container).startswith("num")
    for point in children(container, "pt"):
        text = child(point, "v")
        written = one_line((text.text or "") if text is not None else "")
        if written:
            found[number(point, "idx")] = _value(written, value(point, "formatCode") or code) if is_number else written
    return found


def _joined_levels(levels: list[dict[int, str]]) -> dict[int, str]:
    """An outer category stands at its first place and holds until the next one."""
    joined: dict[int, str] = {}
    standing = [""] * len(levels)
    for place in sorted({place for level in levels for place in level}):
        standing = [level.get(place, above) for level, above in zip(levels, standing, strict=True)]
        joined[place] = " ".join(part for part in reversed(standing) if part)
    return joined


def _value(text: str, code: str) -> str:
    try:
        parsed = float(text)
    except ValueError:
        return text
    if _is_date(code) and 0 < parsed <= _LAST_DAY:
        return moment_text(_FIRST_DAY + dt.timedelta(seconds=round(parsed * 86400)))
    return number_text(parsed)


def _is_date(code: str) -> bool:
    """Whether a number format shows days: `yyyy-mm-dd`, but not `General` or `0.00`."""
    letters = _QUOTED.sub("", code).lower()
    return "general" not in letters and ("yy" in letters or "d" in letters)


def _rich_text(element: etree._Element | None) -> str:
    return " ".join(
        "".join(text.text or "" for text in _iter(paragraph, "t")) for paragraph in _iter(element, "p")
    ) or " ".join(text.text or "" for text in _iter(element, "v"))
