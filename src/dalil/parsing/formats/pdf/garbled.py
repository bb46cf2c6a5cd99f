"""Noticing a text layer that is not what the page shows."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_UNMAPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\ufffe\uffff\U000f0000-\U0010ffff]")
_FEWEST_CHARACTERS = 20
_MOST_UNMAPPED = 0.25

_ARABIC = re.compile(r"[\u0620-\u064a\u066e-\u06d3]+")
_NOT_ARABIC_LETTER = re.compile(r"[^\u0621-\u063a\u0640-\u064a]")
_OTHER_LANGUAGE = 0.005
_FREQUENT = frozenset(
    "من في فى عن على إلى الى أن إن ان لا ما هذا هذه التي الذي التى الذى مع بين كل أو او كان كما قد لم وقد ذلك وفي وفى "
    "ومن وعلى ولا هو هي هى بعد قبل عند حتى ثم غير وهو وهي أي أى بها به له لها فيها فيه إذا خلال".split()
)
_FEWEST_WORDS = 100
_FEWEST_FREQUENT = 0.04
_FEWEST_DIFFERENT = 50
_FEWEST_LIKE_ARABIC = 0.86
_ONE_LETTER = str.maketrans("أإآٱىة", "اااايه")
# How often each letter stands in a thousand.
_ARABIC_LETTERS = dict(
    zip(
        "اليموهنرتبعدسفكقحجشطصخثضزذغئءظ",
        (176, 113, 90, 64, 56, 55, 53, 47, 45, 36, 32, 31, 27, 25, 22, 20, 17, 13, 10, 9, 8, 8, 7, 7, 6, 6, 5, 3, 3, 2),
        strict=True,
    )
)
_ONLY_AT_THE_END = "ةى"
_FEWEST_WORDS_TO_SEE_REVERSAL = 40
_MOST_MISPLACED = 0.1

_LATIN = re.compile(r"[^\W\d_]{4,25}")
_LATIN_END = "\u0250"
_FEWEST_LATIN_WORDS = 40
_FEWEST_LIKE_LATIN = 0.65
_SMALLEST_ALPHABET = 15
_LATIN_LETTERS = dict(
    zip(
        "eaintosrdluhmcgpbyvwfkzjxq",
        (119, 100, 83, 80, 71, 66, 65, 61, 47, 39, 34, 32, 29, 29, 22, 17, 17, 16, 16, 14, 13, 13, 7, 7, 2, 1),
        strict=True,
    )
)
_SIGNS = frozenset("!\"#$%&'+/:;<>?@[\\]^`{}~")
_FEWEST_SIGNS = 200
_MOST_SIGNS = 0.4


def is_garbled(text: str) -> bool:
    """Whether a text is not what a reader sees: letters that its font does not name, or names wrongly, or reversed.

    Each sign is one that no readable page shows, so short texts and languages that are not known here pass.
    """
    visible = [char for char in text if not char.isspace()]
    if len(visible) < _FEWEST_CHARACTERS:
        return False
    if len(_UNMAPPED.findall(text)) > _MOST_UNMAPPED * len(visible):
        return True
    return _is_no_arabic(_ARABIC.findall(text)) or _is_no_latin(text) or _is_all_signs(visible)


def _is_no_arabic(words: Sequence[str]) -> bool:
    """Whether Arabic words are none.

    Running Arabic has a function word in every six to eleven words; a broken layer has next to none. So has a list of
    names, but its letters are as frequent as in any other Arabic text. Reversed words show final letters (ta marbuta,
    alef maqsura) at their beginnings. Other languages in Arabic script are known by their own letters.
    """
    if len(words) < _FEWEST_WORDS_TO_SEE_REVERSAL:
        return False
    letters = "".join(words)
    if len(_NOT_ARABIC_LETTER.findall(letters)) > _OTHER_LANGUAGE * len(letters):
        return False
    misplaced = sum(1 for word in words if word[0] in _ONLY_AT_THE_END and len(word) > 2)
    if misplaced > _MOST_MISPLACED * len(words):
        return True
    frequent = sum(1 for word in words if word in _FREQUENT)
    if len(words) < _FEWEST_WORDS or frequent >= _FEWEST_FREQUENT * len(words):
        return False
    different = set(words)
    letters = "".join(different).translate(_ONE_LETTER)
    return len(different) >= _FEWEST_DIFFERENT and _likeness(letters, _ARABIC_LETTERS) < _FEWEST_LIKE_ARABIC


def _is_no_latin(text: str) -> bool:
    """Whether Latin words are no words of any language: their letters are as frequent as in none.

    Codes that use few letters, as those of genes or hexadecimal numbers do, are no words either, but can be read.
    """
    words = {word for word in _LATIN.findall(text) if max(word) < _LATIN_END}
    if len(words) < _FEWEST_LATIN_WORDS:
        return False
    letters = [char for char in unicodedata.normalize("NFD", "".join(words).lower()) if char.isalpha()]
    return len(set(letters)) >= _SMALLEST_ALPHABET and _likeness(letters, _LATIN_LETTERS) < _FEWEST_LIKE_LATIN


def _likeness(letters: Iterable[str], usual: Mapping[str, int]) -> float:
    """How much letters are as frequent as usual: the cosine between both frequencies. Each word should count once."""
    counts = Counter(letters)
    product = sum(count * usual.get(letter, 0) for letter, count in counts.items())
    return product / (math.hypot(*counts.values()) * math.hypot(*usual.values()))


def _is_all_signs(visible: Sequence[str]) -> bool:
    """Whether a text is made of the signs that letters turn into where codes are shifted below the alphabet."""
    signs = sum(1 for char in visible if char in _SIGNS)
    return len(visible) >= _FEWEST_SIGNS and signs > _MOST_SIGNS * len(visible)
