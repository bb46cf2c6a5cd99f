"""Where the text of a page begins, and which blocks stand on their own there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from dalil.parsing.formats.pdf.bidi import direction
from dalil.parsing.formats.pdf.lines import Line

_TOLERANCE = 4.0
_COMMON_ON_PAGE = 0.15
_COMMON_IN_DOCUMENT = 0.05
_NEIGHBOURS = 2
_SAME_ROW = 0.5
_WIDE = 12.0


class Margins:
    """The edges at which the lines of a document usually begin.

    It learns from every page by `add`, and may be asked when the last page was added.
    """

    def __init__(self) -> None:
        self._left, self._right = _Edges(), _Edges()

    def add(self, lines: Sequence[Line]) -> None:
        """Learns from the lines of a page."""
        self._left.add((line.left, line) for line in lines)
        self._right.add((line.right, line) for line in lines)

    def of_page(self, lines: Sequence[Line]) -> PageMargins:
        """The edges of one page: those of the document, and its own."""
        page = Margins()
        page.add(lines)
        return PageMargins(
            lines,
            self._left.common(_COMMON_IN_DOCUMENT) | page._left.common(_COMMON_ON_PAGE),
            self._right.common(_COMMON_IN_DOCUMENT) | page._right.common(_COMMON_ON_PAGE),
        )


class _Edges:
    """How many lines begin at an edge, and with how many characters."""

    def __init__(self) -> None:
        self._weights: Counter[int] = Counter()
        self._counts: Counter[int] = Counter()
        self._common: dict[float, frozenset[int]] = {}

    def add(self, edges: Iterable[tuple[float, Line]]) -> None:
        for edge, line in edges:
            place = round(edge)
            self._weights[place] += len(line.text)
            self._counts[place] += 1
        self._common.clear()

    def common(self, share: float) -> frozenset[int]:
        """The edges at which several lines begin that hold at least that share of all characters."""
        if share not in self._common:
            least = share * self._weights.total()
            self._common[share] = frozenset(
                edge for edge, weight in self._weights.items() if weight >= least and self._counts[edge] > 1
            )
        return self._common[share]


class PageMargins:
    """The edges at which the lines of a page usually begin, and its middle."""

    def __init__(self, lines: Sequence[Line], left: Collection[int], right: Collection[int]) -> None:
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


def _beside(first: Line, second: Line) -> bool:
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    height = min(first.top - first.bottom, second.top - second.bottom)
    apart = second.left >= first.right or first.left >= second.right
    return apart and overlap > _SAME_ROW * height
