"""Written text that knows where its words stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.words import Word


class WrittenWord(NamedTuple):
    """The code points [start, end) of a text, the word they are, and the quarter turns that set it upright."""

    start: int
    end: int
    word: Word
    turns: int


@dataclass(slots=True)
class Block:
    """A paragraph, heading, list item or table as it is written, and its words."""

    text: str = ""
    words: list[WrittenWord] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Writes what stands on the page as no word: marks of structure, spaces."""
        self.text += text

    def add_line(self, line: Line, *, skipped: int = 0) -> None:
        """Writes a line without its first `skipped` characters."""
        offset = len(self.text) - skipped
        for start, word in line.word_starts():
            end = start + len(word.text)
            if end > skipped:
                begin = max(start, skipped)
                self.words.append(WrittenWord(offset + begin, offset + end, word, line.turns))
        self.text += line.text[skipped:]

    def append(self, other: Block, separator: str) -> None:
        """Writes another block after this one."""
        offset = len(self.text) + len(separator)
        self.text += separator + other.text
        self.words.extend(
            WrittenWord(start + offset, end + offset, word, turns) for start, end, word, turns in other.words
        )
