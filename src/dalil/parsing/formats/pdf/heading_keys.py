"""Recognising a heading that is named elsewhere, however its letters are spaced, ordered or numbered there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

_NUMBERING = re.compile(r"^[\W_]*\d+(?:[.\-]\d+)*[\W_]*\s(?=.*[^\W\d_])", re.S)
_TATWEEL = "\u0640"
_LONGEST = 300


def heading_key(text: str) -> str:
    """What two writings of one heading have in common: their letters, sorted, and their digits.

    A page may hold Arabic letters in the order in which they are drawn, so that their order tells nothing. Empty for
    texts without letters and digits, and for those too long to be headings.
    """
    if len(text) > _LONGEST:
        return ""
    plain = unicodedata.normalize("NFKC", text).replace(_TATWEEL, "").casefold()
    return "".join(sorted(filter(str.isalpha, plain))) + "".join(filter(str.isdigit, plain))


def without_numbering(text: str) -> str:
    """A heading without its number: "1.2 Scope" becomes "Scope"."""
    return _NUMBERING.sub("", text)


def named_level(headings: Mapping[str, int], text: str) -> int | None:
    """The level of a text among headings that are given by their keys, or None where it is none of them."""
    if not headings or len(text) > _LONGEST:
        return None
    level = headings.get(heading_key(text))
    return level if level is not None else headings.get(heading_key(without_numbering(text)))
