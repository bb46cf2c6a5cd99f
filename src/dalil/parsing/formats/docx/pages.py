"""Collecting blocks into pages."""

from __future__ import annotations

from dalil.models import Page
from dalil.parsing.characters import clean
from dalil.parsing.markup import join_blocks


class PageBuilder:
    """Pages of blocks, counted from 1. A break on a page that is still empty does nothing."""

    def __init__(self) -> None:
        self._done: list[list[str]] = []
        self._blocks: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether the current page holds nothing yet."""
        return not self._blocks

    def add(self, block: str) -> None:
        """Puts a block on the current page."""
        if block.strip():
            self._blocks.append(block)

    def start_page(self) -> None:
        """Begins the next page."""
        if self._blocks:
            self._done.append(self._blocks)
            self._blocks = []

    def pages(self) -> tuple[Page, ...]:
        """All pages; a document without text has one that is empty."""
        every = [*self._done, self._blocks] if self._blocks or not self._done else self._done
        return tuple(Page(number, clean(join_blocks(blocks))) for number, blocks in enumerate(every, 1))
