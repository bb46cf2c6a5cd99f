"""Bytes and characters of RTF as text."""

from __future__ import annotations

from collections.abc import Callable


class TextBuffer:
    """Collects text. Bytes wait until their encoding changes, since a character may take two of them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bytes = b""
        self._decode: Callable[[bytes], str] | None = None

    def add_bytes(self, data: bytes, decode: Callable[[bytes], str]) -> None:
        """Bytes, and what decodes them."""
        if self._decode is not decode:
            self._flush()
            self._decode = decode
        self._bytes += data

    def add(self, text: str) -> None:
        """Characters."""
        self._flush()
        self._parts.append(text)

    def take(self) -> str:
        """The text collected since the last call; halves of characters that were given one by one are joined."""
        self._flush()
        text = "".join(self._parts)
        self._parts = []
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _flush(self) -> None:
        if self._bytes and self._decode is not None:
            self._parts.append(self._decode(self._bytes))
        self._bytes = b""
