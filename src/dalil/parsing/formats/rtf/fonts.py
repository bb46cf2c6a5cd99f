"""The fonts of an RTF document, as far as they say how bytes are to be read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dalil.parsing.formats.office.symbols import symbol
from dalil.parsing.formats.rtf.charsets import SYMBOL, USUAL, of_charset


class Fonts:
    """Gives the decoder for each font; the same one for the same encoding."""

    def __init__(self) -> None:
        self._encoding = USUAL
        self._charsets: dict[int, int] = {}
        self._pages: dict[int, str] = {}
        self._decoders: dict[str, Callable[[bytes], str]] = {}

    def add(self, font: int, charset: int) -> None:
        """A font and its character set."""
        self._charsets[font] = charset

    def add_page(self, font: int, encoding: str | None) -> None:
        """A font and the encoding of its code page, if it is known."""
        if encoding:
            self._pages[font] = encoding

    def set_encoding(self, encoding: str | None) -> None:
        """The encoding of fonts that have none of their own, if it is known."""
        self._encoding = encoding or self._encoding

    def decoder(self, font: int) -> Callable[[bytes], str]:
        """What turns bytes in a font into text. Bytes that mean nothing become U+FFFD."""
        charset = self._charsets.get(font, 0)
        if charset == SYMBOL:
            return _symbols
        encoding = self._pages.get(font) or of_charset(charset) or self._encoding
        if encoding not in self._decoders:
            self._decoders[encoding] = partial(_decoded, encoding)
        return self._decoders[encoding]


def _decoded(encoding: str, data: bytes) -> str:
    return data.decode(encoding, "replace")


def _symbols(data: bytes) -> str:
    """Letters of a symbol font; plain ones stay."""
    return "".join(symbol("symbol", f"{byte:x}") if byte > 0x7F else chr(byte) for byte in data)
