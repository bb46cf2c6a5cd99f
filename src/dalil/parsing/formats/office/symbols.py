"""Characters given by font and number (`w:sym`)."""

from __future__ import annotations

_PRIVATE_USE = range(0xE000, 0xF900)
_SYMBOL_FONT_START = 0xF000
# The Symbol font's letters in the order of its own encoding.
_GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_GREEK_SMALL = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
# fmt: off
_SYMBOL = {
    **dict(enumerate(_GREEK, 0x41)),
    **dict(enumerate(_GREEK_SMALL, 0x61)),
    0xA3: "≤", 0xA5: "∞", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±",
    0xB3: "≥", 0xB4: "×", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…",
    0xC5: "⊕", 0xC7: "∩", 0xC8: "∪", 0xCC: "⊂", 0xCD: "⊆", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇",
    0xD6: "√", 0xD8: "¬", 0xD9: "∧", 0xDA: "∨", 0xDB: "⇔", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}
# fmt: on
_WINGDINGS = {0x6F: "☐", 0xA8: "☐", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑", 0xE0: "→", 0xDF: "←", 0xA7: "▪"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS}


def symbol(font: str, code: str) -> str:
    """The character; an empty string where it has no meaning outside its font."""
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    known = _FONTS.get(font.strip().lower(), {}).get(point & 0xFF)
    if known and (point < 0x100 or point >> 8 == _SYMBOL_FONT_START >> 8):
        return known
    return "" if point in _PRIVATE_USE or not 0 < point <= 0xFFFF else chr(point)
