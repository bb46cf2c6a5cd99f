"""Lines of a PDF page as PDFium orders them, with their place and their type."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, replace

import pypdfium2
import pypdfium2.raw as pdfium

_LINE_END = frozenset((0x0D, 0x0A))
_HYPHEN = 0x02
_FONT_NAME_BYTES = 128
_BOLD_WEIGHT = 600
_SAME_LINE = 0.6
_OVERLAP = 0.3
_WORD_GAP = 0.08
_INDEX_SIZE = 0.85
_INDEX_OVERLAP = 0.2
_LONGEST_INDEX = 6


@dataclass(frozen=True)
class Line:
    """One line: its text, its box in points (y grows upwards), the height of its type, and whether it is bold.

    `hyphenated` says that its last word goes on in the next line; `ends_in_index`, that it ends in small raised or
    lowered type.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool = False
    hyphenated: bool = False
    ends_in_index: bool = False


def code_points(textpage: pypdfium2.PdfTextPage) -> list[int]:
    """The code points of the page's text, in PDFium's order."""
    get = pdfium.FPDFText_GetUnicode
    raw = textpage.raw
    return [get(raw, index) for index in range(textpage.count_chars())]


def text_of(points: list[int]) -> str:
    """Code points as text; halves of surrogate pairs are put together."""
    text = "".join(map(chr, points))
    if any(0xD800 <= point < 0xE000 for point in points):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return text


def read_lines(
    textpage: pypdfium2.PdfTextPage, points: list[int], text_between: Callable[[int, int], str]
) -> list[Line]:
    """The lines of a page; pieces that stand side by side on one baseline are one line.

    `text_between` gives the text of the characters [start, end).
    """
    lines: list[Line] = []
    for start, end, hyphenated in line_ranges(points):
        line = _line(textpage, points, start, end)
        if line is None:
            continue
        line = replace(line, text=text_between(start, end).strip(), hyphenated=hyphenated)
        if lines and _side_by_side(lines[-1], line):
            lines[-1] = _joined(lines[-1], line)
        else:
            lines.append(line)
    return lines


def line_ranges(points: list[int]) -> list[tuple[int, int, bool]]:
    """Where each line starts and ends, and whether it ends in a hyphen that PDFium took for a word break."""
    found: list[tuple[int, int, bool]] = []
    start = 0
    for index, point in enumerate(points):
        if point in _LINE_END or point == _HYPHEN:
            found.append((start, index, point == _HYPHEN))
            start = index + 1
    found.append((start, len(points), False))
    return found


def _line(textpage: pypdfium2.PdfTextPage, points: list[int], start: int, end: int) -> Line | None:
    """A line without its text, measured at its first, middle and last visible character."""
    visible = [index for index in range(start, end) if points[index] > 0x20 and points[index] != 0xA0]
    if not visible:
        return None
    samples = (visible[0], visible[len(visible) // 2], visible[-1])
    boxes = [loose_box(textpage, index) for index in samples]
    heights = sorted(top - bottom for _, bottom, _, top in boxes)
    return Line(
        text="",
        left=min(box[0] for box in boxes),
        right=max(box[2] for box in boxes),
        bottom=min(box[1] for box in boxes),
        top=max(box[3] for box in boxes),
        size=heights[1],
        bold=all(is_bold(textpage, index) for index in samples[:2]),
    )


def loose_box(textpage: pypdfium2.PdfTextPage, index: int) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of a character's cell: as wide as it advances, as high as its font."""
    box = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(textpage.raw, index, box)
    return box.left, box.bottom, box.right, box.top


def is_bold(textpage: pypdfium2.PdfTextPage, index: int) -> bool:
    if pdfium.FPDFText_GetFontWeight(textpage.raw, index) >= _BOLD_WEIGHT:
        return True
    buffer = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(textpage.raw, index, buffer, _FONT_NAME_BYTES, flags)
    name = buffer.value.lower()
    return b"bold" in name or b"black" in name or b"heavy" in name


def _side_by_side(first: Line, second: Line) -> bool:
    """Whether the second piece goes on in the first one's line: beside it, or as an index above or below it."""
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    height = min(first.top - first.bottom, second.top - second.bottom)
    if height <= 0 or first.hyphenated:
        return False
    is_index = len(second.text) <= _LONGEST_INDEX and second.size < _INDEX_SIZE * first.size
    needed, allowed = (_INDEX_OVERLAP, 1.0) if is_index or first.ends_in_index else (_SAME_LINE, _OVERLAP)
    return overlap > needed * height and second.left >= first.right - allowed * height


def _joined(first: Line, second: Line) -> Line:
    is_index = second.size < _INDEX_SIZE * first.size
    gap = second.left - first.right
    return replace(
        first,
        text=first.text + (" " if gap > _WORD_GAP * first.size else "") + second.text,
        right=max(first.right, second.right),
        bottom=first.bottom if is_index else min(first.bottom, second.bottom),
        top=first.top if is_index else max(first.top, second.top),
        bold=first.bold and (second.bold or is_index),
        hyphenated=second.hyphenated,
        ends_in_index=is_index,
    )
