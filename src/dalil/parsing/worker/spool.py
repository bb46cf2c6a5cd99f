"""The pages of a document, in memory while they are few and in a temporary file when they are many."""

from __future__ import annotations

import tempfile
import threading
import weakref
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, overload

from dalil.models import Page
from dalil.parsing.worker.frames import read_frame, write_frame
from dalil.parsing.worker.records import page_of, page_record

_IN_MEMORY_BYTES = 1024 * 1024


class SpooledPages(Sequence[Page]):
    """Pages that are read back when they are asked for; threads may share them.

    More than four megabytes of them lie in a temporary file without a name, which goes when the sequence does, or
    the process. A copy, pickled or not, is a tuple.
    """

    def __init__(self, *, in_memory_bytes: int = _IN_MEMORY_BYTES) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=in_memory_bytes)  # noqa: SIM115
        self._starts = array("Q")
        self._end = 0
        self._lock = threading.Lock()
        weakref.finalize(self, self._file.close)

    @property
    def size(self) -> int:
        """How many bytes the pages take."""
        return self._end

    def append(self, page: Page) -> None:
        """Add a page at the end.

        Raises:
            OSError: there is no room for it.
        """
        with self._lock:
            self._file.seek(self._end)
            size = write_frame(self._file, *page_record(page))
            self._starts.append(self._end)
            self._end += size

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Page: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Page, ...]: ...

    def __getitem__(self, index: int | slice) -> Page | tuple[Page, ...]:
        if isinstance(index, slice):
            return tuple(self._page_at(start) for start in self._starts[index])
        return self._page_at(self._starts[index])

    def __iter__(self) -> Iterator[Page]:
        for start in self._starts:
            yield self._page_at(start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # it is compared by its pages, and pages may hold much

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

    def __repr__(self) -> str:
        return f"SpooledPages({len(self)} pages, {self._end} bytes)"

    def _page_at(self, start: int) -> Page:
        with self._lock:
            self._file.seek(start)
            frame = read_frame(self._file)
        assert frame is not None
        return page_of(*frame)
