"""Text that a page holds but does not show: white on white, tiny, transparent, never painted, or off the page.

Such text is written for machines, not for readers: to be found by them, or to give them orders. The text that OCR
lays over a scan is not painted either, but a reader sees its words in the picture; so is the text that some programs
lay over signs they draw.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.ink import PageInk
from dalil.parsing.formats.pdf.space import PageSpace

_STEP = 6
_SMALLEST_TYPE = 1.5
_NORMAL_PAGE = 600.0
_FAINTEST = 12
_LIGHTEST = 245
_LESS_THAN_LIGHT = 10
_BACKGROUND = 0.25
_CONTRAST = 60
_LONGEST_WORD = 40
_PAINTS_FILL = frozenset((0, 2, 4, 6))
_PAINTS_STROKE = frozenset((1, 2, 5, 6))
_NEVER_PAINTED = 3

_WHITE, _TINY, _TRANSPARENT, _UNPAINTED, _OUTSIDE = "white", "tiny", "transparent", "not painted", "off the page"


@dataclass(frozen=True)
class HiddenText:
    """The characters to leave out, by their numbers on the page, how many of them are no space, and why each kind
    cannot be seen ("white", "tiny", "transparent", "not painted", "off the page")."""

    characters: frozenset[int] = frozenset()
    count: int = 0
    reasons: tuple[str, ...] = ()

    def warning(self, number: int) -> str | None:
        """What to say about page `number`, or None where nothing is hidden."""
        if not self.characters:
            return None
        return f"page {number} holds hidden text ({self.count} characters: {', '.join(self.reasons)}), left out"


NOTHING_HIDDEN = HiddenText()


class _Cell(NamedTuple):
    """A character's number, its cell in the page's coordinates, and why it might be hidden."""

    number: int
    left: float
    bottom: float
    right: float
    top: float
    reason: str


def hidden_text(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, points: Sequence[int], *, scanned: bool
) -> HiddenText:
    """Which of a page's characters (`points`, in PDFium's order) nobody can see.

    On a page that is `scanned`, text that is not painted is what OCR read there. One character in six is looked at;
    where one is suspect, all are, and a picture of the page decides about those that might be seen after all.
    """
    look = _Look(page, textpage, points, scanned=scanned)
    if not any(look.reason_of(index) for index in range(0, len(points), _STEP)):
        return NOTHING_HIDDEN
    cells = look.cells()
    seen = _centres([cell for cell in cells if not cell.reason])
    ink = PageInk(page, look.space)
    hidden = [word for word in _words(cells) if _is_hidden(word, points, ink, seen)]
    reasons = dict.fromkeys(word[0].reason for word in hidden)
    numbers = [cell.number for word in hidden for cell in word]
    between = [
        number
        for before, after in pairwise(numbers)
        for number in range(before + 1, after)
        if all(_is_space(points[place]) for place in range(before + 1, after))
    ]
    return HiddenText(frozenset(numbers + between), len(numbers), tuple(reasons))


def _is_space(point: int) -> bool:
    return point <= 0x20 or point == 0xA0


class _Look:
    """Asks PDFium about characters, and once about each text object, however many characters it has."""

    def __init__(
        self, page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, points: Sequence[int], *, scanned: bool
    ) -> None:
        self.space = PageSpace.of(page)
        self._textpage = textpage.raw
        self._points = points
        self._scanned = scanned
        self._paint: dict[int, str] = {}
        self._box = pdfium.FS_RECTF()
        self._channels = tuple(ctypes.c_uint() for _ in range(4))
        self._edges = tuple(ctypes.c_double() for _ in range(4))
        self._smallest = _SMALLEST_TYPE * min(1.0, max(self.space.width, self.space.height) / _NORMAL_PAGE)

    def reason_of(self, number: int) -> str:
        """Why the character might be hidden, or an empty string. Its cell is in the box afterwards."""
        if _is_space(self._points[number]):
            return ""
        item = pdfium.FPDFText_GetTextObject(self._textpage, number)
        if not item:
            return ""
        address = ctypes.addressof(item.contents)
        reason = self._paint.get(address)
        if reason is None:
            reason = self._paint[address] = self._reason_of_paint(item)
        box, space = self._box, self.space
        pdfium.FPDFText_GetLooseCharBox(self._textpage, number, box)
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        if reason and self._scanned:
            return ""
        if right < space.left or left > space.right or top < space.bottom or bottom > space.top:
            return _OUTSIDE
        if min(top - bottom, right - left) < 2 * self._smallest and self._is_tiny(number):
            return _TINY
        return reason

    def cells(self) -> list[_Cell]:
        """Every character but spaces."""
        cells: list[_Cell] = []
        for number, point in enumerate(self._points):
            if not _is_space(point):
                reason = self.reason_of(number)
                cells.append(_Cell(number, self._box.left, self._box.bottom, self._box.right, self._box.top, reason))
        return cells

    def _is_tiny(self, number: int) -> bool:
        """Whether the type is too small or too flat to be seen.

        Fonts that draw bitmaps may give sizes that mean nothing, so the shape must be as low.
        """
        matrix = pdfium.FS_MATRIX()
        if not pdfium.FPDFText_GetMatrix(self._textpage, number, matrix):
            return False
        size = pdfium.FPDFText_GetFontSize(self._textpage, number) * math.hypot(matrix.c, matrix.d)
        if size >= self._smallest:
            return False
        left, right, bottom, top = self._edges
        pdfium.FPDFText_GetCharBox(self._textpage, number, left, right, bottom, top)
        upright = abs(matrix.a) >= abs(matrix.b)
        height = top.value - bottom.value if upright else right.value - left.value
        return bool(0 < height < self._smallest)

    def _reason_of_paint(self, item: Any) -> str:
        """Why a text object might not be seen, from how it is painted."""
        mode = pdfium.FPDFTextObj_GetTextRenderMode(item)
        if mode == _NEVER_PAINTED:
            return _UNPAINTED
        reason = self._reason_of_colour(pdfium.FPDFPageObj_GetFillColor, item) if mode in _PAINTS_FILL else ""
        if mode in _PAINTS_STROKE and (reason or mode not in _PAINTS_FILL):
            return self._reason_of_colour(pdfium.FPDFPageObj_GetStrokeColor, item)
        return reason

    def _reason_of_colour(self, get: Callable[..., int], item: Any) -> str:
        red, green, blue, alpha = self._channels
        if not get(item, red, green, blue, alpha):
            return ""
        if alpha.value <= _FAINTEST:
            return _TRANSPARENT
        return _WHITE if min(red.value, green.value, blue.value) >= _LIGHTEST else ""


def _words(cells: Sequence[_Cell]) -> Iterator[list[_Cell]]:
    """Suspect characters by the word: neighbours that are suspect for one reason."""
    word: list[_Cell] = []
    for cell in cells:
        goes_on = word and cell.number == word[-1].number + 1 and cell.reason == word[0].reason
        if word and (not goes_on or len(word) >= _LONGEST_WORD):
            yield word
            word = []
        if cell.reason:
            word.append(cell)
    if word:
        yield word


def _centres(cells: Sequence[_Cell]) -> Any:
    """The middles of characters: an array of x and y."""
    import numpy

    middles = [((cell.left + cell.right) / 2, (cell.bottom + cell.top) / 2) for cell in cells]
    return numpy.array(middles, dtype=float).reshape(-1, 2)


def _is_hidden(word: Sequence[_Cell], points: Sequence[int], ink: PageInk, seen: Any) -> bool:
    reason = word[0].reason
    if reason == _TINY:
        # Dots and strokes are low in any type.
        return any(chr(points[cell.number]).isalnum() for cell in word)
    if reason == _OUTSIDE:
        return True
    if reason == _WHITE:
        return _has_light_background(word, ink)
    return not _is_drawn_otherwise(word, ink, seen)


def _has_light_background(word: Sequence[_Cell], ink: PageInk) -> bool:
    """Whether light text has nothing dark behind it. A line under it, or its neighbours, are no background."""
    dark = total = 0
    for cell in word:
        greys = ink.greys(*cell[1:5])
        dark += int((greys < _LIGHTEST - _LESS_THAN_LIGHT).sum())
        total += greys.size
    return dark < _BACKGROUND * total


def _is_drawn_otherwise(word: Sequence[_Cell], ink: PageInk, seen: Any) -> bool:
    """Whether something other than text shows where unpainted text stands: the signs that it spells."""
    shown = 0
    for cell in word:
        greys = ink.greys(*cell[1:5])
        x, y = seen[:, 0], seen[:, 1]
        covered = (x > cell.left) & (x < cell.right) & (y > cell.bottom) & (y < cell.top)
        shown += int(greys.max()) - int(greys.min()) > _CONTRAST and not covered.any()
    return shown > 0.8 * len(word)
