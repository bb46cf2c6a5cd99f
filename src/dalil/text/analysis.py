"""A text to the tokens by which it is found.

The same function reads documents and questions, so any string is a legal query: there is no query syntax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from dalil.text.normalizing import normalise
from dalil.text.stemming import is_arabic, stem_arabic, stem_english
from dalil.text.stopwords import ARABIC, ENGLISH

LONGEST_TOKEN = 80
"""Longer runs of letters are noise (encoded data, separators) and are cut to this many code points."""

# Scripts written without spaces, where words are found by overlapping pairs.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_UNSPACED}]"
# Possessive quantifiers (++, *+) keep this linear: what was read as one word is never given back letter by letter.
_TOKEN = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]++)"
    r"|(?P<switch>(?<![\w-])--?[^\W\d_][\w]*(?:-\w+)*)"
    r"|(?P<number>\d++(?:[.,]\d++)++)(?![\w])"
    rf"|(?P<compound>(?:{_LETTER}++'?+)++(?:[._@]{_LETTER}++)++)"
    rf"|(?P<word>(?:'*+{_LETTER}++)++'*+(?:\+\+|\#(?!\w))?)"
)
_PIECES = re.compile(r"[^\W_]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def analyze(text: str) -> list[str]:
    """The search tokens of `text`, in order, repeats kept; empty for a text without words.

    Arabic words are lightly stemmed, others get Snowball; stop words go. Names such as `C++`, `node.js`, `1.0.21`
    or `--flag` are kept whole, beside the words inside them. Scripts without spaces give pairs of characters.
    """
    tokens: list[str] = []
    for match in _TOKEN.finditer(normalise(text)):
        found = match.group()
        kind = match.lastgroup
        if kind == "word":
            token = _stem(found)
            if token:
                tokens.append(token)
        elif kind == "number":
            tokens.append(found.replace(",", "") if _THOUSANDS.fullmatch(found) else found[:LONGEST_TOKEN])
        elif kind == "unspaced":
            tokens.extend(_pairs(found))
        else:
            tokens.extend(_whole_and_parts(found))
    return tokens


def _whole_and_parts(name: str) -> Iterator[str]:
    yield name[:LONGEST_TOKEN]
    for piece in _PIECES.findall(name):
        token = _stem(piece)
        if token and token != name:
            yield token


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for position in range(len(run) - 1):
        yield run[position : position + 2]


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    """The token of one normalised word; empty for a stop word."""
    word = word.strip("'_")
    if word.endswith("'s"):
        word = word[:-2]
    word = word.replace("'", "")
    if not word or word in ENGLISH or word in ARABIC:
        return ""
    word = word[:LONGEST_TOKEN]
    if is_arabic(word):
        return stem_arabic(word)
    if word.isascii() and word.isalpha():
        return stem_english(word)
    return word
