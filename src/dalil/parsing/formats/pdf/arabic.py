"""Arabic text of a PDF page: from glyphs in their places to words in the order they are read.

PDFium gives Arabic in reading order, but swaps the letters of ligatures, misplaces numbers and brackets, and takes
the stretched joins of justified lines for spaces. So lines are taken from PDFium, and the order inside each line from
where its glyphs stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from dalil.parsing.formats.pdf.bidi import arabic_letters, direction, in_reading_order
from dalil.parsing.formats.pdf.glyphs import Glyph
from dalil.parsing.formats.pdf.words import Word

_WIDE_GAP = 1.5
_WORD_GAP = 0.1
_NOT_JOINING_ONWARD = frozenset("اأإآٱءدذرزژڑڈوؤۇۆةى")
_VOWEL_MARKS = "".join(map(chr, range(0x064B, 0x0660))) + "\u0670"
_UNDER_LETTER = 0.25


def arabic_share(text: str) -> float:
    """The share of Arabic letters among the letters of a page."""
    arabic = arabic_letters(text)
    if not arabic:
        return 0.0
    return arabic / (arabic + sum(1 for char in text if char < "\u0600" and char.isalpha()))


def words_of_row(row: Sequence[Glyph], empty_spaces: Mapping[int, float], *, page_is_arabic: bool) -> list[Word]:
    """The words of one printed line, whose glyphs are given from left to right, in the order they are read."""
    cells = [_cell_words(cell, empty_spaces, page_is_arabic) for cell in _cells(row)]
    return [word for cell in (reversed(cells) if page_is_arabic else cells) for word in cell]


def _cells(row: Sequence[Glyph]) -> list[list[Glyph]]:
    """A line cut where it is empty for several letters: what stands apart is ordered apart."""
    cells = [[row[0]]]
    for left, right in pairwise(row):
        if right.left - left.right > _WIDE_GAP * (left.top - left.bottom):
            cells.append([])
        cells[-1].append(right)
    return cells


def _cell_words(cell: Sequence[Glyph], empty_spaces: Mapping[int, float], page_is_arabic: bool) -> list[Word]:
    glyphs = _with_spaces(cell, empty_spaces)
    tokens = [glyph.text if glyph else " " for glyph in glyphs]
    words: list[Word] = []
    text, parts = "", list[Glyph]()
    for index, token in in_reading_order(tokens, right_to_left=_reads_from_the_right(tokens, page_is_arabic)):
        glyph = glyphs[index]
        if glyph is not None and not token.isspace():
            text += token
            parts.append(glyph)
        elif parts:
            words.append(_word(text, parts))
            text, parts = "", []
    if parts:
        words.append(_word(text, parts))
    return words


def _word(text: str, glyphs: Sequence[Glyph]) -> Word:
    return Word(
        text,
        min(glyph.left for glyph in glyphs),
        min(glyph.bottom for glyph in glyphs),
        max(glyph.right for glyph in glyphs),
        max(glyph.top for glyph in glyphs),
    )


def _with_spaces(row: Sequence[Glyph], empty_spaces: Mapping[int, float]) -> list[Glyph | None]:
    """The glyphs of a cell from left to right, with None for a space where the distance shows one."""
    tokens: list[Glyph | None] = [row[0]] if row[0].text else []
    for left, right in pairwise(row):
        gap = right.left - left.right
        if gap > _WORD_GAP * (left.top - left.bottom) and not _is_stretched(right, left, gap, empty_spaces):
            tokens.append(None)
        if right.text:
            tokens.append(right)
    return tokens


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


def attach_marks(marks: Sequence[Glyph], rows: Sequence[Sequence[Glyph]]) -> None:
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
            rows[row_number][place].text += mark.text
