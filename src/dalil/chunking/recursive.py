"""The coarsest separator that works: headings, then paragraphs, lines, sentences, clauses, words, characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from dalil.chunking.cutting import Place, fitting, packed, trimmed
from dalil.chunking.flow import Flow
from dalil.models import Chunk, Document, Page
from dalil.text import estimate_tokens, split_sentences

Separator = Callable[[str, int, int], Iterable[int]]
"""Where, inside [start, end) of a text, another part may begin."""


class RecursiveChunker:
    """Splits what is larger than `size` at the coarsest separator in it, then joins neighbouring pieces up to `size`.

    No chunk is larger than `size`. Neighbours share as many whole pieces as `overlap` holds: none where the pieces
    are larger.
    """

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """The chunks of `pages` in order; sizes in estimated tokens."""
        flow = Flow(pages)
        headings = flow.headings()
        pieces = _pieces(flow.text, 0, len(flow.text), size, [lambda *_: headings, *_SEPARATORS])
        return flow.chunks(document, packed(flow.text, pieces, size, overlap))


def _pieces(text: str, start: int, end: int, size: int, separators: Sequence[Separator]) -> Iterator[Place]:
    start, end = trimmed(text, start, end)
    if start == end:
        return
    if estimate_tokens(text[start:end]) <= size:
        yield start, end
    elif separators:
        cuts = (cut for cut in separators[0](text, start, end) if start < cut < end)
        for first, last in pairwise([start, *cuts, end]):
            yield from _pieces(text, first, last, size, separators[1:])
    else:
        yield from fitting(text, start, end, size)


def _after(pattern: str) -> Separator:
    compiled = re.compile(pattern)
    return lambda text, start, end: [match.end() for match in compiled.finditer(text, start, end)]


def _sentences(text: str, start: int, end: int) -> list[int]:
    return [start + first for first, _ in split_sentences(text[start:end])]


_SEPARATORS: Sequence[Separator] = (
    _after(r"\n[^\S\n]*\n\s*"),
    _after(r"\n\s*"),
    _sentences,
    _after(r"[،؛,;:]\s+|[、，；]\s*"),
    _after(r"\s+"),
)
