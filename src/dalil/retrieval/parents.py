"""From small chunks that were found to the large ones that they are part of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from dalil.models import Chunk, ScoredChunk, SentenceMatch, Span
from dalil.ports import PageStore
from dalil.retrieval.retriever import Retrieval
from dalil.scope import Scope
from dalil.text import sentences_of


async def parents_of(scope: Scope, kept: Sequence[ScoredChunk], pages: PageStore) -> list[ScoredChunk]:
    """`kept` with every child replaced by its parent, read from the stored pages; each parent once.

    A parent has the place and the score of its best child. A chunk without a parent stays as it is, and so does a
    child whose parent's pages are gone.
    """
    parents: dict[str, Chunk | None] = {}
    found = []
    for scored in kept:
        parent_id = parent_id_of(scored.chunk)
        if parent_id is None:
            found.append(scored)
        elif parent_id not in parents:
            parent = await _parent(scope, scored.chunk, parent_id, pages)
            parents[parent_id] = parent
            found.append(scored if parent is None else ScoredChunk(parent, scored.score))
        elif parents[parent_id] is None:
            found.append(scored)
    return found


def parent_sentences(parents: Sequence[ScoredChunk], retrieval: Retrieval) -> dict[str, list[SentenceMatch]]:
    """The sentences of each parent of which a child has scored ones, by the parent's id.

    A sentence scores what it, or the best piece of it, scored in a child, and 0 where no child was asked.
    """
    wanted = {scored.chunk.id: scored.chunk for scored in parents}
    known: dict[str, list[SentenceMatch]] = defaultdict(list)
    for child in {scored.chunk.id: scored.chunk for scored in (*retrieval.dense, *retrieval.lexical)}.values():
        parent = wanted.get(parent_id_of(child) or "")
        if parent is not None:
            known[parent.id] += _moved(retrieval.sentences.get(child.id, ()), child, parent)
    return {parent_id: _scored(wanted[parent_id], matches) for parent_id, matches in known.items() if matches}


def parent_id_of(chunk: Chunk) -> str | None:
    """The id of the passage that a chunk is a part of; None for a chunk that stands for itself."""
    place = _place(chunk)
    return f"{chunk.document_id}:p{place['ordinal']}" if place else None


def _place(chunk: Chunk) -> Mapping[str, Any] | None:
    """Where the parent of a chunk stands, as its chunker said it."""
    place = chunk.metadata.get("parent")
    return place if isinstance(place, Mapping) and "ordinal" in place and place.get("spans") else None


async def _parent(scope: Scope, child: Chunk, parent_id: str, pages: PageStore) -> Chunk | None:
    place = _place(child)
    assert place is not None
    spans = tuple(Span(*span) for span in place["spans"])
    parts = []
    for span in spans:
        text = await pages.page_text(scope, child.document_id, span.page)
        if text is None or len(text) < span.end:
            return None
        parts.append(text[span.start : span.end])
    return Chunk(
        id=parent_id,
        document_id=child.document_id,
        text="\n".join(parts),
        page=spans[0].page,
        ordinal=place["ordinal"],
        metadata={key: value for key, value in child.metadata.items() if key != "parent"},
        spans=spans,
    )


def _scored(parent: Chunk, known: Sequence[SentenceMatch]) -> list[SentenceMatch]:
    return [
        SentenceMatch(
            start,
            end,
            max((match.score for match in known if match.start < end and match.end > start), default=0.0),
        )
        for start, end in sentences_of(parent)
    ]


def _moved(matches: Sequence[SentenceMatch], child: Chunk, parent: Chunk) -> list[SentenceMatch]:
    """Matches in a child's text as matches in its parent's."""
    moved = []
    for match in matches:
        start, last = _offset_in(parent, child, match.start), _offset_in(parent, child, match.end - 1)
        if start is not None and last is not None:
            moved.append(SentenceMatch(start, last + 1, match.score))
    return moved


def _offset_in(parent: Chunk, child: Chunk, offset: int) -> int | None:
    """Where an offset of the child's text lies in the parent's text."""
    for begin, span in _laid_out(child):
        if begin <= offset < begin + span.end - span.start:
            position = span.start + offset - begin
            for parent_begin, parent_span in _laid_out(parent):
                if parent_span.page == span.page and parent_span.start <= position < parent_span.end:
                    return parent_begin + position - parent_span.start
    return None


def _laid_out(chunk: Chunk) -> list[tuple[int, Span]]:
    """The spans of a chunk, each with the offset at which it begins in the chunk's text."""
    places = []
    begin = 0
    for span in chunk.spans:
        places.append((begin, span))
        begin += span.end - span.start + 1
    return places
