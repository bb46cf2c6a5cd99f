"""RTF as a sequence of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?"
    rb"|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])"
    rb"|(?P<brace>[{}])"
    rb"|[\r\n\0]+"
    rb"|(?P<text>[^\\{}\r\n\0]+)",
    re.DOTALL,
)
_STRUCTURE = re.compile(rb"\\bin(\d{1,10}) ?|\\.|[{}]", re.DOTALL)


class Token(NamedTuple):
    """One token: a control word with its number, a symbol, a brace, or bytes of text."""

    kind: str
    text: str = ""
    number: int | None = None
    data: bytes = b""


class Tokens:
    """Goes through the bytes of a document. Binary data never becomes text."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data = data
        self._place = start

    def __iter__(self) -> Iterator[Token]:
        while match := _TOKEN.match(self._data, self._place):
            self._place = match.end()
            if match["text"] is not None:
                yield Token("text", data=match["text"])
            elif match["hex"] is not None:
                yield Token("bytes", data=bytes.fromhex(match["hex"].decode()))
            elif match["word"] is not None:
                number = int(match["number"]) if match["number"] else None
                word = match["word"].decode()
                if word == "bin":
                    self._place += max(0, number or 0)
                else:
                    yield Token("word", word, number)
            elif match["brace"] is not None:
                yield Token(match["brace"].decode())
            elif match["symbol"] is not None:
                yield Token("symbol", match["symbol"].decode("latin-1"))

    def skip_group(self) -> None:
        """Goes to the brace that closes the current group."""
        depth = 0
        for match in _STRUCTURE.finditer(self._data, self._place):
            if match.start() < self._place:
                continue
            found = match[0]
            if found == b"{":
                depth += 1
            elif found == b"}":
                if depth == 0:
                    self._place = match.start()
                    return
                depth -= 1
            elif match[1]:
                self._place = match.end() + int(match[1])
        self._place = len(self._data)
