"""Telling where a line ends because it is full, and where because something ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dalil.parsing.formats.pdf.bidi import arabic_letters
from dalil.parsing.formats.pdf.lines import Line

_SAME_EDGE = 6.0
_USUAL = 0.75
_SPACE = 0.2
_ENOUGH = 3
_NARROWEST = 18.0
_RAGGED = 4.0
_MOST = 0.7
_SAME_MIDDLE = 0.6


def reads_from_the_right(text: str) -> bool:
    """Whether most letters of a line are Arabic."""
    arabic = arabic_letters(text)
    return arabic > 0 and 2 * arabic > sum(1 for char in text if char.isalpha())


def edges(line: Line) -> tuple[float, float]:
    """Where a line begins and ends, growing in the direction in which it is read."""
    return (-line.right, -line.left) if reads_from_the_right(line.text) else (line.left, line.right)


class Wrapping:
    """Where the lines of a page usually end, by where they begin."""

    def __init__(self, lines: Sequence[Line]) -> None:
        ends: dict[int, list[float]] = defaultdict(list)
        for line in lines:
            begin, end = edges(line)
            ends[round(begin / _SAME_EDGE)].append(end)
        self._usual_ends = {
            place: usual for place in ends if (usual := _usual([*ends[place], *_near(ends, place)])) is not None
        }

    def full_lines(self, block: Sequence[Line]) -> list[bool]:
        """For each line of a block but its last, whether the first word of the next had no room left at its end."""
        if len(block) < 2 or _are_centred(block):
            return [False] * (len(block) - 1)
        places = [edges(line) for line in block]
        filled = _filled_end([end for _, end in places[:-1]], block[0].size)
        furthest = max(end for _, end in places)
        full: list[bool] = []
        for (begin, end), line, following in zip(places, block, block[1:], strict=False):
            limit = self._usual_ends.get(round(begin / _SAME_EDGE), furthest) if filled is None else filled
            first = following.words[0]
            needed = _SPACE * line.size + first.right - first.left
            full.append(end - begin >= _NARROWEST * line.size and end + needed > limit)
        return full


def _near(ends: Mapping[int, list[float]], place: int) -> list[float]:
    return [end for near in (place - 1, place + 1) for end in ends.get(near, ())]


def _usual(ends: list[float]) -> float | None:
    return sorted(ends)[int(_USUAL * (len(ends) - 1))] if len(ends) >= _ENOUGH else None


def _are_centred(lines: Sequence[Line]) -> bool:
    """Whether lines of different lengths stand under each other's middle."""
    middles = [line.left + line.right for line in lines]
    begins = [line.left for line in lines]
    size = lines[0].size
    return max(middles) - min(middles) < _SAME_MIDDLE * size and max(begins) - min(begins) > size


def _filled_end(ends: Sequence[float], size: float) -> float | None:
    """Where the lines of a block end, if those but the last end near one another."""
    if len(ends) < _ENOUGH:
        return None
    ordered = sorted(ends)
    near = ordered[-1] - _RAGGED * size
    return ordered[-2] if sum(1 for end in ends if end > near) >= _MOST * len(ends) else None
