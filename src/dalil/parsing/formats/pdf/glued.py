"""Words that PDFium reads as one although they stand far from each other, as the cells of a narrow column may."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.parsing.formats.pdf.characters import Characters
from dalil.parsing.formats.pdf.space import Edges

_WIDE = 0.9
_APART = 1.0


def is_spread(first: Edges, last: Edges, count: int) -> bool:
    """Whether a word of `count` characters, between those two boxes, is wider than its letters are likely to be."""
    return _distance(first, last) > _WIDE * (count - 1) * max(first[2] - first[0], first[3] - first[1]) > 0


def apart(characters: Characters, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The characters [start, end), one word to PDFium, cut where there is room for more than a letter."""
    before = characters.box(start)
    height = max(before[2] - before[0], before[3] - before[1])
    for index in range(start + 1, end):
        box = characters.box(index)
        if _distance(before, box) > _APART * height:
            yield start, index
            start = index
        before = box
    yield start, end


def _distance(first: Edges, second: Edges) -> float:
    """How much room there is between two boxes, along either axis."""
    across = max(second[0] - first[2], first[0] - second[2])
    return max(across, second[1] - first[3], first[1] - second[3])
