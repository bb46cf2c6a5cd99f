"""Whole sentences, blind to headings."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.chunking.cutting import packed
from dalil.chunking.flow import Flow
from dalil.models import Chunk, Document, Page


class SentenceAwareChunker:
    """Packs whole sentences up to `size`; neighbours share as many whole sentences as `overlap` holds.

    No chunk is larger than `size`: a sentence that is, is cut at its last comma or space that fits.
    """

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """The chunks of `pages` in order; sizes in estimated tokens."""
        flow = Flow(pages)
        return flow.chunks(document, packed(flow.text, flow.sentences(size), size, overlap))
