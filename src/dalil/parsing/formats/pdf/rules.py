"""The ruling lines and the filled areas of a PDF page, from its path objects."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from dalil.parsing.formats.pdf.space import PageSpace

_FORM_DEPTH = 3
_MOST_OBJECTS = 20_000
_MOST_PATHS = 4_000
_MOST_SEGMENTS = 400
_THICKEST_RULE = 3.0
_SHORTEST_RULE = 4.0
_STRAIGHT = 0.7
_WHITE = 250
_SEEN_ALPHA = 16

Matrix = tuple[float, float, float, float, float, float]
_UNCHANGED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Rule(NamedTuple):
    """A straight line along one axis: where it stands on the other axis, and from where to where it goes, in points.

    A horizontal rule stands at a y and goes from left to right; a vertical one stands at an x and goes upwards.
    """

    position: float
    start: float
    end: float


class Fill(NamedTuple):
    """A filled rectangle that is not white, in points."""

    left: float
    bottom: float
    right: float
    top: float


class Rules(NamedTuple):
    """The rules and the filled rectangles of a page, in points of the page as displayed, y growing upwards."""

    horizontal: tuple[Rule, ...] = ()
    vertical: tuple[Rule, ...] = ()
    fills: tuple[Fill, ...] = ()


def page_rules(page: pypdfium2.PdfPage, space: PageSpace) -> Rules:
    """Every rule and filled rectangle of a page and of its forms to depth 3, up to a fixed number of objects.

    A filled rectangle that is thin is a rule: this is how most programs draw the borders of a table. Curves and
    slanted lines are left out, and so is what is painted white or lies outside the page.
    """
    collected = _Collector(space)
    for path, matrix in _paths(page):
        collected.add(path, matrix)
    return Rules(tuple(collected.horizontal), tuple(collected.vertical), tuple(collected.fills))


def _paths(page: pypdfium2.PdfPage) -> Iterator[tuple[Any, Matrix]]:
    """The path objects of a page and its forms, with what turns their coordinates into the page's."""
    get_object, get_type = pdfium.FPDFPage_GetObject, pdfium.FPDFPageObj_GetType
    path_type, form_type = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM
    raw = page.raw
    found = 0
    for index in range(min(pdfium.FPDFPage_CountObjects(raw), _MOST_OBJECTS)):
        item = get_object(raw, index)
        kind = get_type(item)
        if kind == path_type:
            found += 1
            yield item, _UNCHANGED
        elif kind == form_type:
            for path, matrix in _paths_of_form(item, _UNCHANGED, 1):
                found += 1
                yield path, matrix
                if found >= _MOST_PATHS:
                    return
        if found >= _MOST_PATHS:
            return


