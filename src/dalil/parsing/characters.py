"""Which characters of a document reach its pages."""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n?|[\v\f\x85]")
_UNPRINTABLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SPACES = re.compile(r"[ \t\n\r\f\v]+")


def clean(text: str) -> str:
    """Text without NULs, control characters and lone surrogates, its line ends as newlines; the rest as it was."""
    text = _LINE_ENDS.sub("\n", text)
    return _UNPRINTABLE.sub("", text.removeprefix("\ufeff"))


def one_line(text: str) -> str:
    """Text with every run of white space as one space. No-break spaces stay."""
    return _SPACES.sub(" ", text).strip(" ")
