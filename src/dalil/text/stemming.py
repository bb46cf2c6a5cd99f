"""Word forms to stems: light stemming for Arabic, Snowball for everything in Latin letters."""

from __future__ import annotations

import re
import threading

# The light10 stemmer: Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval" (2007),
# on text that `normalise` has folded (so ta marbuta is already ه and alef maqsura ي).
_ARTICLES = ("وال", "بال", "كال", "فال", "ولل", "ال", "لل")
_SUFFIXES = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")


def stem_arabic(word: str) -> str:
    """A normalised Arabic word without conjunction, article and common endings.

    At least two letters stay after an article or an ending, three after a bare conjunction.
    """
    stem = word
    for article in _ARTICLES:
        if stem.startswith(article) and len(stem) - len(article) >= 2:
            stem = stem[len(article) :]
            break
    else:
        if stem.startswith("و") and len(stem) > 3:
            stem = stem[1:]
    for suffix in _SUFFIXES:
        if stem.endswith(suffix) and len(stem) - len(suffix) >= 2:
            stem = stem[: -len(suffix)]
    return stem


_stemmers = threading.local()  # a stemmer has a cache of its own, which threads must not share


def stem_english(word: str) -> str:
    """The Snowball (Porter 2) stem of a lower-case word."""
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        from Stemmer import Stemmer

        stemmer = _stemmers.english = Stemmer("english")
    return str(stemmer.stemWord(word))


_ARABIC_LETTER = re.compile("[\u0620-\u064a]")


def is_arabic(word: str) -> bool:
    """Whether a normalised word is written in Arabic letters."""
    return _ARABIC_LETTER.match(word) is not None
