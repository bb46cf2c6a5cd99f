"""What a page looks like, where only its picture can tell."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import pypdfium2

from dalil.parsing.formats.pdf.space import PageSpace

_MOST_PIXELS = 1_000_000
_MOST_PIXELS_A_SIDE = 8_000
_LARGEST_SCALE = 1.5


class PageInk:
    """The greys of a page at a low resolution: its picture is made when it is first asked about."""

    def __init__(self, page: pypdfium2.PdfPage, space: PageSpace) -> None:
        self._page = page
        self._space = space
        width, height = max(space.width, 1.0), max(space.height, 1.0)
        self._scale = min(
            _LARGEST_SCALE, math.sqrt(_MOST_PIXELS / (width * height)), _MOST_PIXELS_A_SIDE / max(width, height)
        )

    def greys(self, left: float, bottom: float, right: float, top: float) -> Any:
        """The grey levels (0 is black, 255 white) in a box of the page's own coordinates: an array, 1 x 1 at least."""
        left, bottom, right, top = self._space.place(left, bottom, right, top)
        rows, columns = self._picture.shape
        first_row, last_row = self._pixels(self._space.height - top, self._space.height - bottom, rows)
        first_column, last_column = self._pixels(left, right, columns)
        return self._picture[first_row:last_row, first_column:last_column]

    def _pixels(self, start: float, end: float, count: int) -> tuple[int, int]:
        first = min(max(0, math.floor(start * self._scale)), count - 1)
        return first, min(max(first + 1, math.ceil(end * self._scale)), count)

    @cached_property
    def _picture(self) -> Any:
        bitmap = self._page.render(scale=self._scale, grayscale=True, may_draw_forms=False)
        try:
            return bitmap.to_numpy().reshape(bitmap.height, bitmap.width).copy()
        finally:
            bitmap.close()
