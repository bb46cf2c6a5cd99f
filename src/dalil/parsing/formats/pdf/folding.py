"""From the characters that a PDF draws to the letters that they stand for."""

from __future__ import annotations

import re
import unicodedata

_PRESENTED = re.compile("[\ufb00-\ufb06\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc]")
_NOISE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u061c\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]"
)


def needs_folding(text: str) -> bool:
    """Whether `folded` would change a text."""
    return not text.isprintable() or (not text.isascii() and bool(_PRESENTED.search(text)))


def folded(text: str) -> str:
    """A word with its ligatures and presentation forms as letters, without soft hyphens and what cannot be seen."""
    text = _PRESENTED.sub(lambda match: unicodedata.normalize("NFKC", match[0]).strip(), text)
    if any("\ud800" <= char <= "\udfff" for char in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return _NOISE.sub("", text)
