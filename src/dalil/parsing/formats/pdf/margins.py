"""Where the text of a page begins, and which blocks stand on their own there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dalil.parsing.formats.pdf.bidi import direction
from dalil.parsing.formats.pdf.lines import Line

_TOLERANCE = 4.0
_COMMON_ON_PAGE = 0.15
_COMMON_IN_DOCUMENT = 0.05
_NEIGHBOURS = 2
_SAME_ROW = 0.5
_WIDE = 12.0


class Margins:
    """The edges at which the lines of a document usually begin."""

    def __init__(self, pages: Sequence[Sequence[Line]]) -> None:
        lines = [line for page in pages for line in page]
        self._left = _common(lines, "left", _COMMON_IN_DOCUMENT)
        self._right = _common(lines, "right", _COMMON_IN_DOCUMENT)

    def of_page(self, lines: Sequence[Line]) -> PageMargins:
        """The edges of one page: those of the document, and its own."""
        return PageMargins(
            lines,
            [*self._left, *_common(lines, "left", _COMMON_ON_PAGE)],
            [*self._right, *_common(lines, "right", _COMMON_ON_PAGE)],
        )


class PageMargins:
    """The edges at which the lines of a page usually begin, and its middle."""

    def __init__(self, lines: Sequence[Line], left: Sequence[float], right: Sequence[float]) -> None:
        self._lines = lines
        self._left = left
        self._right = right
        self._middle = (min(line.left for line in lines) + max(line.right for line in lines)) / 2 if lines else 0.0

    def stands_alone(self, block: Sequence[Line], position: int) -> bool:
        """Whether a block, whose first line is the page's line number `position`, is no part of a table.

        It begins where lines usually begin, or is centred on the page or over its column, and nothing stands
        beside it.
        """
        end = position + len(block)
        before = self._lines[max(0, position - _NEIGHBOURS) : position]
        after = self._lines[end : end + _NEIGHBOURS]
        if any(_beside(line, other) for line in block for other in (*before, *after)):
            return False
        return self._is_placed_as_text(block[0]) or self._is_centred(block[0], after)

    def _is_placed_as_text(self, line: Line) -> bool:
        right_to_left = any(direction(char) == "R" for char in line.text)
        edge, edges = (line.right, self._right) if right_to_left else (line.left, self._left)
        return any(abs(edge - common) <= _TOLERANCE for common in edges)

    def _is_centred(self, line: Line, after: Sequence[Line]) -> bool:
        middles = [self._middle]
        middles.extend(_middle(other) for other in after if other.right - other.left > _WIDE * other.size)
        return any(abs(_middle(line) - middle) < _TOLERANCE for middle in middles)


def _middle(line: Line) -> float:
    return (line.left + line.right) / 2


def _common(lines: Sequence[Line], side: str, share: float) -> list[float]:
    """The edges at which several lines begin that hold at least that share of all characters."""
    weights: Counter[float] = Counter()
    counts: Counter[float] = Counter()
    for line in lines:
        edge = round(getattr(line, side))
        weights[edge] += len(line.text)
        counts[edge] += 1
    total = sum(weights.values())
    return [edge for edge, weight in weights.items() if weight >= share * total and counts[edge] > 1]


def _beside(first: Line, second: Line) -> bool:
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    height = min(first.top - first.bottom, second.top - second.bottom)
    apart = second.left >= first.right or first.left >= second.right
    return apart and overlap > _SAME_ROW * height
