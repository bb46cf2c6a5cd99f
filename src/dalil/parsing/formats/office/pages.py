"""Collecting blocks into pages."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.models import Page
from dalil.parsing.characters import clean
from dalil.parsing.markup import join_blocks


class PageBuilder:
    """Pages of blocks, counted from 1. A break on a page that is still empty does nothing."""

    def __init__(self) -> None:
        self._finished: list[Page] = []
        self._blocks: list[str] = []
        self._number = 1

    @property
    def number(self) -> int:
        """The number of the page that is being filled."""
        return self._number

    def add(self, block: str) -> None:
        """Puts a block on the current page."""
        if block.strip():
            self._blocks.append(block)

    def start_page(self) -> None:
        """Begins the next page."""
        if self._blocks:
            self._finish()

    def take(self) -> Iterator[Page]:
        """The pages finished since the last call."""
        finished, self._finished = self._finished, []
        yield from finished

    def take_last(self) -> Iterator[Page]:
        """The remaining pages; a document without text has one that is empty."""
        if self._blocks or self._number == 1:
            self._finish()
        yield from self.take()

    def _finish(self) -> None:
        self._finished.append(Page(self._number, clean(join_blocks(self._blocks))))
        self._number += 1
        self._blocks = []
