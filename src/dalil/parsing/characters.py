"""Which characters of a document reach its pages."""

from __future__ import annotations

import re

from dalil.parsing.invisible import CONTROLS, INVISIBLE, Findings, judge

_OTHER_LINE_ENDS = "\v\f\x85\u2028\u2029"
_CLASS = f"[{CONTROLS}{INVISIBLE}]"
# Searching for one character of a class is several times faster than searching for a run of them.
_UNWANTED = re.compile(f"{_CLASS}{_CLASS}*")
_ASCII_CONTROLS = dict.fromkeys([*range(9), *range(0x0E, 0x20), 0x7F])
_SPACES = re.compile(r"[ \t\n\r\f\v]+")
# A regular expression holds the interpreter; between pieces other threads run.
_PIECE = 256 * 1024


class Cleaner:
    """Cleans the texts of one document and counts what a reader of the document would never have seen."""

    def __init__(self) -> None:
        self._findings = Findings()

    def clean(self, text: str) -> str:
        """Text without controls, lone surrogates and invisible characters, its line ends as newlines.

        Joiners stay where they shape a word or an emoji. The rest is as it was.
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        for end in _OTHER_LINE_ENDS:
            text = text.replace(end, "\n")
        if text.isascii():
            return text.translate(_ASCII_CONTROLS)
        return "".join(_UNWANTED.sub(self._judge, piece) for piece in _pieces(text))

    def warnings(self) -> list[str]:
        """One sentence about what was hidden, or nothing. Marks that stand in honest texts are not mentioned."""
        found = self._findings.notable()
        return [f"hidden characters were left out: {', '.join(found)}"] if found else []

    def _judge(self, match: re.Match[str]) -> str:
        return judge(match, self._findings)


def clean(text: str) -> str:
    """Text as `Cleaner.clean` leaves it, without an account of what was left out."""
    return Cleaner().clean(text)


def one_line(text: str) -> str:
    """Text with every run of white space as one space. No-break spaces stay."""
    return _SPACES.sub(" ", text).strip(" ")


def _pieces(text: str) -> list[str]:
    """The text in pieces that end where a line does, if lines are not longer than a piece."""
    pieces = []
    start = 0
    while start < len(text):
        end = start + _PIECE
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
        pieces.append(text[start:end])
        start = end
    return pieces
