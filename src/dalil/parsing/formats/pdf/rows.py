"""Printed lines of right-to-left text: glyphs from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dalil.parsing.formats.pdf.arabic import attach_marks, words_of_row
from dalil.parsing.formats.pdf.characters import Characters
from dalil.parsing.formats.pdf.glyphs import Glyph, ligatures_are_turned, read_glyphs
from dalil.parsing.formats.pdf.lines import Line, line_ranges
from dalil.parsing.formats.pdf.space import PageSpace
from dalil.parsing.formats.pdf.words import Word

_SAME_BASELINE = 0.3
_SAME_LINE_GAP = 1.5


@dataclass(frozen=True, slots=True)
class GlyphRow:
    """The glyphs of a printed line from left to right, in the page turned by `turns` so that they stand upright.

    `empty_spaces` are the places of spaces without width on the page, by their number in PDFium's order.
    """

    glyphs: list[Glyph]
    turns: int
    empty_spaces: Mapping[int, float]

    def between(self, left: float, right: float) -> GlyphRow | None:
        """The part of the line whose glyphs have their middle in [left, right), or None."""
        glyphs = _trimmed([glyph for glyph in self.glyphs if left <= glyph.centre < right])
        return replace(self, glyphs=glyphs) if glyphs else None

    def line(self, characters: Characters, *, page_is_arabic: bool) -> Line | None:
        """The line in reading order, or None where it has no letters."""
        return line_of(
            characters,
            self.glyphs,
            words_of_row(self.glyphs, self.empty_spaces, page_is_arabic=page_is_arabic),
            self.turns,
        )


def read_rows(characters: Characters, space: PageSpace) -> list[GlyphRow]:
    """The printed lines of a page that holds Arabic, in PDFium's order. Stretches side by side are one line."""
    turned = ligatures_are_turned(characters)
    rows: list[GlyphRow] = []
    marks: list[Glyph] = []
    empty: dict[int, float] = {}
    for start, end, _ in line_ranges(characters.text):
        turns = characters.turns(start, end)
        run = read_glyphs(characters, start, end, space.turned(turns), turned=turned)
        marks.extend(run.marks)
        empty.update(run.empty_spaces)
        glyphs = _trimmed(sorted(run.glyphs, key=lambda glyph: glyph.left + glyph.right))
        if not glyphs:
            continue
        if rows and rows[-1].turns == turns and _is_one_line(rows[-1].glyphs, glyphs):
            rows[-1].glyphs.extend(glyphs)
            rows[-1].glyphs.sort(key=lambda glyph: glyph.left + glyph.right)
        else:
            rows.append(GlyphRow(glyphs, turns, empty))
    attach_marks(marks, [row.glyphs for row in rows])
    return rows


def read_mixed_line(characters: Characters, start: int, end: int, space: PageSpace) -> Line | None:
    """The characters [start, end), one line with some Arabic on a page of another script, in reading order."""
    turns = characters.turns(start, end)
    run = read_glyphs(characters, start, end, space.turned(turns), turned=ligatures_are_turned(characters))
    glyphs = _trimmed(sorted(run.glyphs, key=lambda glyph: glyph.left + glyph.right))
    if not glyphs:
        return None
    attach_marks(run.marks, [glyphs])
    return line_of(characters, glyphs, words_of_row(glyphs, run.empty_spaces, page_is_arabic=False), turns)


def line_of(characters: Characters, glyphs: Sequence[Glyph], words: Sequence[Word], turns: int) -> Line | None:
    if not words:
        return None
    middle = glyphs[len(glyphs) // 2].order
    return Line(
        text=" ".join(word.text for word in words),
        left=min(word.left for word in words),
        right=max(word.right for word in words),
        bottom=min(word.bottom for word in words),
        top=max(word.top for word in words),
        size=characters.size(middle),
        bold=characters.is_bold(middle),
        words=tuple(words),
        turns=turns,
    )


def _trimmed(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Glyphs from left to right without the spaces at their ends."""
    start, end = 0, len(glyphs)
    while start < end and glyphs[start].text.isspace():
        start += 1
    while end > start and glyphs[end - 1].text.isspace():
        end -= 1
    return list(glyphs[start:end])


def _is_one_line(first: Sequence[Glyph], second: Sequence[Glyph]) -> bool:
    height = first[0].top - first[0].bottom
    if abs(first[0].bottom - second[0].bottom) > _SAME_BASELINE * height:
        return False
    gap = max(second[0].left - first[-1].right, first[0].left - second[-1].right)
    return gap < _SAME_LINE_GAP * height
