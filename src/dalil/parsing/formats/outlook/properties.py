"""The properties of a message or an attachment, by their numbers."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from dalil.parsing.encodings import decode
from dalil.parsing.formats.html import decode_html
from dalil.parsing.formats.outlook.storage import Storage

_TABLE = "__properties_version1.0"
_ENTRY = struct.Struct("<HHI8s")
_TEXT, _BYTE_TEXT, _BINARY = 0x001F, 0x001E, 0x0102
_MESSAGE_CODEPAGE, _INTERNET_CODEPAGE = 0x3FFD, 0x3FDE
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_UTF8 = 65001


class Properties:
    """Properties of fixed size stand in one table after a header; the others are streams named after their number."""

    def __init__(self, storage: Storage, *, header_bytes: int) -> None:
        self._storage = storage
        table = (storage.stream(_TABLE) or b"")[header_bytes:]
        entries = _ENTRY.iter_unpack(table[: len(table) // _ENTRY.size * _ENTRY.size])
        self._fixed = {number: value for _, number, _, value in entries}

    def text(self, number: int) -> str:
        """A property of text; an empty string where there is none."""
        wide = self._stream(number, _TEXT)
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self._stream(number, _BYTE_TEXT)
        return decode(narrow, self._encoding()).rstrip("\0") if narrow else ""

    def markup(self, number: int) -> str:
        """A property of HTML, which is stored as bytes or as text."""
        data = self._stream(number, _BINARY)
        return decode_html(data, self._encoding(_INTERNET_CODEPAGE)) if data else self.text(number)

    def data(self, number: int) -> bytes:
        """A property of bytes; empty where there is none."""
        return self._stream(number, _BINARY) or b""

    def time(self, number: int) -> str:
        """A moment, as mails write it; an empty string where there is none."""
        ticks = int.from_bytes(self._fixed.get(number, b""), "little")
        try:
            return format_datetime(_EPOCH + timedelta(microseconds=ticks // 10)) if ticks else ""
        except OverflowError:
            return ""

    def _encoding(self, number: int = _MESSAGE_CODEPAGE) -> str | None:
        """The code page that text without Unicode is declared to be in."""
        page = int.from_bytes(self._fixed.get(number, b"")[:4], "little")
        return None if not page else "utf-8" if page == _UTF8 else f"cp{page}"

    def _stream(self, number: int, kind: int) -> bytes | None:
        return self._storage.stream(f"__substg1.0_{number:04X}{kind:04X}")
