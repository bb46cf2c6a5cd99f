"""Where the words of a page's text stand on the page as it is displayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dalil.geometry import PageGeometry, PlacedWord
from dalil.parsing.formats.pdf.blocks import WrittenWord
from dalil.parsing.formats.pdf.space import PageSpace


def geometry(width: float, height: float, turns: int, words: Iterable[WrittenWord]) -> PageGeometry:
    """The places of words on a page that is displayed with that size (points) and with `turns` quarter turns."""
    return PageGeometry.of(width, height, _placed(width, height, turns, words))


def _placed(width: float, height: float, turns: int, words: Iterable[WrittenWord]) -> Iterator[PlacedWord]:
    if width <= 0 or height <= 0:
        return
    spaces: dict[int, PageSpace] = {}
    for start, end, word, upright in words:
        left, bottom, right, top = word[1:]
        if upright != turns:
            if upright not in spaces:
                more = (turns - upright) % 4
                across, along = (height, width) if more % 2 else (width, height)
                spaces[upright] = PageSpace(0.0, 0.0, across, along, more)
            left, bottom, right, top = spaces[upright].place(left, bottom, right, top)
        yield PlacedWord(start, end, left / width, 1 - top / height, right / width, 1 - bottom / height)
