"""The structure of a page's text: headings, tables, code and running text, as spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]{0,3}(```|~~~)")
_TABLE_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_TABLE_RULE = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\(?(?:\w{1,3}[.)-])+)[ \t]+\S")
_ENDS = re.compile(r"[.!?؟:：;؛…][\"'»”’)\]]*\s*$")


class Kind(Enum):
    HEADING = auto()
    TABLE = auto()
    CODE = auto()
    TEXT = auto()


@dataclass(frozen=True)
class Block:
    """A stretch [start, end) of a page's text. `level` and `title` belong to headings."""

    kind: Kind
    start: int
    end: int
    level: int = 0
    title: str = ""


def find_blocks(text: str) -> Iterator[Block]:
    """The blocks of one page in order; together they cover every line that is not blank."""
    kind, start, end = Kind.TEXT, 0, 0
    fence = ""
    for line_start, line_end in lines_of(text):
        line = text[line_start:line_end]
        if fence:
            end = line_end
            if line.strip().startswith(fence):
                yield Block(Kind.CODE, start, end)
                kind, start, fence = Kind.TEXT, line_end, ""
            continue
        heading = _HEADING.match(line)
        opening = _FENCE.match(line)
        found = Kind.TABLE if _TABLE_ROW.match(line) else Kind.TEXT
        if heading or opening or found is not kind or not line.strip():
            if end > start and (heading or opening or found is not kind):
                yield Block(kind, start, end)
                start = line_start
            if heading:
                yield Block(Kind.HEADING, line_start, line_end, len(heading[1]), heading[2])
                kind, start, end = Kind.TEXT, line_end, line_end
                continue
            if opening:
                kind, start, end, fence = Kind.CODE, line_start, line_end, opening[1]
                continue
        if line.strip():
            if end <= start or found is not kind:
                start = line_start
            kind, end = found, line_end
    if end > start:
        yield Block(kind, start, end)


def table_rows(text: str, block: Block) -> tuple[list[tuple[int, int]], int]:
    """The rows of a table block as spans, and how many of them are its header (a rule line included)."""
    rows = [
        (block.start + start, block.start + end)
        for start, end in lines_of(text[block.start : block.end])
        if text[block.start + start : block.start + end].strip()
    ]
    for position, (start, end) in enumerate(rows[:4]):
        if _TABLE_RULE.match(text[start:end]):
            return rows, position + 1
    return rows, 0


def find_lists(text: str) -> list[tuple[int, int]]:
    """The lists of a text block, of at least two items each, as places in order.

    An item goes on in lines that are indented further than it. A line that begins like an item in the midst of a
    paragraph, as hard-wrapped text may, is none.
    """
    found: list[tuple[int, int]] = []
    start = end = items = indent = 0
    before = ""
    for line_start, line_end in lines_of(text):
        line = text[line_start:line_end]
        item = _LIST_ITEM.match(line)
        own = len(line) - len(line.lstrip())
        if item and (items or not before.strip() or _ENDS.search(before)):
            start, indent = (start, indent) if items else (line_start, own)
            items, end = items + 1, line_end
        elif items and line.strip() and own <= indent:
            if items > 1:
                found.append((start, end))
            items = 0
        elif items and line.strip():
            end = line_end
        before = line
    if items > 1:
        found.append((start, end))
    return found


def lines_of(text: str) -> Iterator[tuple[int, int]]:
    """The lines of a text as places, without their ends."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        if end == -1:
            end = len(text)
        yield start, end
        start = end + 1
