"""Reading page numbers out of lines at the edges of pages."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_SPACE = re.compile(r"\s+")
_TATWEEL = "\u0640"
_NUMBERS = (
    re.compile(r"^[\W_]*(\d{1,5})(?!\d|[.,:]\d)"),
    re.compile(r"(?<!\d)(?<!\d[.,:])(\d{1,5})[\W_]*$"),
    re.compile(r"(?<!\d)(\d{1,5}) ?(?:/|\||of|de|sur|von|van|di|из|من) ?\d{1,5}[\W_]*$"),
)
_ROMAN = re.compile(r"^[\W_]*([ivxl]{1,8})[\W_]*$")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
_WORD = re.compile(r"\w+")
_PAGE_WORDS = frozenset("page p pg pp seite s página pagina pág strona стр страница صفحة ص صفحه".split())
PLACE = "#"
"""Stands in a text where its number was."""


class Numbered(NamedTuple):
    """A line without one of its numbers, and that number."""

    text: str
    number: int

    @property
    def rest(self) -> str:
        """The text on whichever side of the number it stands."""
        return self.text.replace(PLACE, "").strip()


def normal(text: str) -> str:
    """A line as it is compared: without differences of case, white space, stretched letters and kinds of digits."""
    plain = unicodedata.normalize("NFKC", text).replace(_TATWEEL, "").casefold()
    digits = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in plain)
    return _SPACE.sub(" ", digits).strip()


def readings(text: str) -> list[Numbered]:
    """The ways in which a line (see `normal`) may say the number of its page."""
    found: dict[Numbered, None] = {}
    for pattern in _NUMBERS:
        match = pattern.search(text)
        if match:
            found.setdefault(Numbered(f"{text[: match.start(1)]}{PLACE}{text[match.end(1) :]}", int(match[1])))
    roman = _ROMAN.match(text)
    if roman:
        found.setdefault(Numbered(f"{text[: roman.start(1)]}{PLACE}{text[roman.end(1) :]}", _value(roman[1])))
    return list(found)


def _value(roman: str) -> int:
    values = [_ROMAN_VALUES[char] for char in roman]
    return sum(-value if value < max(values[place:]) else value for place, value in enumerate(values))


def other_words(text: str) -> int | None:
    """How many words a numbered line has besides its number; None where they only say that it is a page's number."""
    words = _WORD.findall(text)
    return None if all(word in _PAGE_WORDS or word.isdecimal() for word in words) else len(words)
