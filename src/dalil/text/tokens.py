"""About how many tokens a language model makes of a text, without any model's vocabulary."""

from __future__ import annotations

import re

CHARACTERS_PER_TOKEN = 4.2
ARABIC_CHARACTERS_PER_TOKEN = 2.6
"""Code points per token, on the careful side for current multilingual vocabularies."""

_ARABIC_RUNS = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff]+")
_DENSE_RUNS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+"
)


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens of `text`: at least 1 unless it is empty.

    Arabic letters count 1/2.6 of a token, scripts written without spaces a whole one, all else 1/4.2.
    """
    return max(1, round(token_weight(text))) if text else 0


def token_weight(text: str) -> float:
    """The estimate before rounding: the weight of a whole is the sum of the weights of its parts."""
    arabic = dense = 0
    if not text.isascii():
        arabic = sum(map(len, _ARABIC_RUNS.findall(text)))
        dense = sum(map(len, _DENSE_RUNS.findall(text)))
    rest = len(text) - arabic - dense
    return arabic / ARABIC_CHARACTERS_PER_TOKEN + dense + rest / CHARACTERS_PER_TOKEN
