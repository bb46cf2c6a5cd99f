"""Arabic text of a PDF page: from glyphs in their places to letters in the order they are read.

PDFium gives Arabic in reading order, but swaps the letters of ligatures, misplaces numbers and brackets, and takes
the stretched joins of justified lines for spaces. So lines are taken from PDFium, and the order inside each line from
where its glyphs stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pypdfium2

from dalil.parsing.characters import one_line
from dalil.parsing.formats.pdf.bidi import direction, in_reading_order, is_arabic
from dalil.parsing.formats.pdf.glyphs import Glyph, GlyphRun, ligatures_are_turned, read_glyphs
from dalil.parsing.formats.pdf.lines import Line, is_bold, line_ranges

_SAME_BASELINE = 0.3
_SAME_LINE_GAP = 1.5
_WORD_GAP = 0.1
_NOT_JOINING_ONWARD = frozenset("اأإآٱءدذرزژڑڈوؤۇۆةى")
_VOWEL_MARKS = "".join(map(chr, range(0x064B, 0x0660))) + "\u0670"
_UNDER_LETTER = 0.25


def arabic_share(points: Sequence[int]) -> float:
    """The share of Arabic letters among the letters of a page."""
    arabic = sum(1 for point in points if is_arabic(point))
    letters = arabic + sum(1 for point in points if point < 0x600 and chr(point).isalpha())
    return arabic / letters if letters else 0.0


def arabic_lines(textpage: pypdfium2.PdfTextPage, points: list[int]) -> list[Line]:
    """The lines of a page that holds Arabic, in PDFium's order, each put in reading order by its glyphs."""
    turned = ligatures_are_turned(textpage, points)
    runs = [read_glyphs(textpage, points, start, end, turned=turned) for start, end, _ in line_ranges(points)]
    rows = _rows(runs)
    _attach_marks([mark for run in runs for mark in run.marks], rows)
    empty_spaces = {index: x for run in runs for index, x in run.empty_spaces.items()}
    page_is_arabic = arabic_share(points) > 0.5
    lines: list[Line] = []
    for row in rows:
        cells = [_cell_text(cell, empty_spaces, page_is_arabic) for cell in _cells(row)]
        text = one_line(" ".join(reversed(cells) if page_is_arabic else cells))
        if text:
            heights = sorted(glyph.top - glyph.bottom for glyph in row)
            lines.append(
                Line(
                    text=text,
                    left=min(glyph.left for glyph in row),
                    right=max(glyph.right for glyph in row),
                    bottom=min(glyph.bottom for glyph in row),
                    top=max(glyph.top for glyph in row),
                    size=heights[len(heights) // 2],
                    bold=is_bold(textpage, row[len(row) // 2].order),
                )
            )
    return lines


def arabic_text(textpage: pypdfium2.PdfTextPage, points: list[int], start: int, end: int) -> str:
    """The characters [start, end), one line with some Arabic on a page of another script, in reading order."""
    run = read_glyphs(textpage, points, start, end, turned=ligatures_are_turned(textpage, points))
    rows = _rows([run])
    _attach_marks(run.marks, rows)
    cells = [_cell_text(cell, run.empty_spaces, False) for row in rows for cell in _cells(row)]
    return one_line(" ".join(cells))


def _rows(runs: Sequence[GlyphRun]) -> list[list[Glyph]]:
    """The glyphs of each printed line, from left to right. Stretches side by side are one line."""
    rows: list[list[Glyph]] = []
    for run in runs:
        glyphs = sorted(run.glyphs, key=lambda glyph: glyph.centre)
        while glyphs and glyphs[0].text.isspace():
            glyphs.pop(0)
        while glyphs and glyphs[-1].text.isspace():
            glyphs.pop()
        if not glyphs:
            continue
        if rows and _is_one_line(rows[-1], glyphs):
            rows[-1] = sorted(rows[-1] + glyphs, key=lambda glyph: glyph.centre)
        else:
            rows.append(glyphs)
    return rows


def _is_one_line(first: Sequence[Glyph], second: Sequence[Glyph]) -> bool:
    height = first[0].top - first[0].bottom
    if abs(first[0].bottom - second[0].bottom) > _SAME_BASELINE * height:
        return False
    gap = max(second[0].left - first[-1].right, first[0].left - second[-1].right)
    return gap < _SAME_LINE_GAP * height


def _attach_marks(marks: Sequence[Glyph], rows: list[list[Glyph]]) -> None:
    """Puts each vowel mark after the letter under it, which PDFium may have on another line."""
    for mark in marks:
        middle = (mark.bottom + mark.top) / 2
        near = [
            (abs(glyph.centre - mark.centre), row_number, place)
            for row_number, row in enumerate(rows)
            if row[0].bottom <= middle <= row[0].top
            for place, glyph in enumerate(row)
            if glyph.text.strip()
        ]
        if near:
            _, row_number, place = min(near)
            base = rows[row_number][place]
            rows[row_number][place] = base.with_text(base.text + mark.text)


def _cells(row: Sequence[Glyph]) -> list[list[Glyph]]:
    """A line cut where it is empty for several letters: what stands apart is ordered apart."""
    cells = [[row[0]]]
    for left, right in pairwise(row):
        if right.left - left.right > _SAME_LINE_GAP * (left.top - left.bottom):
            cells.append([])
        cells[-1].append(right)
    return cells


def _cell_text(cell: Sequence[Glyph], empty_spaces: Mapping[int, float], page_is_arabic: bool) -> str:
    tokens = _with_spaces(cell, empty_spaces)
    return "".join(in_reading_order(tokens, right_to_left=_reads_from_the_right(tokens, page_is_arabic)))


def _with_spaces(row: Sequence[Glyph], empty_spaces: Mapping[int, float]) -> list[str]:
    """The texts of a cell from left to right, with a space where the distance shows one."""
    tokens = [row[0].text]
    for left, right in pairwise(row):
        gap = right.left - left.right
        if gap > _WORD_GAP * (left.top - left.bottom) and not _is_stretched(right, left, gap, empty_spaces):
            tokens.append(" ")
        tokens.append(right.text)
    return [token for token in tokens if token]


def _is_stretched(before: Glyph, after: Glyph, gap: float, empty_spaces: Mapping[int, float]) -> bool:
    """Whether the distance between two letters is a stretched join (kashida) and no space.

    PDFium shows the stretched stroke as a space without width that begins under the letter after it, where a real
    space begins beside that letter. A stroke can only stand where the letter before it joins onward.
    """
    if not (before.text and after.text and direction(before.text) == direction(after.text) == "R"):
        return False
    letters = before.text.rstrip(_VOWEL_MARKS)
    if letters[-1:] in _NOT_JOINING_ONWARD or gap > before.top - before.bottom:
        return False
    low, high = sorted((before.order, after.order))
    under = after.right - _UNDER_LETTER * (after.right - after.left)
    return any(index in empty_spaces and empty_spaces[index] < under for index in range(low + 1, high))


def _reads_from_the_right(tokens: Sequence[str], page_is_arabic: bool) -> bool:
    kinds = [direction(token) for token in tokens]
    right, left = kinds.count("R"), kinds.count("L")
    if not right and not left:
        return page_is_arabic
    return right * 2 >= left if page_is_arabic else right > left
