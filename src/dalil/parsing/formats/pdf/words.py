"""Words of a PDF page, where they are displayed."""

from __future__ import annotations

from typing import NamedTuple


class Word(NamedTuple):
    """One word (no white space in it): its text in reading order and its box in points.

    The box is that of the page as displayed (see `PageSpace`): from its lower left corner, y growing upwards.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
