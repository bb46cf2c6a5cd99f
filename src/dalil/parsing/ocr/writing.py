"""From recognised words to a page's text, with the place of each word in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from dalil.geometry import PageGeometry, PlacedWord
from dalil.models import RecognizedText
from dalil.parsing.ocr.table import Word

_HYPHENS = "-\u2010\u00ad"


def recognized(words: Iterable[Word], width: int, height: int, engine: str, warnings: Sequence[str]) -> RecognizedText:
    """Paragraphs between blank lines, their lines as they stand; a word broken by a hyphen is whole again.

    `width` and `height` are the picture's, in pixels. Lines without any letter or digit are specks, and left out.
    """
    page = _Page(width, height)
    lines = [list(line) for _, line in groupby(words, key=lambda word: word.line)]
    lines = [line for line in lines if any(char.isalnum() for word in line for char in word.text)]
    for index, line in enumerate(lines):
        if index:
            page.go_on(lines[index - 1][-1], line[0])
        page.add(line)
    return RecognizedText(
        page.text,
        confidence=_confidence([word for line in lines for word in line]),
        engine=engine,
        geometry=PageGeometry.of(width, height, page.places),
        warnings=tuple(warnings),
    )


class _Page:
    """The text so far, and where its words stand."""

    def __init__(self, width: int, height: int):
        self.text = ""
        self.places: list[PlacedWord] = []
        self._width = max(1, width)
        self._height = max(1, height)

    def add(self, line: Sequence[Word]) -> None:
        for index, word in enumerate(line):
            self.text += " " * (index > 0)
            start = len(self.text)
            self.text += word.text
            self.places.append(
                PlacedWord(
                    start,
                    len(self.text),
                    word.left / self._width,
                    word.top / self._height,
                    word.right / self._width,
                    word.bottom / self._height,
                )
            )

    def go_on(self, last: Word, following: Word) -> None:
        """Separate the line that begins with `following` from the one before; a word may go on from there to here."""
        broken = self.text[-1] in _HYPHENS and self.text[-2:-1].isalpha() and following.text[:1].islower()
        if broken and last.paragraph[0] == following.paragraph[0]:
            self.text = self.text[:-1]
            place = self.places[-1]
            self.places[-1] = place._replace(end=place.end - 1)
        else:
            self.text += "\n" if last.paragraph == following.paragraph else "\n\n"


def _confidence(words: Sequence[Word]) -> float:
    """The words' confidence, weighted by their lengths; 0.0 when there are none."""
    letters = sum(len(word.text) for word in words)
    return sum(len(word.text) * word.confidence for word in words) / letters if letters else 0.0
