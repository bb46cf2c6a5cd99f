"""Pages on their way from the first look at a document to their text, kept on disk once they are many."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile

from dalil.parsing.formats.pdf.content import PageContent

_IN_MEMORY = 1024 * 1024


class PageSpool:
    """What was read of each page, in order; None for a page that could not be read.

    Only this object reads what it wrote itself, to a file without a name.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  # closed when the pages were taken
        self._count = 0

    def add(self, content: PageContent | None) -> None:
        """Keeps the next page."""
        pickle.dump(content, self._file, pickle.HIGHEST_PROTOCOL)
        self._count += 1

    def taken(self) -> Iterator[PageContent | None]:
        """The pages, once."""
        with self._file as file:
            file.seek(0)
            for _ in range(self._count):
                yield pickle.load(file)  # noqa: S301

    def close(self) -> None:
        """Forgets all pages."""
        self._file.close()
