"""The printed lines of a page, and the units in them: words that stand together, apart from others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from dalil.parsing.formats.pdf.tables.models import Token
from dalil.parsing.formats.pdf.tables.numbers import (
    follows_number,
    is_currency,
    is_leader,
    is_number,
    is_year,
    precedes_number,
)

_SAME_LINE = 0.42
_APART = 0.55
_BEFORE_CURRENCY = 0.2
_OF_LEAST_GAP = 2.2
_SURELY_APART = 1.3
_FEW_GAPS = 4
_SIGN_BEFORE = 16.0
_SIGN_AFTER = 2.0
_CELL_APART = 0.8
_LONGEST_CELL = 9
_MOST_PARTS_OF_NUMBER = 6


@dataclass(frozen=True)
class Unit:
    """Words of one line that stand together, from left to right."""

    tokens: tuple[Token, ...]
    left: float
    right: float
    is_number: bool
    is_year: bool

    @property
    def text(self) -> str:
        """Its words with spaces between them."""
        return " ".join(token.text for token in self.tokens)

    @property
    def width(self) -> float:
        return self.right - self.left


@dataclass(frozen=True)
class TextLine:
    """The words of one printed line, from left to right, the usual height of their boxes, and where it stands."""

    tokens: tuple[Token, ...]
    bottom: float
    top: float
    height: float
    middle: float

    @property
    def left(self) -> float:
        return self.tokens[0].left

    @property
    def right(self) -> float:
        return self.tokens[-1].right

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Its words by where it is empty; a currency or per cent sign that stands alone is with its number."""
        return _units(self)

    @cached_property
    def is_row(self) -> bool:
        """Whether it looks like a row of a table: a number stands apart from what precedes it, and all is short."""
        units = self.units
        if len(units) < 2 or any(is_leader(token.text) for token in self.tokens):
            return False
        if any(len(unit.tokens) > _LONGEST_CELL for unit in units[1:]):
            return False
        return any(
            unit.is_number and unit.left - before.right > _CELL_APART * self.height for before, unit in pairwise(units)
        )

    @cached_property
    def is_row_of_years(self) -> bool:
        """Whether its numbers are years, as they are in a header."""
        numbers = [unit for unit in self.units if unit.is_number]
        return bool(numbers) and all(unit.is_year for unit in numbers)

    def between(self, left: float, right: float) -> TextLine | None:
        """The words of the line whose middle lies between two places, as a line of its own."""
        return line_of([token for token in self.tokens if left <= (token.left + token.right) / 2 < right])


def line_of(tokens: Sequence[Token]) -> TextLine | None:
    """One line of these words, or None where there are none."""
    if not tokens:
        return None
    heights = sorted(token.top - token.bottom for token in tokens)
    bottom, top = min(token.bottom for token in tokens), max(token.top for token in tokens)
    ordered = tuple(sorted(tokens, key=lambda token: token.left))
    return TextLine(ordered, bottom, top, heights[len(heights) // 2], (bottom + top) / 2)


def text_lines(tokens: Sequence[Token]) -> list[TextLine]:
    """Words as printed lines, from the top of the page down."""
    lines: list[list[Token]] = []
    middle = height = 0.0
    for token in sorted(tokens, key=lambda token: -(token.bottom + token.top)):
        own_middle, own_height = (token.bottom + token.top) / 2, token.top - token.bottom
        if lines and middle - own_middle < _SAME_LINE * min(height, own_height):
            lines[-1].append(token)
            if own_height > height:
                middle, height = own_middle, own_height
        else:
            lines.append([token])
            middle, height = own_middle, own_height
    return [line for line in map(line_of, lines) if line]


def _units(line: TextLine) -> tuple[Unit, ...]:
    tokens = line.tokens
    spaces = [right.left - left.right for left, right in pairwise(tokens)]
    apart = _APART * line.height
    if max(spaces, default=0.0) <= apart and not any(is_currency(token.text) for token in tokens):
        return (_unit(tokens),)
    is_amount = [is_number(token.text) for token in tokens]
    between_words = [space for index, space in enumerate(spaces) if not (is_amount[index] or is_amount[index + 1])]
    if len(between_words) >= _FEW_GAPS:
        # In justified prose every space is wide.
        apart = min(max(apart, _OF_LEAST_GAP * min(between_words)), _SURELY_APART * line.height)
    groups: list[list[Token]] = [[tokens[0]]]
    for index, (left, right) in enumerate(pairwise(tokens)):
        space = spaces[index]
        begins_amount = is_amount[index] and space > _BEFORE_CURRENCY * line.height and is_currency(right.text)
        if begins_amount or (space > apart and not _is_sign(left, right, space, line.height)):
            groups.append([])
        groups[-1].append(right)
    return tuple(_unit(group) for group in groups)


def _is_sign(left: Token, right: Token, gap: float, height: float) -> bool:
    """Whether two words that stand apart are a number and its sign."""
    if precedes_number(left.text) and is_number(right.text):
        return gap < _SIGN_BEFORE * height
    return follows_number(right.text) and is_number(left.text) and gap < _SIGN_AFTER * height


def _unit(tokens: Sequence[Token]) -> Unit:
    text = "".join(token.text for token in tokens) if len(tokens) <= _MOST_PARTS_OF_NUMBER else ""
    return Unit(tuple(tokens), tokens[0].left, max(token.right for token in tokens), is_number(text), is_year(text))
