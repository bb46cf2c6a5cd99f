"""What chunkers share: cutting what is too large, joining what is small, and making a chunk of its spans."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dalil.models import Chunk, Document, Span
from dalil.text import estimate_tokens, token_weight
from dalil.text.tokens import CHARACTERS_PER_TOKEN

_CONTINUING = re.compile("[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\u1160-\u11ff\u200c]")
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")
_SOFT_BREAK = re.compile(r"[،,;:؛\u3001\uff0c]\s|\s")

Place = tuple[int, int]
"""A half-open range of code points of some text."""


def fitting(text: str, start: int, end: int, largest: int) -> Iterator[Place]:
    """[start, end) in pieces of at most `largest` estimated tokens, cut at the last comma or space that fits."""
    reach = reach_of(largest)
    while estimate_tokens(window := text[start : min(end, start + reach)]) > largest:
        cut = start + _soft_cut(window, largest)
        yield start, start + len(text[start:cut].rstrip())
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def reach_of(tokens: int) -> int:
    """A number of code points that no text of at most `tokens` estimated tokens exceeds."""
    return int((tokens + 1) * CHARACTERS_PER_TOKEN) + 1


def longest_fit(text: str, largest: int) -> int:
    """How many code points of `text`, from its beginning, are at most `largest` estimated tokens; at least 1."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= largest:
            low = middle
        else:
            high = middle - 1
    return low


def _soft_cut(text: str, largest: int) -> int:
    longest = longest_fit(text, largest)
    breaks = [match.end() for match in _SOFT_BREAK.finditer(text, longest // 2, longest)]
    if breaks:
        return breaks[-1]
    whole = longest
    while whole > 1 and continues_character(text, whole):
        whole -= 1
    return whole if whole > 1 else longest


def continues_character(text: str, position: int) -> bool:
    """Whether a cut before `position` would part what is seen as one character: marks, emoji, flags, syllables."""
    if unicodedata.category(text[position])[0] == "M" or "\u200d" in text[position - 1 : position + 1]:
        return True
    if _CONTINUING.match(text, position):
        return True
    if not _FLAG_LETTER.match(text, position):
        return False
    first = position
    while first > 0 and _FLAG_LETTER.match(text, first - 1):
        first -= 1
    return (position - first) % 2 == 1


def packed(text: str, places: Iterable[Place], size: int, overlap: int) -> Iterator[Place]:
    """Neighbouring places joined up to `size` tokens; each begins with the last whole places of the one before, as
    many as `overlap` tokens hold. Only a place that is larger than `size` by itself gives a larger one."""
    held: list[Place] = []
    weight = 0.0
    for place in places:
        own = token_weight(text[slice(*place)])
        gap = token_weight(text[held[-1][1] : place[0]]) if held else 0.0
        if held and weight + gap + own > size:
            yield held[0][0], held[-1][1]
            held = _tail(text, held, min(overlap, size - gap - own))
            weight = token_weight(text[held[0][0] : held[-1][1]]) if held else 0.0
        weight += own + (gap if held else 0.0)
        held.append(place)
    if held:
        yield held[0][0], held[-1][1]


def _tail(text: str, places: list[Place], budget: float) -> list[Place]:
    """The last places that fit the budget, never all of them."""
    first, end = len(places), places[-1][1]
    while first > 1:
        start = places[first - 1][0]
        budget -= token_weight(text[start:end])
        if budget < 0:
            break
        first, end = first - 1, start
    return places[first:]


def trimmed(text: str, start: int, end: int) -> Place:
    """[start, end) without the white space at its ends; empty at `end` when there is nothing else."""
    inside = text[start:end].lstrip()
    start = end - len(inside)
    return start, start + len(inside.rstrip())


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """One span a page, from the start of its first to the end of its last."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].page == span.page:
            found[-1] = Span(span.page, found[-1].start, span.end)
        else:
            found.append(span)
    return tuple(found)


def chunk_of(
    document: Document, ordinal: int, spans: Sequence[Span], texts: Mapping[int, str], standing: Mapping[str, Any]
) -> Chunk:
    """The chunk at `spans` of the pages' `texts`; `standing` is what is known of its place in the document."""
    return Chunk(
        id=f"{document.id}:{ordinal}",
        document_id=document.id,
        text="\n".join(texts[span.page][span.start : span.end] for span in spans),
        page=spans[0].page,
        ordinal=ordinal,
        metadata={"source": document.source, **standing},
        spans=tuple(spans),
    )
