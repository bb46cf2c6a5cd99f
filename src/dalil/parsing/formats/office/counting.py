"""Counts as list labels write them: digits, letters, Roman numerals, Arabic letters."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LETTERS = {
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
    "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
}
_LONGEST_REPEAT = 10
_LARGEST_ROMAN = 3999


def written(count: int, kind: str) -> str:
    """`count` in a number format of Office Open XML; formats that are not known are written as digits."""
    if kind == "decimalZero":
        return f"{count:02d}"
    if kind in ("lowerRoman", "upperRoman") and 0 < count <= _LARGEST_ROMAN:
        text = roman(count)
        return text.upper() if kind == "upperRoman" else text
    letters = _LETTERS.get(kind)
    if letters and count > 0:
        repeat, index = divmod(count - 1, len(letters))
        return letters[index] * min(repeat + 1, _LONGEST_REPEAT)
    if kind == "ordinal":
        return f"{count}{_ending(count)}"
    return str(count)


def roman(count: int) -> str:
    """A Roman numeral in small letters."""
    text = ""
    for size, letters in _ROMAN:
        repeat, count = divmod(count, size)
        text += letters * repeat
    return text


def _ending(count: int) -> str:
    return "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
