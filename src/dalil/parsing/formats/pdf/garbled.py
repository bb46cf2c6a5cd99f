"""Noticing an Arabic text layer that is not what the page shows."""

from __future__ import annotations

import re

_WORD = re.compile(r"[\u0620-\u064a\u066e-\u06d3]+")
_FREQUENT = frozenset(
    "من في فى على إلى الى عن أن إن ان لا ما هذا هذه التي الذي التى الذى مع بين كل أو او كان كما قد لم وقد ذلك وفي وفى "
    "ومن وعلى ولا هو هي هى بعد قبل عند حتى ثم غير وهو وهي أي أى بها به له لها فيها فيه إذا خلال".split()
)
_OTHER_LANGUAGES = re.compile("[پچژگکیےٹڈڑںھ]")
_FEWEST_WORDS = 100
_FEWEST_FREQUENT = 0.04
_MOST_MISPLACED = 0.1


def is_garbled(text: str) -> bool:
    """Whether an Arabic text is unreadable: broken letter codes, or letters in reverse.

    Running Arabic has a function word in every six to eleven words; a broken layer has next to none. Reversed words
    show final letters (ta marbuta, alef maqsura) at their beginnings. Short texts and other languages in Arabic
    script pass.
    """
    words = _WORD.findall(text)
    if len(words) < _FEWEST_WORDS or _OTHER_LANGUAGES.search(text):
        return False
    frequent = sum(1 for word in words if word in _FREQUENT)
    misplaced = sum(1 for word in words if word[0] in "ةى" and len(word) > 2)
    return frequent < _FEWEST_FREQUENT * len(words) or misplaced > _MOST_MISPLACED * len(words)
