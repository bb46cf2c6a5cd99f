"""What the sizes of type in a document mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from dalil.parsing.formats.pdf.captions import is_caption
from dalil.parsing.formats.pdf.lines import Line

_LARGER = 1.15
_STEP = 0.5
_LONGEST_HEADING = 150
_MOST_LEVELS = 4
_WORD = re.compile(r"[^\W\d_]{2,}")


class Typography:
    """The size of body text in a document, and the sizes above it that headings are set in.

    It learns from every page by `add`, and may be asked when the last page was added.
    """

    def __init__(self) -> None:
        self._weights: Counter[float] = Counter()
        self._sizes_of_words: set[float] = set()
        self._bold = self._total = 0
        self._levels: dict[float, int] | None = None

    def add(self, lines: Iterable[Line]) -> None:
        """Learns from the lines of a page."""
        for line in lines:
            size, length = _rounded(line.size), len(line.text)
            self._weights[size] += length
            self._total += length
            self._bold += length if line.bold else 0
            if size not in self._sizes_of_words and _reads(line.text):
                self._sizes_of_words.add(size)
        self._levels = None

    def heading_level(self, block: Sequence[Line], *, stands_alone: bool) -> int | None:
        """The level of a block that is a heading, or None for any other.

        A heading is short and reads like words; its type is larger than the body's, or it is bold where little
        else is and stands alone.
        """
        text = " ".join(line.text for line in block)
        if len(block) > 3 or len(text) > _LONGEST_HEADING or not _reads(text) or is_caption(text):
            return None
        levels = self._levels_by_size()
        if all(self._is_large(_rounded(line.size)) for line in block):
            return levels.get(_rounded(block[0].size), _MOST_LEVELS)
        bold = self._bold < 0.3 * self._total and len(block) <= 2 and all(line.bold for line in block)
        if bold and stands_alone and _names_a_part(text):
            return min(len(set(levels.values())) + 1, _MOST_LEVELS + 1)
        return None

    @property
    def body(self) -> float:
        """The size of most text."""
        return max(self._weights, key=lambda size: self._weights[size], default=0.0)

    def _levels_by_size(self) -> dict[float, int]:
        if self._levels is None:
            large = sorted(filter(self._is_large, self._sizes_of_words), reverse=True)
            self._levels = {size: min(rank, _MOST_LEVELS) for rank, size in enumerate(large, 1)}
        return self._levels

    def _is_large(self, size: float) -> bool:
        return size > _LARGER * self.body


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
