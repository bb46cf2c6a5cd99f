"""Writes compound files, the containers of Outlook's messages and older office programs, for the tests."""

from __future__ import annotations

import struct

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _MINI, _CUTOFF = 512, 64, 4096

Tree = dict[str, "bytes | Tree"]


def compound_file(tree: Tree) -> bytes:
    """A version 3 compound file: bytes become streams, dictionaries become storages."""
    return _Writer().write(tree)


class _Writer:
    def __init__(self) -> None:
        self.sectors: list[bytes] = []
        self.fat: list[int] = []
        self.mini = b""
        self.mini_fat: list[int] = []
        self.entries: list[list[int | str]] = []

    def write(self, tree: Tree) -> bytes:
        self.entries.append(["Root Entry", 5, _FREE, _FREE, _FREE, _END, 0])
        self.entries[0][4] = self._children(tree)
        start = self._store(self.mini) if self.mini else _END
        self.entries[0][5:7] = [start, len(self.mini)]
        mini_start = self._store(_numbers(self.mini_fat)) if self.mini_fat else _END
        mini_sectors = -(-len(self.mini_fat) * 4 // _SECTOR)
        directory = self._store(b"".join(_entry(*entry) for entry in self.entries))
        count = 1
        while (len(self.sectors) + count) * 4 > count * _SECTOR:
            count += 1
        places = list(range(len(self.sectors), len(self.sectors) + count))
        table = _numbers([*self.fat, *[_FAT] * count]).ljust(count * _SECTOR, b"\xff")
        header = struct.pack(
            "<8s16xHHHHH6xIIIIIIIII", bytes.fromhex("D0CF11E0A1B11AE1"), 0x3E, 3, 0xFFFE, 9, 6,
            0, count, directory, 0, _CUTOFF, mini_start, mini_sectors, _END, 0,
        )  # fmt: skip
        return header + _numbers([*places, *[_FREE] * (109 - count)]) + b"".join(self.sectors) + table

    def _children(self, tree: Tree) -> int:
        """Writes the entries of one storage as a chain of right siblings; the first entry's number."""
        previous = first = _FREE
        for name in sorted(tree, key=lambda name: (len(name), name.upper())):
            content = tree[name]
            number = len(self.entries)
            self.entries.append([name, 1 if isinstance(content, dict) else 2, _FREE, _FREE, _FREE, 0, 0])
            if isinstance(content, dict):
                self.entries[number][4] = self._children(content)
            else:
                self.entries[number][5:7] = [self._stream(content), len(content)]
            if previous == _FREE:
                first = number
            else:
                self.entries[previous][3] = number
            previous = number
        return first

    def _stream(self, data: bytes) -> int:
        if len(data) >= _CUTOFF:
            return self._store(data)
        if not data:
            return _END
        start, count = len(self.mini_fat), -(-len(data) // _MINI)
        self.mini += data.ljust(count * _MINI, b"\0")
        self.mini_fat += [*range(start + 1, start + count), _END]
        return start

    def _store(self, data: bytes) -> int:
        start, count = len(self.sectors), -(-len(data) // _SECTOR)
        padded = data.ljust(count * _SECTOR, b"\0")
        self.sectors += [padded[place : place + _SECTOR] for place in range(0, len(padded), _SECTOR)]
        self.fat += [*range(start + 1, start + count), _END]
        return start


def _entry(name: str, kind: int, left: int, right: int, child: int, start: int, size: int) -> bytes:
    encoded = name.encode("utf-16-le") + b"\0\0"
    return struct.pack("<64sHBBIII36xIQ", encoded, len(encoded), kind, 1, left, right, child, start, size)


def _numbers(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)
