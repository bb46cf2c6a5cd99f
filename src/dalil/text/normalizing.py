"""One spelling for every way of writing the same word.

Used on both sides of a search, never on what is shown or cited: the result does not keep positions.
"""

from __future__ import annotations

import unicodedata

_LETTERS = {
    "ى": "ي",  # alef maqsura, as Egyptian typists write ya
    "ة": "ه",  # ta marbuta
    "ٱ": "ا",  # alef wasla
    "ک": "ك",  # Persian and Urdu letter forms
    "ی": "ي",
    "ے": "ي",
    "ہ": "ه",
    "ە": "ه",
    "ھ": "ه",
    "٫": ".",
    "٬": ",",
    "٪": "%",
    "،": ",",
    "’": "'",
    "‘": "'",
    "ʼ": "'",
    "–": "-",
    "‑": "-",
    "‐": "-",
    "−": "-",
    "ı": "i",
    "\x00": " ",
}

# Scripts whose marks only decorate a letter. In the others (Indic, kana...) a mark is a letter of its own.
_DECORATED = ("LATIN", "GREEK", "CYRILLIC", "ARABIC", "HEBREW")


class _Folding(dict[int, str]):
    """A table for `str.translate` that works each character out once."""

    def __missing__(self, codepoint: int) -> str:
        folded = self[codepoint] = _fold(chr(codepoint))
        return folded


def _fold(character: str) -> str:
    if character in _LETTERS:
        return _LETTERS[character]
    category = unicodedata.category(character)
    if category in ("Cs", "Cf") or character == "ـ":  # surrogates, joiners and bidi controls, tatweel
        return ""
    if category == "Nd":
        return str(unicodedata.digit(character))
    name = unicodedata.name(character, "")
    if category == "Mn":
        return "" if name.startswith(("COMBINING", *_DECORATED)) else character
    if name.startswith(_DECORATED):
        base = unicodedata.normalize("NFKD", character)
        kept = "".join(part for part in base if unicodedata.category(part) != "Mn")
        return "".join(_LETTERS.get(part, part) for part in kept).casefold()
    return character.casefold()


_FOLDING = _Folding()


def normalise(text: str) -> str:
    """`text` with compatible forms composed, marks and tatweel dropped, letter variants, digits and case folded.

    Arabic: harakat and Quranic marks go; hamza seats become their bare letter; ة becomes ه and ى becomes ي;
    presentation forms become letters; Arabic-Indic and Persian digits become 0-9. Latin, Greek and Cyrillic
    lose accents and case. NULs become spaces; lone surrogates and invisible controls go.
    """
    return unicodedata.normalize("NFKC", text).translate(_FOLDING)


def remove_unencodable(text: str) -> str:
    """`text` without NULs and lone surrogates, which neither C strings nor UTF-8 can hold."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
