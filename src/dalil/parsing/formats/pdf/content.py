"""What is read of one page: its lines and tables in reading order, before the whole document is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from dalil.models import PageLayout
from dalil.parsing.formats.pdf.layout import ImageCoverage
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.tables import FoundTable


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table in the page turned by `turns` quarter turns (clockwise) so that its words stand upright."""

    table: FoundTable
    turns: int = 0


Part: TypeAlias = Line | PlacedTable
"""A line or a table, as they follow each other on a page."""


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page: its size in points as it is displayed, its lines and tables, and its pictures.

    `turns` are the quarter turns by which the page is displayed; `upright_turns` those that set most of its text
    upright. `is_scan` says that the page is a picture whose text, if any, cannot be seen; `hidden`, what hidden text
    was left out. A page that `is_blank` shows nothing at all. `label` is the page's printed number. `headings` are the
    levels of those that the page's tags name, by their `heading_key`.
    """

    width: float
    height: float
    turns: int
    upright_turns: int
    parts: tuple[Part, ...]
    coverage: ImageCoverage
    is_blank: bool = False
    is_scan: bool = False
    hidden: str = ""
    label: str = ""
    headings: Mapping[str, int] = field(default_factory=dict)

    @property
    def lines(self) -> list[Line]:
        """The lines that are in no table."""
        return [part for part in self.parts if isinstance(part, Line)]

    @property
    def upright_height(self) -> float:
        """How high the page is, in points, when most of its text stands upright."""
        return self.width if (self.upright_turns - self.turns) % 2 else self.height

    def layout(self, text_chars: int) -> PageLayout:
        """What the page is made of, with its readable characters counted by the caller."""
        return PageLayout(text_chars, self.coverage.ratio, self.coverage.area)
