"""What the sizes of type in a document mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dalil.parsing.formats.pdf.lines import Line

_LARGER = 1.15
_STEP = 0.5
_LONGEST_HEADING = 150
_MOST_LEVELS = 4
_WORD = re.compile(r"[^\W\d_]{2,}")


class Typography:
    """The size of body text in a document, and the sizes above it that headings are set in."""

    def __init__(self, pages: Sequence[Sequence[Line]]) -> None:
        weights: Counter[float] = Counter()
        bold = total = 0
        for line in (line for lines in pages for line in lines):
            weights[_rounded(line.size)] += len(line.text)
            total += len(line.text)
            bold += len(line.text) if line.bold else 0
        self._body = max(weights, key=lambda size: weights[size]) if weights else 0.0
        self._bold_is_rare = bold < 0.3 * total
        sizes = {_rounded(line.size) for lines in pages for line in lines if self._is_large(line) and _reads(line.text)}
        self._levels = {size: min(rank, _MOST_LEVELS) for rank, size in enumerate(sorted(sizes, reverse=True), 1)}

    def heading_level(self, block: Sequence[Line], *, stands_alone: bool) -> int | None:
        """The level of a block that is a heading, or None for any other.

        A heading is short and reads like words; its type is larger than the body's, or it is bold where little
        else is and stands alone.
        """
        text = " ".join(line.text for line in block)
        if len(block) > 3 or len(text) > _LONGEST_HEADING or not _reads(text):
            return None
        if all(self._is_large(line) for line in block):
            return self._levels.get(_rounded(block[0].size), _MOST_LEVELS)
        bold = self._bold_is_rare and len(block) <= 2 and all(line.bold for line in block)
        if bold and stands_alone and _names_a_part(text):
            return min(len(set(self._levels.values())) + 1, _MOST_LEVELS + 1)
        return None

    def _is_large(self, line: Line) -> bool:
        return line.size > _LARGER * self._body


def _rounded(size: float) -> float:
    return round(size / _STEP) * _STEP


def _reads(text: str) -> bool:
    """Whether a line holds words, and more letters than anything else."""
    letters = sum(1 for char in text if char.isalpha())
    return bool(_WORD.search(text)) and letters >= 0.5 * len(text.replace(" ", ""))


def _names_a_part(text: str) -> bool:
    """Whether a bold line looks like a heading.

    It begins like a name, does not end like a sentence, and is no date or period: those head columns of tables.
    """
    begins = text[0].isupper() or text[0].isdigit() or not text[0].isascii()
    tokens = text.split()
    numbers = sum(1 for token in tokens if token[0].isdigit())
    return begins and text[-1] not in ".,;:،؛" and len(text) > 3 and numbers <= 0.5 * len(tokens)
