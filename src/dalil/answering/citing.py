"""From markers to checked quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dalil.answering.evidence import Evidence, bare, page_spans
from dalil.models import Citation, Page, Span
from dalil.ports import PageLookup, PageStore
from dalil.scope import Scope
from dalil.text import analyze, sentences_of, split_sentences

_MARKERS = re.compile(r"(?:[ \t\u00a0]*\[\d+\])+")
_NUMBER = re.compile(r"\d+")
_PUNCTUATION = " \t\n.،,;؛:!?؟-–"
_PIECE = re.compile(r"\w+|[^\w\s]")
# Sources have bracketed numbers of their own, which an answer may leave out.
_BETWEEN = r"\s*(?:\[\d+\]\s*)*"
WHOLE_SENTENCE_BELOW = 4
"""A statement of fewer words is quoted with the whole sentence that it stands in."""


async def cite(text: str, evidence: Sequence[Evidence], scope: Scope, pages: PageStore | None) -> tuple[Citation, ...]:
    """The quotes behind the markers of `text`, in the order in which they are said, each once.

    A sentence that stands in its source word for word is quoted as it stands there; for any other, the source's
    sentence that shares the most of its words is quoted.
    """
    by_marker = {item.marker: item for item in evidence}
    citations: dict[tuple[int, int, int], Citation] = {}
    for statement, numbers in _statements(text):
        for number in numbers:
            item = by_marker.get(number)
            if item is None:
                continue
            for start, end in _support(statement, item):
                key = (number, start, end)
                if key not in citations:
                    citations[key] = await _citation(item, start, end, scope, pages)
    return tuple(citations.values())


def _statements(text: str) -> list[tuple[str, list[int]]]:
    """What is said between one group of markers and the next, with the numbers of the group that follows it.

    A marker may stand before the full stop of its sentence or after it.
    """
    found: list[tuple[str, list[int]]] = []
    position = 0
    for match in _MARKERS.finditer(text):
        numbers = [int(number) for number in _NUMBER.findall(match.group())]
        statement = text[position : match.start()].lstrip(_PUNCTUATION).rstrip()
        position = match.end()
        if statement or not found:
            found.append((statement, numbers))
        else:
            found[-1][1].extend(numbers)
    return found


def _support(statement: str, item: Evidence) -> list[tuple[int, int]]:
    exact = _verbatim(statement, item)
    if exact is not None:
        return [exact]
    places = []
    for start, end in split_sentences(statement) or [(0, len(statement))]:
        sentence = statement[start:end]
        if not sentence.strip(_PUNCTUATION) and statement:
            continue
        place = _verbatim(sentence, item) or _closest(sentence, item)
        if place is not None and place not in places:
            places.append(place)
    return places


def _verbatim(statement: str, item: Evidence) -> tuple[int, int] | None:
    """Where `statement` stands in the source, white space aside and with or without its final stop."""
    pieces = _PIECE.findall(statement)
    match = _found(pieces, item.text)
    if match is None and pieces and pieces[-1] in ".؟?!":
        match = _found(pieces[:-1], item.text)
    if match is None:
        return None
    if len(statement.split()) < WHOLE_SENTENCE_BELOW:
        for start, end in _sentence_places(item):
            whole = bare(item.text, start, end)
            if whole[0] <= match.start() and match.end() <= whole[1]:
                return whole
    return match.span()


def _found(pieces: Sequence[str], text: str) -> re.Match[str] | None:
    if not pieces:
        return None
    return re.search(rf"(?<!\w){_BETWEEN.join(map(re.escape, pieces))}(?!\w)", text)


def _sentence_places(item: Evidence) -> list[tuple[int, int]]:
    return [(sentence.start, sentence.end) for sentence in item.sentences] or sentences_of(item.chunk)


def _closest(statement: str, item: Evidence) -> tuple[int, int] | None:
    said = set(analyze(statement))
    similar = {(sentence.start, sentence.end): sentence.similarity for sentence in item.sentences}
    best: tuple[tuple[float, float, int], tuple[int, int]] | None = None
    for start, end in _sentence_places(item):
        place = bare(item.text, start, end)
        if place[0] == place[1]:
            continue
        words = set(analyze(item.text[slice(*place)]))
        shared = len(said & words) / (len(said) or 1) + 0.1 * len(said & words) / (len(words) or 1)
        rank = (shared, similar.get((start, end), 0.0), -start)
        if best is None or rank > best[0]:
            best = (rank, place)
    return best[1] if best else None


async def _citation(item: Evidence, start: int, end: int, scope: Scope, pages: PageStore | None) -> Citation:
    chunk = item.chunk
    spans = page_spans(chunk, start, end)
    quote = "\n".join(_slices(item.text, chunk.spans, start, end)) if spans else item.text[start:end]
    first = spans[0] if spans else Span(chunk.page, 0, 0)
    found = await _pages_of(chunk.document_id, spans, scope, pages)
    return Citation(
        marker=item.marker,
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        page=first.page,
        quote=quote,
        source=chunk.source,
        start=first.start,
        end=first.end,
        spans=spans,
        verified=bool(found) and "\n".join(page.text[span.start : span.end] for page, span in found) == quote,
        label=found[0][0].label if found else "",
        boxes=tuple(
            box
            for page, span in found
            if page.geometry is not None
            for box in page.geometry.boxes(page.number, span.start, span.end)
        ),
    )


def _slices(text: str, spans: Sequence[Span], start: int, end: int) -> list[str]:
    parts = []
    position = 0
    for span in spans:
        length = span.end - span.start
        first, last = max(start, position), min(end, position + length)
        if first < last:
            parts.append(text[first:last])
        position += length + 1
    return parts


async def _pages_of(
    document_id: str, spans: Sequence[Span], scope: Scope, pages: PageStore | None
) -> list[tuple[Page, Span]]:
    """Each span with its stored page; empty where one of them is not there."""
    found = []
    for span in spans:
        page = await _page(document_id, span.page, scope, pages)
        if page is None:
            return []
        found.append((page, span))
    return found


async def _page(document_id: str, number: int, scope: Scope, pages: PageStore | None) -> Page | None:
    if pages is None:
        return None
    if isinstance(pages, PageLookup):
        return await pages.page(scope, document_id, number)
    text = await pages.page_text(scope, document_id, number)
    return None if text is None else Page(number, text)
