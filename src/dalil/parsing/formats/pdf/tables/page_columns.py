"""Pages set in columns: a table in one of them must not take in the text of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import ceil, floor, inf

from dalil.parsing.formats.pdf.tables.lines import TextLine

_PROSE = 4
_SHARE_OF_PROSE = 0.35
_FEWEST_LINES = 6
_FROM, _TO = 0.22, 0.78
_STEP = 3.0
_DEEPEST = 3
_FEWEST_BESIDE = 3


def blocks(
    lines: Sequence[TextLine], width: float, *, left: float = 0.0, depth: int = 0
) -> Iterator[Sequence[TextLine]]:
    """The lines of a page, or those of each of its columns of prose where it is set in columns."""
    gutter = _gutter(lines, left, width) if depth < _DEEPEST and len(lines) >= _FEWEST_LINES else None
    if gutter is None:
        yield lines
        return
    across: list[TextLine] = []
    beside: list[TextLine] = []
    for line in lines:
        if any(token.left < gutter < token.right for token in line.tokens) or _spans(line, gutter):
            yield from _split(beside, gutter, left, width, depth)
            beside = []
            across.append(line)
        else:
            if across:
                yield across
                across = []
            beside.append(line)
    yield from _split(beside, gutter, left, width, depth)
    if across:
        yield across


def _split(
    lines: Sequence[TextLine], gutter: float, left: float, width: float, depth: int
) -> Iterator[Sequence[TextLine]]:
    for start, end in ((left, gutter), (gutter, left + width)):
        half = [part for line in lines if (part := line.between(start, end))]
        if half:
            yield from blocks(half, end - start, left=start, depth=depth + 1)


def _spans(line: TextLine, gutter: float) -> bool:
    return any(unit.left < gutter < unit.right for unit in line.units)


def _gutter(lines: Sequence[TextLine], left: float, width: float) -> float | None:
    """A place with prose on both sides and a gap in most lines, or None."""
    start, steps = left + _FROM * width, int((_TO - _FROM) * width / _STEP)
    # How much more, at each step, lines have a gap there; and with prose before it, after it, on both sides.
    changes = [[0] * (steps + 2) for _ in range(4)]
    for line in lines:
        is_prose = [len(unit.tokens) >= _PROSE for unit in line.units]
        edges = [(-inf, left), *((unit.left, unit.right) for unit in line.units), (left + width, inf)]
        for index, ((_, end), (begin, _)) in enumerate(pairwise(edges)):
            first = max(0, ceil((end - start) / _STEP))
            last = min(steps, floor((begin - start) / _STEP))
            if first > last:
                continue
            on_left, on_right = any(is_prose[:index]), any(is_prose[index:])
            for change, counts in zip(changes, (True, on_left, on_right, on_left and on_right), strict=True):
                change[first] += counts
                change[last + 1] -= counts
    free, before, after, both = (list(accumulate(change))[:-1] for change in changes)
    best = max(range(steps + 1), key=lambda step: both[step], default=0)
    needed = max(_FEWEST_LINES / 2, _SHARE_OF_PROSE * free[best])
    if both[best] < _FEWEST_BESIDE or min(before[best], after[best]) < needed:
        return None
    last = best
    while last < steps and both[last + 1] == both[best]:
        last += 1
    return start + (best + last) / 2 * _STEP
