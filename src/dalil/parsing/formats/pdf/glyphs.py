"""The glyphs of right-to-left text with the letters they stand for."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from dalil.parsing.formats.pdf.characters import Characters
from dalil.parsing.formats.pdf.folding import folded, needs_folding
from dalil.parsing.formats.pdf.space import Edges, PageSpace

_SAME_PLACE = 0.01
_LAM = "\u0644"
_ALEFS = frozenset("\u0622\u0623\u0625\u0627\u0671")
_TATWEEL = "\u0640"
_UNREADABLE = "\ufffd"


@dataclass(slots=True)
class Glyph:
    """One drawn shape: its letters in reading order, its cell in points, and its number in PDFium's order."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    order: int

    @property
    def centre(self) -> float:
        """The middle of its cell from left to right."""
        return (self.left + self.right) / 2


@dataclass(frozen=True, slots=True)
class GlyphRun:
    """The glyphs of one stretch of text; combining marks apart; and the places of spaces without width, by
    their number in PDFium's order."""

    glyphs: list[Glyph]
    marks: list[Glyph]
    empty_spaces: dict[int, float]


def is_rtl(char: str) -> bool:
    """Whether a character is a strong right-to-left letter."""
    return unicodedata.bidirectional(char) in ("AL", "R")


def read_glyphs(characters: Characters, start: int, end: int, space: PageSpace, *, turned: bool) -> GlyphRun:
    """The glyphs drawn for the characters [start, end), in the coordinates of `space`.

    `turned` says that the letters of ligatures come the wrong way round. Spaces that PDFium made up are left out:
    distances tell where words end.
    """
    glyphs: list[Glyph] = []
    marks: list[Glyph] = []
    empty: dict[int, float] = {}
    box, place = characters.box, space.place
    last, before = (0.0, 0.0, 0.0, 0.0), ""
    for index, char in enumerate(characters.text[start:end], start):
        if char.isspace():
            if characters.is_made_up(index):
                continue
            edges = place(*box(index))
            if edges[2] - edges[0] < _SAME_PLACE:
                empty[index] = edges[0]
            else:
                last = edges
                glyphs.append(Glyph(" ", *edges, index))
            continue
        text = folded(char) if needs_folding(char) else char
        if not text or text == _UNREADABLE:
            continue
        edges = place(*box(index))
        same = edges == last
        if not same and _is_lam_alef(before, text):
            pen = characters.origin(index)
            same = pen == characters.origin(index - 1)
            edges = (min(edges[0], place(*pen, *pen)[0]), *edges[1:]) if same else edges
        last, before = edges, text
        if same and glyphs and is_rtl(text[0]) and glyphs[-1].text and is_rtl(glyphs[-1].text[0]):
            _extend(glyphs[-1], text, edges, turned=turned)
            continue
        glyph = Glyph("" if text == _TATWEEL else text, *edges, index)
        (marks if unicodedata.category(text[0]) == "Mn" else glyphs).append(glyph)
    return GlyphRun(glyphs, marks, empty)


def _extend(glyph: Glyph, text: str, edges: Edges, *, turned: bool) -> None:
    """Adds a letter to the ligature that it is part of."""
    glyph.text = text + glyph.text if turned else glyph.text + text
    glyph.left, glyph.right = min(glyph.left, edges[0]), max(glyph.right, edges[2])


def _is_lam_alef(one: str, other: str) -> bool:
    return (one == _LAM and other in _ALEFS) or (other == _LAM and one in _ALEFS)


def ligatures_are_turned(characters: Characters) -> bool:
    """Whether the letters of the page's ligatures come the wrong way round.

    The letters of a ligature share one place. Where the font gives them one by one, PDFium turns them around with
    the rest of a right-to-left stretch; where it gives one presentation form, it does not. Lam and alef tell: only
    in this order do they form a ligature.
    """
    votes = 0
    text = characters.text
    for index in range(len(text) - 1):
        pair = text[index : index + 2]
        if _is_lam_alef(*pair) and characters.origin(index) == characters.origin(index + 1):
            votes += 1 if pair[1] == _LAM else -1
    return votes >= 0
