"""The glyphs of a PDF page with the letters they stand for."""

from __future__ import annotations

import ctypes
import unicodedata
from dataclasses import dataclass, replace

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.lines import loose_box

_SAME_PLACE = 0.01
_LAM = "\u0644"
_ALEFS = frozenset("\u0622\u0623\u0625\u0627\u0671")
_TATWEEL = "\u0640"
_BIDI_CONTROLS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NOISE = frozenset("\ufffe\uffff\ufffd\x00")


@dataclass(frozen=True)
class Glyph:
    """One drawn shape: its letters in reading order, its cell in points, and its number in PDFium's order."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    order: int

    @property
    def centre(self) -> float:
        """The middle of its cell from left to right."""
        return (self.left + self.right) / 2

    def with_text(self, text: str) -> Glyph:
        """The same shape standing for other letters."""
        return replace(self, text=text)


@dataclass(frozen=True)
class GlyphRun:
    """The glyphs of one stretch of text; combining marks apart; and the places of spaces without width, by
    their number in PDFium's order."""

    glyphs: list[Glyph]
    marks: list[Glyph]
    empty_spaces: dict[int, float]


def is_rtl(char: str) -> bool:
    """Whether a character is a strong right-to-left letter."""
    return unicodedata.bidirectional(char) in ("AL", "R")


def read_glyphs(textpage: pypdfium2.PdfTextPage, points: list[int], start: int, end: int, *, turned: bool) -> GlyphRun:
    """The glyphs drawn for the characters [start, end).

    `turned` says that the letters of ligatures come the wrong way round. Spaces that PDFium made up are left out:
    distances tell where words end.
    """
    raw = textpage.raw
    glyphs: list[Glyph] = []
    marks: list[Glyph] = []
    empty: dict[int, float] = {}
    last_place = (float("nan"), float("nan"))
    for index in range(start, end):
        char = _folded(chr(points[index]))
        if char in _NOISE or char in _BIDI_CONTROLS or pdfium.FPDFText_IsGenerated(raw, index):
            continue
        left, bottom, right, top = loose_box(textpage, index)
        if char.isspace() and right - left < _SAME_PLACE:
            empty[index] = left
            continue
        place = _origin(textpage, index)
        same = abs(place[0] - last_place[0]) < _SAME_PLACE and abs(place[1] - last_place[1]) < _SAME_PLACE
        last_place = place
        if same and glyphs and is_rtl(char[0]) and glyphs[-1].text and is_rtl(glyphs[-1].text[0]):
            before = glyphs[-1].text
            glyphs[-1] = glyphs[-1].with_text(char + before if turned else before + char)
            continue
        glyph = Glyph("" if char == _TATWEEL else char, left, right, bottom, top, index)
        (marks if unicodedata.category(char[0]) == "Mn" else glyphs).append(glyph)
    return GlyphRun(glyphs, marks, empty)


def ligatures_are_turned(textpage: pypdfium2.PdfTextPage, points: list[int]) -> bool:
    """Whether the letters of the page's ligatures come the wrong way round.

    The letters of a ligature share one place. Where the font gives them one by one, PDFium turns them around with
    the rest of a right-to-left stretch; where it gives one presentation form, it does not. Lam and alef tell: only
    in this order do they form a ligature.
    """
    votes = 0
    for index in range(len(points) - 1):
        pair = chr(points[index]), chr(points[index + 1])
        if _LAM in pair and not _ALEFS.isdisjoint(pair) and _origin(textpage, index) == _origin(textpage, index + 1):
            votes += 1 if pair[1] == _LAM else -1
    return votes >= 0


def _origin(textpage: pypdfium2.PdfTextPage, index: int) -> tuple[float, float]:
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(textpage.raw, index, x, y)
    return x.value, y.value


def _folded(char: str) -> str:
    """Presentation forms as the letters they present; everything else as it is."""
    if "\ufb50" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufefe":
        return unicodedata.normalize("NFKC", char).strip() or char
    return char
