"""Windows of one size, blind to what the text is made of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from dalil.chunking.cutting import Place, continues_character, longest_fit, reach_of
from dalil.chunking.flow import Flow
from dalil.models import Chunk, Document, Page
from dalil.text import token_weight

_WORD = re.compile(r"\S")
_WORD_START = re.compile(r"(?<=\s)\S")


class FixedSizeChunker:
    """Windows of `size` tokens that share about `overlap`, cut at white space where a window has any.

    No chunk is larger than `size`. A word is cut only when it is larger than `size` by itself, and a character
    (with its marks, or a joined emoji) likewise. What is shared begins at a word, so it may be less than `overlap`.
    """

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """The chunks of `pages` in order; sizes in estimated tokens."""
        flow = Flow(pages)
        return flow.chunks(document, _windows(flow.text, size, min(overlap, size - 1)))


def _windows(text: str, size: int, overlap: int) -> Iterator[Place]:
    end = 0
    start = _word_from(text, 0)
    while start < len(text):
        cut = _window_end(text, start, size)
        if cut <= end:  # what is shared leaves no room for anything new
            start = _word_from(text, end)
            continue
        yield start, cut
        end = cut
        if _word_from(text, end) == len(text):
            return
        start = _word_from(text, max(start + 1, _shared_from(text, start, end, overlap)))


def _word_from(text: str, position: int) -> int:
    match = _WORD.search(text, position)
    return match.start() if match else len(text)


def _window_end(text: str, start: int, size: int) -> int:
    window = text[start : start + reach_of(size)]
    end = start + longest_fit(window, size)
    if end == len(text) or text[end].isspace():
        return end
    if text[end - 1].isspace():
        return start + len(text[start:end].rstrip())
    words = text[start:end].rsplit(None, 1)
    if len(words) == 2:
        return start + len(words[0])
    return next((cut for cut in range(end, start, -1) if not continues_character(text, cut)), end)


def _shared_from(text: str, start: int, end: int, overlap: int) -> int:
    """Where the last `overlap` tokens of [start, end) begin: at a word, or in the midst of one that was cut."""
    places = range(max(start + 1, end - reach_of(overlap)), end)
    first = places.start + bisect_left(places, True, key=lambda place: token_weight(text[place:end]) <= overlap)
    word = _WORD_START.search(text, first, end)
    if word:
        return word.start()
    if text[end].isspace():
        return end
    return next((cut for cut in range(first, end) if not continues_character(text, cut)), end)
