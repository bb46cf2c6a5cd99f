"""The places on a PDF page as it is displayed, whatever its boxes and its rotation are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import pypdfium2

Edges: TypeAlias = tuple[float, float, float, float]
"""A rectangle: left, bottom, right, top, in points."""


@dataclass(frozen=True)
class PageSpace:
    """A page's visible area in its own coordinates, and the quarter turns (clockwise) by which it is displayed."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int = 0

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> PageSpace:
        """The space of a page: its crop box, or the media box where it has none."""
        left, bottom, right, top = page.get_bbox()
        return cls(
            min(left, right), min(bottom, top), max(left, right), max(bottom, top), page.get_rotation() // 90 % 4
        )

    @property
    def width(self) -> float:
        """How wide the page is displayed, in points."""
        return self.top - self.bottom if self.turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """How high the page is displayed, in points."""
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    def turned(self, turns: int) -> PageSpace:
        """The same area, displayed with `turns` quarter turns instead of its own."""
        return PageSpace(self.left, self.bottom, self.right, self.top, turns % 4)

    def place(self, left: float, bottom: float, right: float, top: float) -> Edges:
        """A box in the page's coordinates as displayed: left, bottom, right, top, from the lower left corner."""
        if self.turns == 1:
            return bottom - self.bottom, self.right - right, top - self.bottom, self.right - left
        if self.turns == 2:
            return self.right - right, self.top - top, self.right - left, self.top - bottom
        if self.turns == 3:
            return self.top - top, left - self.left, self.top - bottom, right - self.left
        return left - self.left, bottom - self.bottom, right - self.left, top - self.bottom
