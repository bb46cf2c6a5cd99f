"""The words of a document, asked whether a hyphen at the end of a line belongs to a word."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dalil.parsing.formats.pdf.lines import Line

_MOST_WORDS = 50_000
_LETTERS = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_EDGES = ".,;:!?()[]\"'“”‘’«»"
_SHORTEST_PART = 4


class Vocabulary:
    """Words seen so far, in small letters; of long documents only so many."""

    def __init__(self) -> None:
        self._words: set[str] = set()

    def add(self, lines: Iterable[Line]) -> None:
        """Learns from the lines of a page; the last word of a broken line is none."""
        if len(self._words) < _MOST_WORDS:
            for line in lines:
                words = _WORDS.findall(line.text.lower())
                self._words.update(words[:-1] if line.hyphenated else words)

    def is_broken(self, before: str, after: str) -> bool:
        """Whether the hyphen between a line that ends with `before` and one that begins with `after` only breaks a
        word, which is written without it."""
        rest = _LETTERS.match(after)
        if rest is None or not rest[0][0].islower():
            return False
        first, second = before.lower().lstrip(_EDGES), rest[0]
        if f"{first}-{second}" in self._words:
            return False
        if first + second in self._words or min(len(first), len(second)) < _SHORTEST_PART:
            return True
        return not (first in self._words and second in self._words)
