"""Where text stands on a page: words with their rectangles, packed, and the rectangles of any stretch of text."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_ROW = struct.Struct("<IH4H")
_UNIT = 65535
_LONGEST_WORD = 65535
_SAME_LINE = 0.5
_WIDEST_GAP = 4.0


class Box(NamedTuple):
    """A rectangle on a page as it is displayed.

    Its edges are shares of the page's width and height, from 0 to 1, counted from the top left corner.
    """

    page: int
    left: float
    top: float
    right: float
    bottom: float


class PlacedWord(NamedTuple):
    """The code points [start, end) of a page's text and their rectangle, in shares of the page from its top left."""

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class PageGeometry:
    """The size of a page as it is displayed, in points, and the places of its words in 14 bytes each."""

    width: float
    height: float
    words: bytes = field(default=b"", repr=False)

    @classmethod
    def of(cls, width: float, height: float, words: Iterable[PlacedWord]) -> PageGeometry:
        """Packs words, given in the order of the text. Edges beyond the page are moved to its edge."""
        rows = (
            _ROW.pack(word.start, min(word.end - word.start, _LONGEST_WORD), *(_packed(edge) for edge in word[2:]))
            for word in words
        )
        return cls(width, height, b"".join(rows))

    def placed_words(self) -> Iterator[PlacedWord]:
        """The words, in the order of the text."""
        for start, length, *edges in _ROW.iter_unpack(self.words):
            yield PlacedWord(start, start + length, *(edge / _UNIT for edge in edges))

    def boxes(self, page: int, start: int, end: int) -> tuple[Box, ...]:
        """The rectangles of the code points [start, end), one for each stretch of a printed line, `page` in each."""
        found: list[Box] = []
        for word in self.placed_words():
            if word.start >= end:
                break
            if word.end <= start:
                continue
            if found and self._goes_on(found[-1], word):
                last = found[-1]
                found[-1] = Box(
                    page,
                    min(last.left, word.left),
                    min(last.top, word.top),
                    max(last.right, word.right),
                    max(last.bottom, word.bottom),
                )
            else:
                found.append(Box(page, *word[2:]))
        return tuple(found)

    def _goes_on(self, box: Box, word: PlacedWord) -> bool:
        """Whether a word stands on the line of a box, and near it."""
        height = min(box.bottom - box.top, word.bottom - word.top)
        overlap = min(box.bottom, word.bottom) - max(box.top, word.top)
        gap = max(word.left - box.right, box.left - word.right) * self.width
        return overlap > _SAME_LINE * height and gap < _WIDEST_GAP * height * self.height


def _packed(edge: float) -> int:
    return round(min(1.0, max(0.0, edge)) * _UNIT)
