"""Warnings as people read them: what is said of many pages is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_PAGE = re.compile(r"page (\d+) (.*)", re.DOTALL)
_SHARE = re.compile(r"\((\d\.\d\d)\)")


def grouped(warnings: Iterable[str]) -> list[str]:
    """The same warnings in their order, those that say the same of several pages as one.

    "page 2 has no text" and "page 3 has no text" become "pages 2-3: has no text".
    """
    groups: dict[str, list[tuple[int, str]]] = {}
    for warning in warnings:
        found = _PAGE.fullmatch(warning)
        what = _SHARE.sub("()", found[2]) if found else warning
        groups.setdefault(what, []).append((int(found[1]) if found else 0, warning))
    return [_told(what, group) for what, group in groups.items()]


def _told(what: str, group: Sequence[tuple[int, str]]) -> str:
    pages = sorted({page for page, _ in group})
    if len(pages) == 1:
        return group[0][1]
    shares = sorted(share for _, warning in group for share in _SHARE.findall(warning))
    if shares:
        what = what.replace("()", f"({shares[0]} to {shares[-1]})")
    return f"pages {_ranges(pages)}: {what}"


def _ranges(pages: Sequence[int]) -> str:
    """[1, 2, 3, 7] as "1-3, 7"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
