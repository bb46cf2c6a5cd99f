"""Running headers, running footers and page numbers: what stands at the edge of page after page.

They are told from text by three signs: a line is the outermost on its page, or next to one that is known; it says the
same as on pages near it, or counts them; and unless it counts them, it stands where it stands there, apart from the
text. Nothing is found before several pages were seen: the pages are added first, then each is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from dalil.parsing.formats.pdf.edges import Row, rows_of, stands_apart, usual_pitch
from dalil.parsing.formats.pdf.lines import Line
from dalil.parsing.formats.pdf.page_numbers import Numbered, normal, other_words, readings

_MOST_ROWS = 4
_ENOUGH = 3
_ENOUGH_OF_TWO_WORDS = 5
_MANY_WORDS = 3
_LONGEST_PAUSE = 4
_SLIP = 2
_INNER_SHARE = 0.25
_LARGEST_TYPE = 1.3
_LONGEST = 200
_MOST_KEPT = 20_000
_REMEMBERED = 50
_MOST_SHOWN = 20
_SEPARATORS = " |-–—·•/"
_MOST_COMPARED = 20
_SHORTEST_MISREAD = 12
_MISREAD = 0.1


class _Place(NamedTuple):
    """A text at one edge of the page: at a rounded distance from it, or with a number that is `ahead` of the page's."""

    at_top: bool
    text: str
    distance: int | None = None
    ahead: int | None = None


@dataclass(slots=True)
class _Seen:
    """On how many pages in all, and one after the other; on which last, and with what number."""

    pages: int = 0
    run: int = 0
    longest: int = 0
    last: int = 0
    number: int | None = None

    def add(self, page: int, number: int | None) -> bool:
        """Counts a page; whether enough pages follow each other now for the first time."""
        if page == self.last:
            return False
        goes_on = self.last and page - self.last <= _LONGEST_PAUSE
        if goes_on and number is not None and self.number is not None:
            goes_on = number > self.number and abs((number - self.number) - (page - self.last)) <= _SLIP
        self.pages += 1
        self.run = self.run + 1 if goes_on else 1
        self.last, self.number = page, number
        if self.run <= self.longest:
            return False
        self.longest = self.run
        return self.longest == _ENOUGH


