"""The encodings that RTF names by number."""

from __future__ import annotations

import codecs

USUAL = "cp1252"
SYMBOL = 2
_BY_CHARSET = {
    77: "mac_roman", 78: "cp932", 79: "cp950", 80: "cp949", 81: "mac_arabic", 83: "mac_greek", 84: "mac_cyrillic",
    85: "cp936", 128: "cp932", 129: "cp949", 130: "johab", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 179: "cp1256", 180: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_BY_WORD = {"ansi": USUAL, "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_BY_PAGE = {10000: "mac_roman", 10004: "mac_arabic", 65001: "utf-8"}


def of_charset(charset: int) -> str | None:
    """The encoding of a font's character set; None where the document's own holds."""
    return _BY_CHARSET.get(charset)


def of_word(word: str) -> str | None:
    """The encoding that a word of the header names."""
    return _BY_WORD.get(word)


def of_page(page: int) -> str | None:
    """The encoding of a code page; None for one that is not known."""
    encoding = _BY_PAGE.get(page, f"cp{page}")
    try:
        codecs.lookup(encoding)
    except LookupError:
        return None
    return encoding
