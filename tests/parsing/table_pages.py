"""Pages for the table tests: words and rules where a program would have put them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dalil.parsing.formats.pdf.rules import Rule, Rules
from dalil.parsing.formats.pdf.tables import FoundTable, find_tables
from dalil.parsing.formats.pdf.words import Word

WIDTH, HEIGHT = 612.0, 792.0
_LETTER = 5.0
_SPACE = 2.5
_LINE = 11.0


def text_at(x: float, y: float, text: str, *, right: bool = False) -> list[Word]:
    """The words of a text that begins at a place, or that ends there."""
    parts = text.split()
    width = sum(len(part) for part in parts) * _LETTER + _SPACE * max(0, len(parts) - 1)
    left = x - width if right else x
    words = []
    for part in parts:
        words.append(Word(part, left, y, left + len(part) * _LETTER, y + _LINE))
        left += len(part) * _LETTER + _SPACE
    return words


def mirrored_text_at(x: float, y: float, text: str) -> list[Word]:
    """The words of a text that is read from the right and begins at a place."""
    words = []
    for part in text.split():
        words.append(Word(part, x - len(part) * _LETTER, y, x, y + _LINE))
        x -= len(part) * _LETTER + _SPACE
    return words


def grid_rules(xs: Sequence[float], ys: Sequence[float]) -> Rules:
    """The rules of a full grid."""
    return Rules(
        tuple(Rule(y, min(xs), max(xs)) for y in ys),
        tuple(Rule(x, min(ys), max(ys)) for x in xs),
    )


def tables(words: Iterable[Word], rules: Rules = Rules()) -> list[FoundTable]:  # noqa: B008
    """The tables of a page of letter size."""
    return find_tables(list(words), rules, WIDTH, HEIGHT)


def texts(table: FoundTable) -> list[list[str]]:
    """The texts of a table's cells."""
    return [[cell.text for cell in row] for row in table.rows]