class Furniture:
    """What is repeated at the edges of a document's pages, counted page by page in bounded memory."""

    def __init__(self) -> None:
        self._seen: dict[_Place, _Seen] = {}
        self._pages = 0
        self._shown: dict[str, str] = {}
        self._repeated_at: dict[tuple[bool, int], dict[str, None]] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        """The first few texts that the outermost lines of pages repeat, without page numbers."""
        return tuple(self._shown.values())

    def add(self, number: int, lines: Sequence[Line], height: float) -> None:
        """Counts what stands at the edges of page `number`. Pages come in order; `height` is in points."""
        self._pages += 1
        if len(self._seen) > _MOST_KEPT:
            self._forget(number)
        for at_top in (True, False):
            for rank, row in enumerate(rows_of(lines, height, at_top=at_top)[:_MOST_ROWS]):
                for member in row.members:
                    self._count(lines[member].text, row, rank, number)

    def on_page(
        self, number: int, lines: Sequence[Line], height: float, others: Sequence[tuple[float, float]] = ()
    ) -> frozenset[int]:
        """Which lines of page `number` are furniture, by their places among them.

        They are never all that a page says. `others` are the lower and upper edges of what else it holds, as tables.
        """
        found: set[int] = set()
        for at_top in (True, False):
            found.update(self._at_edge(rows_of(lines, height, others, at_top=at_top), number, lines))
        return frozenset() if len(found) == len(lines) and not others else frozenset(found)

    def _count(self, line: str, row: Row, rank: int, number: int) -> None:
        text = normal(line)
        if not text or len(text) > _LONGEST:
            return
        repeated = self._stands(row, text, number, None) if row.near_edge else False
        if repeated and rank == 0:
            self._show(text, line)
        for reading in readings(text):
            repeated = False
            if rank == 0:
                place = _Place(row.at_top, reading.text, ahead=reading.number - number)
                repeated = self._seen.setdefault(place, _Seen()).add(number, None)
            if row.near_edge and _says_much(reading):
                repeated |= self._stands(row, reading.rest, number, reading.number)
            if repeated and rank == 0 and _says_much(reading):
                plain = (one.rest for one in readings(line) if normal(one.rest) == reading.rest)
                self._show(reading.rest, next(plain, reading.rest))

    def _show(self, text: str, line: str) -> None:
        if len(self._shown) < _MOST_SHOWN and other_words(text):
            self._shown.setdefault(text, line.strip(_SEPARATORS))

    def _stands(self, row: Row, text: str, page: int, number: int | None) -> bool:
        """Counts a text at about that place; whether it was seen often enough now for the first time."""
        seen = self._find(row, text)
        if seen is None:
            seen = self._seen[_Place(row.at_top, text, row.bins[0])] = _Seen()
        repeated = seen.add(page, number)
        if repeated:
            texts = self._repeated_at.setdefault((row.at_top, row.bins[0]), {})
            if len(texts) < _MOST_COMPARED:
                texts[text] = None
        return repeated

    def _find(self, row: Row, text: str) -> _Seen | None:
        for bin_ in row.bins:
            seen = self._seen.get(_Place(row.at_top, text, bin_))
            if seen:
                return seen
        return None

    def _forget(self, number: int) -> None:
        """Forgets what was seen once or twice, and not of late."""
        self._seen = {
            place: seen
            for place, seen in self._seen.items()
            if seen.longest >= self._enough or seen.last > number - _REMEMBERED
        }

    @property
    def _enough(self) -> int:
        return min(_ENOUGH, max(2, self._pages))

    def _at_edge(self, rows: Sequence[Row], number: int, lines: Sequence[Line]) -> Iterator[int]:
        """The lines at one edge that are furniture, from the outermost row inwards as long as rows are."""
        if not rows:
            return
        pitch = usual_pitch(rows)
        largest = _LARGEST_TYPE * median(line.size for line in lines)
        waiting: list[int] = []
        outer = 0
        for rank, row in enumerate(rows[:_MOST_ROWS]):
            if not row.members:
                return
            known = 0
            pages = [0]
            for member in row.members:
                text = normal(lines[member].text)
                if rank == 0 and self._counts_pages(row, text, number):
                    known += 1
                    yield member
                elif lines[member].size <= largest and (seen := self._repeated(row, text, outer)):
                    known += 1
                    pages.append(seen)
                    waiting.append(member)
            if rank + 1 == len(rows) or stands_apart(row, rows[rank + 1], pitch):
                yield from waiting
                waiting = []
            if known < len(row.members):
                return
            outer = max(outer, *pages)

    def _counts_pages(self, row: Row, text: str, number: int) -> bool:
        """Whether a line says the number of its page, as others do on the pages near it."""
        for reading in readings(text):
            words = other_words(reading.text)
            if words == 1:
                continue
            enough = _ENOUGH_OF_TWO_WORDS if words == 2 else self._enough
            seen = self._seen.get(_Place(row.at_top, reading.text, ahead=reading.number - number))
            if seen and seen.longest >= enough:
                return True
        return False

    def _repeated(self, row: Row, text: str, outer: int) -> int:
        """On how many pages a line stands there, if these are enough; `outer` is that of the row outside it."""
        if not row.near_edge:
            return 0
        texts = [text, *(reading.rest for reading in readings(text) if _says_much(reading))]
        for candidate in texts:
            seen = self._find(row, candidate)
            if seen and seen.longest >= self._enough and seen.pages >= _INNER_SHARE * outer:
                return seen.pages
        if outer:
            return 0
        known = (known for bin_ in row.bins for known in self._repeated_at.get((row.at_top, bin_), ()))
        return self._enough if any(_misread(one, candidate) for one in known for candidate in texts) else 0


def _says_much(reading: Numbered) -> bool:
    """Whether a line says enough besides its number to be known by it. "Article 5" is a heading."""
    return (other_words(reading.text) or 0) >= _MANY_WORDS


def _misread(known: str, text: str) -> bool:
    """Whether a text is a known one, but for a few letters that OCR took for others."""
    if len(text) != len(known) or len(text) < _SHORTEST_MISREAD:
        return False
    wrong = [pair for pair in zip(known, text, strict=True) if pair[0] != pair[1]]
    return len(wrong) <= _MISREAD * len(text) and all(one.isalpha() and other.isalpha() for one, other in wrong)
