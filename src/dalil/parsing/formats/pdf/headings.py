"""Telling the headings of one page: those that the file names, and those that look like headings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalil.parsing.formats.pdf.heading_keys import named_level
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.margins import PageMargins
from dalil.parsing.formats.pdf.typography import Typography


class PageHeadings:
    """The headings of a page: its bookmarks and tags tell first, the type of its lines after them.

    `named` are the levels of named headings by their `heading_key`.
    """

    def __init__(self, named: Mapping[str, int], typography: Typography, margins: PageMargins) -> None:
        self._named = named
        self._typography = typography
        self._margins = margins

    def is_named(self, line: Line) -> bool:
        """Whether the file names exactly this line as a heading."""
        return bool(self._named) and named_level(self._named, line.text) is not None

    def level(self, block: Sequence[Line], position: int) -> int | None:
        """The level (from 1) of a block that begins with the page's line number `position`, or None if it is none."""
        level = named_level(self._named, " ".join(line.text for line in block))
        if level is not None:
            return level
        alone = self._margins.stands_alone(block, position)
        return self._typography.heading_level(block, stands_alone=alone)
