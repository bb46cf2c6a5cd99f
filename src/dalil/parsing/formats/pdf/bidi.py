"""Turning a line as it is seen into the line as it is read: the bidirectional algorithm backwards.

The rules follow Unicode Standard Annex 9 as far as a printed line shows them: letters from right to left, numbers and
Latin words inside them from left to right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_ARABIC_LETTER = re.compile("[\u0620-\u064a\u066e-\u06d3\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]")
_NUMBERS = frozenset({"EN", "AN"})
_BRACKETS = {char: pair for pair in ("()", "[]", "{}", "«»") for char in pair}


def arabic_letters(text: str) -> int:
    """How many letters of the Arabic script a text holds, presentation forms included."""
    return 0 if text.isascii() else len(_ARABIC_LETTER.findall(text))


def direction(text: str) -> str:
    """The bidirectional class of a token, by its first character: L, R, EN, AN, or a neutral's own."""
    kind = unicodedata.bidirectional(text[0]) if text else "ON"
    return "R" if kind == "AL" else kind


class Ordered(NamedTuple):
    """A token in its place in a line as it is read: its number among the tokens as seen, and its text there.

    The text is another one only where a bracket is turned.
    """

    place: int
    text: str


def in_reading_order(tokens: Sequence[str], *, right_to_left: bool) -> list[Ordered]:
    """The tokens of a line, given from left to right, in the order in which they are read.

    `right_to_left` is the direction of the line.
    """
    if right_to_left:
        return _from_the_right(tokens, 0, len(tokens))
    kinds = [direction(token) for token in tokens]
    ordered: list[Ordered] = []
    index = 0
    while index < len(tokens):
        if kinds[index] != "R":
            ordered.append(Ordered(index, tokens[index]))
            index += 1
            continue
        end = index + 1
        for probe in range(index + 1, len(tokens)):
            if kinds[probe] == "L":
                break
            if kinds[probe] == "R":
                end = probe + 1
        ordered.extend(_from_the_right(tokens, index, end))
        index = end
    return ordered


def _from_the_right(tokens: Sequence[str], first: int, last: int) -> list[Ordered]:
    """The tokens [first, last) read from the right; stretches of Latin and numbers inside them from the left."""
    kinds = [direction(token) for token in tokens[first:last]]
    forward = _left_to_right(kinds)
    order: list[int] = []
    turned: list[int] = []
    index = len(kinds) - 1
    while index >= 0:
        start = index
        if forward[index]:
            while start > 0 and forward[start - 1]:
                start -= 1
        elif tokens[first + index] in _BRACKETS:
            turned.append(len(order))
        order.extend(range(first + start, first + index + 1))
        index = start - 1
    texts = [tokens[place] for place in order]
    _set_brackets(texts, turned)
    return list(map(Ordered, order, texts))


def _set_brackets(ordered: list[str], places: Sequence[int]) -> None:
    """Decides which brackets open and which close.

    PDF files store them as they look or as they are read, and PDFium turns some of them around, so their own
    direction means nothing: one that touches only what follows opens, one that touches only what precedes closes.
    """
    expected = dict.fromkeys(_BRACKETS.values(), 0)
    for place in places:
        pair = _BRACKETS[ordered[place]]
        touches_before = place > 0 and not ordered[place - 1].isspace()
        touches_after = place + 1 < len(ordered) and not ordered[place + 1].isspace()
        side = expected[pair] if touches_before == touches_after else int(touches_before)
        ordered[place] = pair[side]
        expected[pair] = 1 - side


def _left_to_right(kinds: Sequence[str]) -> list[bool]:
    """Which tokens belong to a stretch that is read from the left."""
    forward = [kind == "L" or kind in _NUMBERS for kind in kinds]
    last = len(kinds) - 1
    for index, kind in enumerate(kinds):
        if 0 < index < last:
            before, after = kinds[index - 1], kinds[index + 1]
            between_numbers = before == after and before in _NUMBERS
            if between_numbers and (kind == "CS" or (kind == "ES" and before == "EN")):
                forward[index] = True
        if kind == "ET" and ((index and kinds[index - 1] == "EN") or (index < last and kinds[index + 1] == "EN")):
            forward[index] = True
    _join_latin(kinds, forward)
    return forward


def _join_latin(kinds: Sequence[str], forward: list[bool]) -> None:
    """Neutrals between two Latin words, or between a Latin word and a number after it, belong to them."""
    previous = -1
    for index, kind in enumerate(kinds):
        if kind == "R":
            previous = -1
        elif kind == "L" or (kind == "EN" and previous >= 0):
            if previous >= 0:
                forward[previous : index + 1] = [True] * (index + 1 - previous)
            previous = index
