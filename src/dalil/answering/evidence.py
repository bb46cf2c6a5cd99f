"""What an answer may rest on: numbered chunks and their sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dalil.models import Chunk, ScoredChunk, SentenceMatch, Span
from dalil.text import analyze, sentences_of

_LEADING = re.compile(r"(?:\s|[-*•‣◦▪–—](?=\s)|\|)+")
_TRAILING = re.compile(r"[\s|]+$")
_HEADING = re.compile(r"\s*#{1,6}\s")
_ABOVE_RULE = re.compile(r"[ \t]*\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|$)")


@dataclass(frozen=True)
class EvidenceSentence:
    """A sentence [start, end) of a chunk's text, its cosine with the question, and its coverage of it.

    `coverage` is the share of the question's words, weighted by idf, that the sentence contains.
    """

    start: int
    end: int
    similarity: float
    coverage: float


@dataclass(frozen=True)
class Evidence:
    """One source in the prompt: its marker, its chunk, the chunk's score, and the chunk's sentences."""

    marker: int
    chunk: Chunk
    score: float
    sentences: tuple[EvidenceSentence, ...]

    @property
    def text(self) -> str:
        return self.chunk.text


def number_evidence(
    question: str,
    candidates: Sequence[ScoredChunk],
    *,
    matches: Mapping[str, Sequence[SentenceMatch]] | None = None,
    weights: Mapping[str, float] | None = None,
) -> tuple[Evidence, ...]:
    """The candidates as sources 1, 2, ... in rank order.

    `matches` gives the stored sentences of each chunk with their cosines (else they are split here and have none),
    `weights` the idf of each search token of the question (else all weigh the same).
    """
    weights = weights or dict.fromkeys(analyze(question), 1.0)
    numbered = []
    for marker, candidate in enumerate(candidates, start=1):
        found = (matches or {}).get(candidate.chunk.id) or [
            SentenceMatch(start, end, 0.0) for start, end in sentences_of(candidate.chunk)
        ]
        sentences = tuple(_weighed(candidate.chunk.text, match, weights) for match in found)
        numbered.append(Evidence(marker, candidate.chunk, candidate.score, sentences))
    return tuple(numbered)


def _weighed(text: str, match: SentenceMatch, weights: Mapping[str, float]) -> EvidenceSentence:
    total = sum(weights.values())
    words = set(analyze(text[match.start : match.end])) if total else set()
    covered = sum(weight for term, weight in weights.items() if term in words)
    return EvidenceSentence(match.start, match.end, match.score, covered / total if total else 0.0)


def edges_first(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The best at the beginning and the end, the weakest in the middle, where models read least carefully.

    Liu et al., "Lost in the Middle: How Language Models Use Long Contexts" (2024).
    """
    return [*evidence[::2], *reversed(evidence[1::2])]


def bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A sentence without its list bullet or the outer bars of a table row.

    Empty for what answers nothing: a heading, a rule, the header row of a table.
    """
    if _HEADING.match(text, start, end) or not text[start:end].strip(" |:-=\n") or _ABOVE_RULE.match(text, end):
        return start, start
    leading = _LEADING.match(text, start, end)
    if leading:
        start = leading.end()
    trailing = _TRAILING.search(text, start, end)
    if trailing:
        end = trailing.start()
    return start, max(start, end)


def page_spans(chunk: Chunk, start: int, end: int) -> tuple[Span, ...]:
    """Where [start, end) of a chunk's text lies on its pages; empty for a chunk without spans."""
    found = []
    position = 0
    for span in chunk.spans:
        length = span.end - span.start
        first, last = max(start, position), min(end, position + length)
        if first < last:
            found.append(Span(span.page, span.start + first - position, span.start + last - position))
        position += length + 1
    return tuple(found)
