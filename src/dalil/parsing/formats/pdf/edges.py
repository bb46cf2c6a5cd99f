"""The rows of lines at the edges of a page."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from dalil.parsing.formats.pdf.lines import Line

_EDGE = 0.2
_BIN = 3.0
_DISTANCE = 0.75
_WIDER_PITCH = 1.15
_SAME_ROW = 0.5


class Row(NamedTuple):
    """Lines side by side, by their places among the page's lines; how far they reach; and where that is at the edge.

    What is no line is a row without members. `bins` are the rounded distance from the edge, and its neighbours.
    """

    members: tuple[int, ...]
    bottom: float
    top: float
    at_top: bool
    near_edge: bool
    bins: tuple[int, int, int]


def rows_of(
    lines: Sequence[Line], height: float, others: Sequence[tuple[float, float]] = (), *, at_top: bool
) -> list[Row]:
    """The rows of a page, from one of its edges inwards."""
    pieces = [(line.top, line.bottom, (place,)) for place, line in enumerate(lines)]
    rows: list[Row] = [_row((), bottom, top, height, at_top) for bottom, top in others]
    members: tuple[int, ...] = ()
    bottom = top = 0.0
    for line_top, line_bottom, place in sorted(pieces, reverse=True):
        overlap = min(top, line_top) - max(bottom, line_bottom)
        if members and overlap > _SAME_ROW * min(top - bottom, line_top - line_bottom):
            members += place
            bottom = min(bottom, line_bottom)
            continue
        if members:
            rows.append(_row(members, bottom, top, height, at_top))
        members, bottom, top = place, line_bottom, line_top
    if members:
        rows.append(_row(members, bottom, top, height, at_top))
    return sorted(rows, key=lambda row: -row.top if at_top else row.bottom)


def _row(members: tuple[int, ...], bottom: float, top: float, height: float, at_top: bool) -> Row:
    distance = height - top if at_top else bottom
    bin_ = round(distance / _BIN)
    return Row(members, bottom, top, at_top, distance <= _EDGE * height, (bin_, bin_ - 1, bin_ + 1))


def usual_pitch(rows: Sequence[Row]) -> float:
    """The distance of a row to the next, from top to top, that a third of the rows stay within; 0 where few tell."""
    pitches = sorted(abs(one.top - other.top) for one, other in pairwise(rows))
    return pitches[(len(pitches) - 1) // 3] if len(pitches) > 1 else 0.0


def stands_apart(outer: Row, inner: Row, pitch: float) -> bool:
    """Whether there is more between two rows than between lines of text."""
    gap = max(outer.bottom - inner.top, inner.bottom - outer.top)
    return gap >= _DISTANCE * (outer.top - outer.bottom) and abs(outer.top - inner.top) >= _WIDER_PITCH * pitch
