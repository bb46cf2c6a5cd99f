"""Frames: a JSON header and raw bytes. Between processes and in spools nothing is pickled."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

_PREFIX = struct.Struct("<IQ")
_HEADER_BYTES = 256 * 1024 * 1024
_READ_AT_ONCE = 1024 * 1024
_JOINED_BYTES = 64 * 1024


class Readable(Protocol):
    """A raw or buffered file that is read."""

    def read(self, size: int, /) -> bytes | None: ...


class Writable(Protocol):
    """A raw or buffered file that is written."""

    def write(self, data: bytes | memoryview, /) -> int | None: ...


class Head(NamedTuple):
    """The beginning of a frame: its header, and how many bytes follow."""

    header: dict[str, Any]
    body_bytes: int


class Frame(NamedTuple):
    """A whole frame."""

    header: dict[str, Any]
    body: bytes


def write_frame(stream: Writable, header: Mapping[str, object], blobs: Sequence[bytes] = ()) -> int:
    """Writes a frame whose body is the blobs in a row; how many bytes it has in all.

    What JSON does not know is written as its string. Lone surrogates survive.
    """
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "surrogatepass")
    body_bytes = sum(map(len, blobs))
    start = _PREFIX.pack(len(head), body_bytes) + head
    if body_bytes <= _JOINED_BYTES:
        _write_all(stream, b"".join((start, *blobs)))
    else:
        for part in (start, *blobs):
            _write_all(stream, part)
    return len(start) + body_bytes


def read_head(stream: Readable) -> Head | None:
    """The next frame's beginning, or None where the stream ends.

    Raises:
        EOFError: the stream ends within it.
        ValueError: this is no frame.
    """
    first = stream.read(1)
    if not first:
        return None
    header_bytes, body_bytes = _PREFIX.unpack(first + read_exactly(stream, _PREFIX.size - 1))
    if header_bytes > _HEADER_BYTES:
        raise ValueError("the header of a frame is too long")
    header = json.loads(read_exactly(stream, header_bytes).decode("utf-8", "surrogatepass"))
    if not isinstance(header, dict):
        raise ValueError("the header of a frame is not an object")
    return Head(header, body_bytes)


def read_frame(stream: Readable, *, limit: int | None = None) -> Frame | None:
    """The next frame, or None where the stream ends.

    Raises:
        EOFError: the stream ends within it.
        ValueError: this is no frame, or its body has more than `limit` bytes.
    """
    head = read_head(stream)
    if head is None:
        return None
    if limit is not None and head.body_bytes > limit:
        raise ValueError("the body of a frame is too long")
    return Frame(head.header, read_exactly(stream, head.body_bytes))


def read_exactly(stream: Readable, size: int) -> bytes:
    """`size` bytes.

    Raises:
        EOFError: the stream has fewer.
    """
    parts: list[bytes] = []
    while size > 0:
        part = stream.read(min(size, _READ_AT_ONCE))
        if not part:
            raise EOFError("the stream ends within a frame")
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _write_all(stream: Writable, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) or 0 :]
