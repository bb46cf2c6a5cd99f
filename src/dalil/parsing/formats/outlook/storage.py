"""Storages of a compound file: folders of streams and further storages."""

from __future__ import annotations

from typing import Any

# The types of directory entries in a compound file.
_STORAGE, _STREAM = 1, 2


class Storage:
    """One storage of an `olefile.OleFileIO`; the root where no path is given. Names are compared without case."""

    def __init__(self, container: Any, path: tuple[str, ...] = ()) -> None:
        self._container = container
        self._path = path

    def stream(self, name: str) -> bytes | None:
        """A stream's bytes, or None."""
        place = [*self._path, name]
        if self._container.get_type(place) != _STREAM:
            return None
        data: bytes = self._container.openstream(place).read()
        return data

    def child(self, name: str) -> Storage | None:
        """A storage inside this one, or None."""
        place = (*self._path, name)
        return Storage(self._container, place) if self._container.get_type(list(place)) == _STORAGE else None

    def children(self, prefix: str) -> list[Storage]:
        """The storages inside this one whose names begin with `prefix`, in the order of their names."""
        depth = len(self._path)
        names = {
            place[depth]
            for place in self._container.listdir(streams=False, storages=True)
            if len(place) == depth + 1
            and [part.lower() for part in place[:depth]] == [part.lower() for part in self._path]
            and place[depth].lower().startswith(prefix)
        }
        return [Storage(self._container, (*self._path, name)) for name in sorted(names)]
