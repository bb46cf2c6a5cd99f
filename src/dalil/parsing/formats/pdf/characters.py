"""The characters of a PDF page: their text, and where and how each of them is drawn."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Collection

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.space import Edges

HYPHEN = "\ufffe"
"""Stands in the text where a hyphen ends a line."""

NOTHING = "\x00"
"""Stands in the text for a character that is not to be read."""

_VISIBLE = re.compile(r"[^\s\x00]")
_NOT_A_HYPHEN = re.compile(HYPHEN)
_FONT_NAME_BYTES = 128
_BOLD_WEIGHT = 600
_BOLD_NAME = re.compile(rb"bold|black|heavy", re.I)
_QUARTER = 1.5707963


class Characters:
    """The characters of one page. `text` has one code point for each number that PDFium gives a character."""

    def __init__(self, textpage: pypdfium2.PdfTextPage) -> None:
        self._raw = textpage.raw
        self._rectangle = pdfium.FS_RECTF()
        self._name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        self._flags = ctypes.c_int()
        self._origin = (ctypes.c_double(), ctypes.c_double())
        self._matrix = pdfium.FS_MATRIX()
        self.text = self._read(textpage.count_chars())

    @property
    def points(self) -> list[int]:
        """The code points of the text."""
        return list(map(ord, self.text))

    def _read(self, count: int) -> str:
        """All characters by one call, or one by one where they are no sequence of whole code points."""
        units = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self._raw, 0, count, units) if count else 0
        text = bytes(units)[: 2 * max(0, written - 1)].decode("utf-16-le", "replace")
        if len(text) != count:
            get = pdfium.FPDFText_GetUnicode
            points = (get(self._raw, index) for index in range(count))
            text = "".join(chr(point) if point <= 0x10FFFF else NOTHING for point in points).replace("\x02", HYPHEN)
        if HYPHEN in text:
            text = _NOT_A_HYPHEN.sub(lambda match: HYPHEN if self._is_hyphen(match.start()) else NOTHING, text)
        return text

    def hide(self, hidden: Collection[int]) -> None:
        """Leaves characters out, by their numbers."""
        if hidden:
            self.text = "".join(
                " " if index in hidden and char not in "\r\n" else char for index, char in enumerate(self.text)
            )

    def _is_hyphen(self, index: int) -> bool:
        return bool(pdfium.FPDFText_IsHyphen(self._raw, index) == 1)

    def is_made_up(self, index: int) -> bool:
        """Whether PDFium put the character there by itself, as it does with spaces."""
        return bool(pdfium.FPDFText_IsGenerated(self._raw, index) == 1)

    def box(self, index: int) -> Edges:
        """Left, bottom, right, top of a character's cell in the page's own coordinates.

        A cell is as wide as the character advances, and as high as its font.
        """
        rectangle = self._rectangle
        pdfium.FPDFText_GetLooseCharBox(self._raw, index, rectangle)
        return rectangle.left, rectangle.bottom, rectangle.right, rectangle.top

    def origin(self, index: int) -> tuple[float, float]:
        """Where a character's pen starts, in the page's own coordinates."""
        x, y = self._origin
        pdfium.FPDFText_GetCharOrigin(self._raw, index, x, y)
        return x.value, y.value

    def visible(self, start: int, end: int, share: float) -> int:
        """A character of [start, end) that is no space, as far through the stretch as `share` (0 to 1) says."""
        middle = start + int(share * (end - start))
        if middle < end and (seen := _VISIBLE.search(self.text, middle, end)):
            return seen.start()
        for index in range(min(middle, end) - 1, start - 1, -1):
            if _VISIBLE.match(self.text[index]):
                return index
        return start

    def size(self, index: int) -> float:
        """The size of a character's type in points, as it is drawn."""
        matrix = self._matrix
        size = float(pdfium.FPDFText_GetFontSize(self._raw, index))
        if pdfium.FPDFText_GetMatrix(self._raw, index, matrix):
            size *= math.hypot(matrix.c, matrix.d)
        return size

    def turns(self, start: int, end: int) -> int:
        """How many quarter turns (clockwise) the page must be turned for the characters [start, end) to stand upright.

        They are a line; the one in its middle tells.
        """
        index = self.visible(start, end, 0.5)
        angle = pdfium.FPDFText_GetCharAngle(self._raw, index)
        return int(-round(max(0.0, angle) / _QUARTER) % 4)

    def is_bold(self, index: int) -> bool:
        """Whether the character's font says that it is bold."""
        if pdfium.FPDFText_GetFontWeight(self._raw, index) >= _BOLD_WEIGHT:
            return True
        pdfium.FPDFText_GetFontInfo(self._raw, index, self._name, _FONT_NAME_BYTES, self._flags)
        return bool(_BOLD_NAME.search(self._name.value))
