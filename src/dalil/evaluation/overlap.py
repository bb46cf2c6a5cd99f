"""What two texts share: the content tokens that every reference-based measure here counts.

Tokens are those by which dalil searches (`dalil.text.analyze`): case, harakat, spellings and digits folded, stop words
dropped, words stemmed. Stemmed, because Arabic writes its article, conjunctions and pronouns onto the word: «والعقد»
and «العقد» are the same word said twice, as "and the contract" and "the contract" are. Whole words would score an
Arabic answer below the same answer in English; ASCII words, as overlap is often counted, would not see it at all.
"""

from __future__ import annotations

import re

from dalil.text import analyze, normalise

_MARKER = re.compile(r"[ \t\u00a0]*\[\s*\d+\s*\]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def without_markers(text: str) -> str:
    """The text without its `[n]`."""
    return _MARKER.sub("", text)


def content_tokens(text: str) -> frozenset[str]:
    """The distinct content tokens of a text, markers aside."""
    return frozenset(analyze(without_markers(text)))


def coverage(reference: str, produced: str) -> float:
    """The share of the reference's content tokens that the produced text has; 1.0 for a reference without any."""
    wanted = content_tokens(reference)
    return len(wanted & content_tokens(produced)) / len(wanted) if wanted else 1.0


def numbers(text: str) -> frozenset[str]:
    """The numbers written in a text, in European digits, markers and thousands separators aside."""
    return frozenset(number.replace(",", "") for number in _NUMBER.findall(normalise(without_markers(text))))


def contains(expected: str, text: str) -> bool:
    """Whether `text` has `expected` in it: case, white space and the spellings of one word folded.

    A number is found only as a whole: 5 is not in 15, in 5.5 or in a marker.
    """
    wanted = _folded(expected)
    if not wanted:
        return True
    said = _folded(text if _MARKER.search(expected) else without_markers(text))
    before = r"(?<![0-9])(?<![0-9][.,])" if wanted[0].isdigit() else ""
    after = r"(?![0-9]|[.,][0-9])" if wanted[-1].isdigit() else ""
    return re.search(f"{before}{re.escape(wanted)}{after}", said) is not None


def _folded(text: str) -> str:
    return " ".join(normalise(text).split())
