from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from dalil.chunking import StructureChunker
from dalil.models import Chunk, Document, Page

Cut = Callable[..., Sequence[Chunk]]

DOCUMENT = Document("d0c", "handbook.md", "hash")


def cut_pages(*texts: str, size: int = 60, overlap: int = 0) -> Sequence[Chunk]:
    pages = [Page(number, text) for number, text in enumerate(texts, start=1)]
    return StructureChunker().chunk(DOCUMENT, pages, size=size, overlap=overlap)


@pytest.fixture
def cut() -> Cut:
    """Cuts a document whose pages have these texts."""
    return cut_pages
