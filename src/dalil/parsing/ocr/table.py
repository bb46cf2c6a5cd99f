"""Tesseract's table of words: one row each, with its place in pixels and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dalil.parsing.characters import clean

_WORD_LEVEL = "5"
_COLUMNS = 12
_BIDI_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Word(NamedTuple):
    """A word, the paragraph and line it stands on, its edges in pixels from the top left, its confidence (0 to 1)."""

    text: str
    paragraph: tuple[int, int]
    line: tuple[int, int, int]
    left: int
    top: int
    right: int
    bottom: int
    confidence: float


def words_of(table: str) -> Iterator[Word]:
    """The words of a TSV table, in reading order; Arabic ones are in logical order as Tesseract writes them."""
    for row in table.split("\n"):
        cells = row.rstrip("\r").split("\t")
        if len(cells) != _COLUMNS or cells[0] != _WORD_LEVEL:
            continue
        text = _BIDI_CONTROLS.sub("", clean(cells[11])).strip()
        if not text:
            continue
        block, paragraph, line = int(cells[2]), int(cells[3]), int(cells[4])
        left, top, width, height = (int(cell) for cell in cells[6:10])
        yield Word(
            text,
            (block, paragraph),
            (block, paragraph, line),
            left,
            top,
            left + width,
            top + height,
            min(1.0, max(0.0, float(cells[10]) / 100)),
        )
