"""The context that an answer is made from: numbered sources within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from dalil.answering.evidence import Evidence, edges_first, number_evidence, page_spans
from dalil.answering.prompts import source_block
from dalil.models import Chunk, ScoredChunk, SentenceMatch
from dalil.rag.chunk_access import document_of, identity_of, text_of
from dalil.rag.chunks import LocalChunk
from dalil.text import sentences_of

_APART = "\n\n"


class Context(str):
    """The text of a context, which also carries its numbered evidence for whoever must not parse prose."""

    evidence: tuple[Evidence, ...]

    def __new__(cls, text: str, evidence: Sequence[Evidence]) -> Context:
        context = super().__new__(cls, text)
        context.evidence = tuple(evidence)
        return context


class ContextManager:
    """Builds contexts of at most `max_length` characters.

    Sources are numbered from the best on and cut only between sentences; the best stand at the beginning and at the
    end. The best source always has its first sentence in it, whatever the budget says.
    """

    def __init__(self, max_length: int = 4000):
        self.max_length = max_length

    def build(self, query: str, chunks: Iterable[Any]) -> Context:
        """The context for `query` from `chunks`: (chunk, score) pairs or chunks alone, of any make, best first."""
        kept: list[ScoredChunk] = []
        matches: dict[str, Sequence[SentenceMatch]] = {}
        weights: Mapping[str, float] = {}
        budget = self.max_length
        for chunk, score in map(_pair, chunks):
            scored = _scored(chunk, score)
            if not scored.chunk.text.strip():
                continue
            if isinstance(chunk, LocalChunk) and chunk.found is not None:
                matches.setdefault(chunk.chunk_id, chunk.found.sentences.get(chunk.chunk_id, ()))
                if not weights or chunk.found.question == query:
                    weights = chunk.found.weights
            fitting = self._fitting(scored, len(kept) + 1, budget)
            if fitting is None:
                if kept:
                    continue
                fitting = _shortened(scored, sentences_of(scored.chunk)[0][1] if sentences_of(scored.chunk) else 0)
            kept.append(fitting)
            budget -= len(source_block(_numbered(fitting, len(kept)))) + len(_APART)
            if len(fitting.chunk.text) < len(scored.chunk.text):
                break
        inside = {scored.chunk.id: len(scored.chunk.text) for scored in kept}
        evidence = number_evidence(query, kept, matches=_within(matches, inside), weights=weights)
        return Context(_APART.join(map(source_block, edges_first(evidence))), evidence)

    def _fitting(self, scored: ScoredChunk, marker: int, budget: int) -> ScoredChunk | None:
        """The chunk, or as many of its first sentences as the budget allows; None when not even one fits."""
        room = budget - len(source_block(_numbered(scored, marker))) + len(scored.chunk.text)
        if len(scored.chunk.text) <= room:
            return scored
        ends = [end for _, end in sentences_of(scored.chunk) if end <= room]
        return _shortened(scored, ends[-1]) if ends else None


def _pair(item: Any) -> tuple[Any, float]:
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], Real):  # NumPy's too
        return item[0], float(item[1])
    return item, 0.0


def _scored(chunk: Any, score: float) -> ScoredChunk:
    if isinstance(chunk, LocalChunk):
        return ScoredChunk(chunk.chunk, chunk.fused if chunk.found is not None else score)
    name = document_of(chunk) or "unknown"
    return ScoredChunk(Chunk(identity_of(chunk), name, text_of(chunk), 1, 0, metadata={"source": name}), score)


def _numbered(scored: ScoredChunk, marker: int) -> Evidence:
    return Evidence(marker, scored.chunk, scored.score, ())


def _shortened(scored: ScoredChunk, end: int) -> ScoredChunk:
    chunk = scored.chunk
    return replace(scored, chunk=replace(chunk, text=chunk.text[:end], spans=page_spans(chunk, 0, end)))


def _within(
    matches: Mapping[str, Sequence[SentenceMatch]], lengths: Mapping[str, int]
) -> dict[str, list[SentenceMatch]]:
    """The matches that lie in what was kept of their chunk."""
    return {key: [match for match in matches.get(key, ()) if match.end <= length] for key, length in lengths.items()}
