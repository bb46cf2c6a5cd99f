"""Which of the old one-byte encodings a text is in, by whether it then consists of words.

General detectors weigh the statistics of dozens of languages and fail on short texts, above all on Arabic ones. A word
is written in one alphabet: bytes read in the wrong encoding mix alphabets, cases and symbols inside words.
"""

from __future__ import annotations

import re

_ARABIC = ("cp1256", "iso8859_6", "cp720")
_LATIN = ("cp1252", "cp1250", "cp1254", "mac_roman", "cp850")
_WORD = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ\u0620-\u065f\u066e-\u06d3]+")
# Letters, each with at most a doubling sign and a vowel sign.
_ARABIC_WORD = re.compile(r"(?:[\u0620-\u064a\u066e-\u06d3][\u064b-\u0652]{0,2}){2,}\Z|\u0648\Z")
_ARABIC_SIGN = re.compile(r"[\u0620-\u065f\u066e-\u06d3]")
_ARABIC_LETTER = re.compile(r"[\u0620-\u064a\u0671-\u06d3]")
_LETTER_WEIGHTS = {
    letter: weight
    for letters, weight in (("ال", 1.0), ("يمونرت", 0.8), ("بعدهةسفقكحأ", 0.5), ("جشصىخإط", 0.25))
    for letter in letters
}
_LEAST_MEAN_WEIGHT = 0.4
_FEW_LETTERS = 8
_TOLERATED_NOISE = 0.15
# What a word never holds: controls, symbols, and U+FFFD where a byte means nothing. Usual punctuation is no noise.
_NOISE = re.compile("[\x80-\x9f\ufffd¡-¦¨ª¬¯±-µ¸¹º¼-¿¤×÷]|[\u2200-\u25ff]")
_SYMBOL_IN_WORD = re.compile(r"(?<=[a-zß-ɏ])[^\w\s.,;:!?'’‘\"()\[\]/&@+*=<>|–—«»“”…°_#$%€-](?=[a-zß-ɏ])")
_CAPITAL_IN_WORD = re.compile(r"[a-zß-öø-ÿ][À-ÖØ-Þ]")
_WESTERN = frozenset("éèàùâêîôûçëïüäößñáíóúãõåøæœìòÉÈÀÇÄÖÜÑÁÍÓÚÅØÆÊÂÎÔ")
_TYPOGRAPHY = frozenset("“”‘’„–—…•€«»°§©®™£")
_REGIONAL = frozenset("ąćęłńśźżčěřšžýůďťňőűğışİŞĞĄĆĘŁŃŚŹŻČŘŠŽÝŐŰăĂ")


def arabic_encoding(data: bytes) -> str | None:
    """The Arabic encoding in which `data` consists of Arabic words and perhaps others, or None."""
    scores = {encoding: _arabic_score(data.decode(encoding, "replace")) for encoding in _ARABIC}
    best = max(scores, key=lambda encoding: scores[encoding])
    if scores[best] <= 0:
        return None
    # The Macintosh has the letters of ISO 8859-6, and a space of its own for Arabic text.
    return "mac_arabic" if best == "iso8859_6" and data.count(b"\xa0") > data.count(b" ") else best


def latin_encoding(data: bytes) -> str | None:
    """The encoding of a European text, or None where its letters are mostly not ASCII."""
    foreign = sum(byte > 0x7F for byte in data)
    letters = sum(byte < 0x80 and chr(byte).isalpha() for byte in data)
    if letters < foreign:
        return None
    best = max(_LATIN, key=lambda encoding: _latin_score(data.decode(encoding, "replace")))
    return best if _latin_score(data.decode(best, "replace")) > -foreign / 4 else None


def _arabic_score(text: str) -> float:
    """Above 0 for a text whose words are each in one alphabet, some of them Arabic; more for more frequent letters."""
    good = mixed = 0
    for word in _WORD.findall(text):
        if _ARABIC_WORD.match(word):
            good += len(word)
        elif _ARABIC_SIGN.search(word):
            mixed += len(word)
    letters = _ARABIC_LETTER.findall(text)
    frequent = sum(_LETTER_WEIGHTS.get(letter, 0) for letter in letters)
    if not good or mixed + len(_NOISE.findall(text)) > _TOLERATED_NOISE * good:
        return 0
    if len(letters) > _FEW_LETTERS and frequent < _LEAST_MEAN_WEIGHT * len(letters):
        return 0
    return good + frequent - 2 * mixed


def _latin_score(text: str) -> float:
    score = 0.0
    for char in text:
        if char > "\x7f":
            score += (
                1
                if char in _WESTERN or char in _TYPOGRAPHY
                else 0.9
                if char in _REGIONAL
                else -1
                if char.isalpha()
                else 0
            )
    noise = len(_SYMBOL_IN_WORD.findall(text)) + len(_CAPITAL_IN_WORD.findall(text))
    return score - 2 * noise - 3 * len(re.findall("[\x80-\x9f\ufffd]", text))