def _paths_of_form(form: Any, outer: Matrix, depth: int) -> Iterator[tuple[Any, Matrix]]:
    matrix = _product(_matrix_of(form), outer)
    for index in range(min(pdfium.FPDFFormObj_CountObjects(form), _MOST_OBJECTS)):
        item = pdfium.FPDFFormObj_GetObject(form, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield item, matrix
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _FORM_DEPTH:
            yield from _paths_of_form(item, matrix, depth + 1)


class _Collector:
    """Sorts paths into rules and fills."""

    def __init__(self, space: PageSpace) -> None:
        self.horizontal: list[Rule] = []
        self.vertical: list[Rule] = []
        self.fills: list[Fill] = []
        self._space = space
        self._edges = [ctypes.c_float() for _ in range(4)]
        self._references = [ctypes.byref(edge) for edge in self._edges]
        self._fill_mode, self._stroke = ctypes.c_int(), ctypes.c_int()
        self._channels = [ctypes.c_uint() for _ in range(4)]

    def add(self, path: Any, matrix: Matrix) -> None:
        if not pdfium.FPDFPageObj_GetBounds(path, *self._references):
            return
        left, bottom, right, top = (edge.value for edge in self._edges)
        width, height = right - left, top - bottom
        if max(width, height) < _SHORTEST_RULE:
            return
        if not pdfium.FPDFPath_GetDrawMode(path, self._fill_mode, self._stroke):
            return
        filled = bool(self._fill_mode.value) and self._is_seen(path, pdfium.FPDFPageObj_GetFillColor)
        stroked = bool(self._stroke.value) and self._is_seen(path, pdfium.FPDFPageObj_GetStrokeColor)
        if not filled and not stroked:
            return
        if min(width, height) <= _THICKEST_RULE:
            if not filled:
                # A form may enlarge what it draws, and so these bounds.
                left, bottom, right, top = _centre_line(left, bottom, right, top)
            self._add_box(left, bottom, right, top, matrix)
            return
        own = _product(_matrix_of(path), matrix)
        for box in _rectangles_and_lines(path):
            if filled or min(box[2] - box[0], box[3] - box[1]) <= _STRAIGHT:
                self._add_box(*box, own)
            if stroked and min(box[2] - box[0], box[3] - box[1]) > _STRAIGHT:
                x0, y0, x1, y1 = box
                for side in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                    self._add_box(*side, own)

    def _is_seen(self, path: Any, get_color: Any) -> bool:
        """Whether a colour of a path shows on white paper."""
        if not get_color(path, *self._channels):
            return True
        red, green, blue, alpha = (channel.value for channel in self._channels)
        return alpha >= _SEEN_ALPHA and min(red, green, blue) < _WHITE

    def _add_box(self, left: float, bottom: float, right: float, top: float, matrix: Matrix) -> None:
        if matrix is not _UNCHANGED:
            left, bottom, right, top = _transformed(left, bottom, right, top, matrix)
        left, bottom, right, top = self._space.place(left, bottom, right, top)
        left, right = max(left, 0.0), min(right, self._space.width)
        bottom, top = max(bottom, 0.0), min(top, self._space.height)
        width, height = right - left, top - bottom
        if width < 0 or height < 0 or max(width, height) < _SHORTEST_RULE:
            return
        if height <= _THICKEST_RULE and width > height:
            self.horizontal.append(Rule((bottom + top) / 2, left, right))
        elif width <= _THICKEST_RULE:
            self.vertical.append(Rule((left + right) / 2, bottom, top))
        else:
            self.fills.append(Fill(left, bottom, right, top))


def _centre_line(left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
    """The line in the middle of its thin bounds, which PDFium draws as far from its ends as from its sides."""
    half = min(right - left, top - bottom) / 2
    return left + half, bottom + half, right - half, top - half


def _rectangles_and_lines(path: Any) -> Iterator[tuple[float, float, float, float]]:
    """The rectangles of a path and its other straight pieces along an axis, as boxes in the path's coordinates."""
    count = pdfium.FPDFPath_CountSegments(path)
    if count > _MOST_SEGMENTS:
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float]] = []
    is_curved = False
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(path, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            if not is_curved:
                yield from _boxes(points)
            points, is_curved = [], False
        is_curved = is_curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        points.append((x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if not is_curved:
        yield from _boxes(points)


def _boxes(points: list[tuple[float, float]]) -> Iterator[tuple[float, float, float, float]]:
    """One box if the points run around a rectangle, else one for each straight piece along an axis."""
    if len(points) < 2:
        return
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, right, bottom, top = min(xs), max(xs), min(ys), max(ys)
    corners = {(abs(x - left) < _STRAIGHT, abs(y - bottom) < _STRAIGHT) for x, y in points}
    on_edges = all(min(x - left, right - x) < _STRAIGHT and min(y - bottom, top - y) < _STRAIGHT for x, y in points)
    if len(points) in (4, 5, 6) and len(corners) == 4 and on_edges:
        yield left, bottom, right, top
        return
    for (x0, y0), (x1, y1) in pairwise(points):
        if min(abs(x0 - x1), abs(y0 - y1)) < _STRAIGHT:
            yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _matrix_of(item: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, matrix):
        return _UNCHANGED
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _product(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies the first one, then the second."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _transformed(
    left: float, bottom: float, right: float, top: float, matrix: Matrix
) -> tuple[float, float, float, float]:
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)
