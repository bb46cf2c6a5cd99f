"""Which language a text is in, by its letters."""

from __future__ import annotations

import re

_ARABIC = re.compile("[\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")

ARABIC_FROM = 0.25
"""A quarter of Arabic letters makes a text Arabic: questions often carry Latin names."""


def arabic_share(text: str) -> float:
    """The share of Arabic letters among the letters of `text`; 0.0 for a text without letters."""
    letters = len(_LETTER.findall(text))
    return len(_ARABIC.findall(text)) / letters if letters else 0.0


def detect_language(text: str) -> str:
    """`"ar"` when at least a quarter of the letters are Arabic, else `"en"`."""
    return "ar" if arabic_share(text) >= ARABIC_FROM else "en"
