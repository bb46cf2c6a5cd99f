"""The order of lines inside a column: as the file draws them, put right where that cannot be the reading order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dalil.parsing.formats.pdf.order.extents import Extent

_SAME_ROW = 0.5
_TOUCH = 0.3
_MOST_RUNS = 120


def in_sequence(lines: Sequence[Extent], *, right_to_left: bool) -> list[Extent]:
    """The lines of one column in reading order.

    Files draw most lines in the order in which they are read. Where a line stands above the one before it, a new run
    begins; runs are then set one after the other: what is higher first, and side by side from the left, or from the
    right on right-to-left pages.
    """
    runs = _runs(lines, right_to_left)
    if len(runs) == 1:
        return list(lines)
    if len(runs) <= _MOST_RUNS:
        runs = [part for run in runs for part in _broken(run, runs)]
    if len(runs) > _MOST_RUNS:
        return sorted(lines, key=lambda line: (-line.top, line.left))
    return [line for run in _sorted(runs, right_to_left) for line in run]


def _runs(lines: Sequence[Extent], right_to_left: bool) -> list[list[Extent]]:
    runs: list[list[Extent]] = []
    for line in lines:
        if runs and _goes_on(runs[-1][-1], line, right_to_left):
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def _goes_on(before: Extent, line: Extent, right_to_left: bool) -> bool:
    if _in_one_row(before, line):
        further = line.left + line.right > before.left + before.right
        return further != right_to_left
    return line.top + line.bottom < before.top + before.bottom


def _in_one_row(first: Extent, second: Extent) -> bool:
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    return overlap > _SAME_ROW * min(first.top - first.bottom, second.top - second.bottom)


def _broken(run: list[Extent], runs: Sequence[list[Extent]]) -> list[list[Extent]]:
    """A run, broken where another one stands between two of its lines, or beside one of them with its only line."""
    parts = [[run[0]]]
    others = [(_top(other), _bottom(other), len(other) == 1) for other in runs if other is not run]
    for above, below in pairwise(run):
        between = any(
            (
                top <= above.bottom + _SAME_ROW * (above.top - above.bottom)
                and bottom >= below.top - _SAME_ROW * (below.top - below.bottom)
            )
            or (single and (_beside(above, bottom, top) or _beside(below, bottom, top)))
            for top, bottom, single in others
        )
        if between:
            parts.append([below])
        else:
            parts[-1].append(below)
    return parts


def _beside(line: Extent, bottom: float, top: float) -> bool:
    return min(line.top, top) - max(line.bottom, bottom) > _SAME_ROW * min(line.top - line.bottom, top - bottom)


def _top(run: Sequence[Extent]) -> float:
    return max(line.top for line in run)


def _bottom(run: Sequence[Extent]) -> float:
    return min(line.bottom for line in run)


def _sorted(runs: list[list[Extent]], right_to_left: bool) -> list[list[Extent]]:
    """Runs so that none stands before one that must be read first; otherwise as they came."""
    waiting = [
        {place for place, other in enumerate(runs) if other is not run and _comes_first(other, run, right_to_left)}
        for run in runs
    ]
    remaining = list(range(len(runs)))
    ordered: list[list[Extent]] = []
    while remaining:
        left = set(remaining)
        chosen = next((place for place in remaining if not waiting[place] & left), remaining[0])
        remaining.remove(chosen)
        ordered.append(runs[chosen])
    return ordered


def _comes_first(first: Sequence[Extent], second: Sequence[Extent], right_to_left: bool) -> bool:
    top, bottom = _top(first), _bottom(first)
    other_top, other_bottom = _top(second), _bottom(second)
    height = min(first[0].top - first[0].bottom, second[0].top - second[0].bottom)
    if min(top, other_top) - max(bottom, other_bottom) <= _SAME_ROW * height:
        left, right = min(line.left for line in first), max(line.right for line in first)
        apart = right < min(line.left for line in second) or left > max(line.right for line in second)
        return not apart and top > other_top
    votes = 0
    for line in first:
        for other in second:
            if _in_one_row(line, other):
                if line.right <= other.left + _TOUCH * height:
                    votes += 1
                elif other.right <= line.left + _TOUCH * height:
                    votes -= 1
    if votes:
        return votes < 0 if right_to_left else votes > 0
    return False
