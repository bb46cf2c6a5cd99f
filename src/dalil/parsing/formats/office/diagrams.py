"""Diagrams (SmartArt) as nested lists."""

from __future__ import annotations

from lxml import etree

from dalil.parsing.characters import one_line
from dalil.parsing.formats.office.xml import child, children, name, number, value
from dalil.parsing.markup import list_item

_TEXT_POINTS = frozenset({"", "node", "asst"})
_DEEPEST = 20


def diagram_blocks(data: etree._Element) -> list[str]:
    """The items of a `dgm:dataModel`, each under its parent; items that none holds come last."""
    points = {
        value(point, "modelId"): _text(point)
        for point in children(child(data, "ptLst"), "pt")
        if value(point, "type") in _TEXT_POINTS
    }
    below: dict[str, list[tuple[int, str]]] = {}
    held: set[str] = set()
    for connection in children(child(data, "cxnLst"), "cxn"):
        if value(connection, "type") in ("", "parOf"):
            parent, item = value(connection, "srcId"), value(connection, "destId")
            below.setdefault(parent, []).append((number(connection, "srcOrd"), item))
            if parent in points:
                held.add(item)
    blocks: list[str] = []
    seen: set[str] = set()
    roots = [item for parent in below if parent not in points for _, item in sorted(below[parent])]
    roots += [item for item in points if item not in held]
    stack = [(item, 0) for item in reversed([*roots, *points])]
    while stack:
        item, depth = stack.pop()
        if item in seen or item not in points:
            continue
        seen.add(item)
        if points[item]:
            blocks.append(list_item(points[item], depth=min(depth, _DEEPEST)))
        stack.extend((part, depth + 1) for _, part in sorted(below.get(item, []), reverse=True))
    return blocks


def _text(point: etree._Element) -> str:
    """The paragraphs of a point as one line."""
    texts = child(point, "t")
    paragraphs = children(texts, "p")
    return one_line(" ".join("".join(t.text or "" for t in p.iter() if name(t) == "t") for p in paragraphs))
