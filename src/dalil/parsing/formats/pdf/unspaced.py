"""Scripts that are written without spaces between words."""

from __future__ import annotations

import re

_LONGEST_PIECE = 8
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)


def is_unspaced(text: str) -> bool:
    """Whether a text holds letters of a script without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    return not text.isascii() and bool(_UNSPACED.search(text))


def pieces(text: str) -> list[str]:
    """A long stretch without spaces in pieces that are small enough to be placed, each as a word is."""
    return [text[start : start + _LONGEST_PIECE] for start in range(0, len(text), _LONGEST_PIECE)]
