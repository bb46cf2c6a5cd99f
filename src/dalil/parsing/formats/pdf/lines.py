"""Lines of a PDF page, with their words, their place and their type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from dalil.parsing.formats.pdf.characters import HYPHEN, Characters
from dalil.parsing.formats.pdf.space import PageSpace
from dalil.parsing.formats.pdf.word_reading import read_words
from dalil.parsing.formats.pdf.words import Word

_RANGE = re.compile(rf"[^\r\n{HYPHEN}]+")
_SAME_LINE = 0.6
_OVERLAP = 0.5
_WORD_GAP = 0.08
_INDEX_SIZE = 0.85
_INDEX_OVERLAP = 0.2
_INDEX_BEFORE = 1.5
_LONGEST_INDEX = 6


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, its box in points (y grows upwards), the size of its type, and whether it is bold.

    `words` are the words of the text in its order; between two of them the text has one space or nothing.
    Their places and the line's are those of the page turned by `turns` quarter turns (clockwise), so that the line
    stands upright. `hyphenated` says that its last word goes on in the next line; `ends_in_index`, that it ends in
    small raised or lowered type.
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
    words: tuple[Word, ...] = ()
    turns: int = 0

    def of_words(self, words: Sequence[Word]) -> Line:
        """The line with only some of its words, which must be given in its order."""
        wanted = iter(words)
        awaited = next(wanted, None)
        text = ""
        for start, word in self.word_starts():
            if word is not awaited:
                continue
            if text and self.text[start - 1] == " ":
                text += " "
            text += word.text
            awaited = next(wanted, None)
        return replace(
            self,
            text=text,
            left=min(word.left for word in words),
            right=max(word.right for word in words),
            bottom=min(word.bottom for word in words),
            top=max(word.top for word in words),
            hyphenated=self.hyphenated and words[-1] is self.words[-1],
            words=tuple(words),
        )

    def word_starts(self) -> Iterator[tuple[int, Word]]:
        """Each word with the place in the text at which it starts."""
        start = 0
        for word in self.words:
            if self.text[start : start + 1] == " ":
                start += 1
            yield start, word
            start += len(word.text)


def line_ranges(text: str) -> list[tuple[int, int, bool]]:
    """Where each line starts and ends, and whether it ends in a hyphen that breaks a word."""
    return [
        (match.start(), match.end(), text[match.end() : match.end() + 1] == HYPHEN) for match in _RANGE.finditer(text)
    ]


def read_line(characters: Characters, start: int, end: int, hyphenated: bool, space: PageSpace) -> Line | None:
    """The characters [start, end) as a line in PDFium's order, or None where there is nothing to see."""
    turns = characters.turns(start, end)
    text, words = read_words(characters, start, end, space.turned(turns).place)
    if not words:
        return None
    samples = [characters.visible(start, end, share) for share in (0.0, 0.5, 1.0)]
    sizes = sorted(map(characters.size, samples))
    return Line(
        text=text,
        left=min(word.left for word in words),
        right=max(word.right for word in words),
        bottom=min(word.bottom for word in words),
        top=max(word.top for word in words),
        size=sizes[1],
        bold=characters.is_bold(samples[0]) and characters.is_bold(samples[1]),
        hyphenated=hyphenated,
        words=tuple(words),
        turns=turns,
    )


def joined_lines(lines: Iterable[Line]) -> list[Line]:
    """Lines in the order given; neighbours that stand side by side on one baseline become one line."""
    found: list[Line] = []
    for line in lines:
        if found and _side_by_side(found[-1], line):
            found[-1] = _joined(found[-1], line)
        else:
            found.append(line)
    return found


def _side_by_side(first: Line, second: Line) -> bool:
    """Whether the second piece goes on in the first one's line: beside it, or as an index above or below it."""
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    height = min(first.top - first.bottom, second.top - second.bottom)
    if height <= 0 or first.hyphenated or first.turns != second.turns:
        return False
    is_index = _is_index(second, first) or _is_index(first, second)
    needed, allowed = (_INDEX_OVERLAP, _INDEX_BEFORE) if is_index or first.ends_in_index else (_SAME_LINE, _OVERLAP)
    return overlap > needed * height and second.left >= first.right - allowed * height


def _is_index(line: Line, other: Line) -> bool:
    """Whether a line is a small sign raised or lowered beside another one."""
    return len(line.text) <= _LONGEST_INDEX and line.size < _INDEX_SIZE * other.size


def _joined(first: Line, second: Line) -> Line:
    ends_in_index = second.size < _INDEX_SIZE * first.size
    base = first if ends_in_index or not _is_index(first, second) else second
    gap = second.left - first.right
    return replace(
        base,
        text=first.text + (" " if gap > _WORD_GAP * first.size else "") + second.text,
        left=first.left,
        right=max(first.right, second.right),
        bottom=base.bottom if ends_in_index or base is second else min(first.bottom, second.bottom),
        top=base.top if ends_in_index or base is second else max(first.top, second.top),
        bold=base.bold and (second.bold or ends_in_index),
        hyphenated=second.hyphenated,
        ends_in_index=ends_in_index,
        words=first.words + second.words,
    )
