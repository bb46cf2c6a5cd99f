"""An engine with one stage broken, each in a way that would pass for an engine."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from dalil.answering.carrying import CarryingRewriter
from dalil.answering.extractive import ExtractiveAnswerer
from dalil.answering.markers import MarkerFilter
from dalil.chunking import StructureChunker
from dalil.ingestion.contextualizing import TitleContextualizer
from dalil.models import Citation, ScoredChunk
from dalil.parsing import HeuristicBackend
from dalil.providers.local import FastEmbedder
from dalil.query import QueryEngine
from dalil.retrieval.fusion import WeightedFusion
from dalil.retrieval.gate import EvidenceGate, Verdict
from dalil.stores.sqlite.lexical import SqliteLexicalStore
from dalil.stores.sqlite.vectors import SqliteVectorStore


def parser(patch: pytest.MonkeyPatch) -> None:
    """Only the beginning of each page is read."""
    parse = HeuristicBackend.parse

    def short(self: Any, source: Any) -> Any:
        parsed = parse(self, source)
        pages = [replace(page, text=page.text[: len(page.text) // 2]) for page in parsed.pages]
        return replace(parsed, pages=tuple(pages))

    patch.setattr(HeuristicBackend, "parse", short)


def chunker(patch: pytest.MonkeyPatch) -> None:
    """Every other chunk is lost."""
    chunk = StructureChunker.chunk
    patch.setattr(StructureChunker, "chunk", lambda self, *given, **named: chunk(self, *given, **named)[::2])


def contextualizer(patch: pytest.MonkeyPatch) -> None:
    """What is embedded and indexed is the document's name alone."""

    async def contextualize(self: Any, document: Any, chunk: Any, *, full_text: str) -> str:
        return str(document.source)

    patch.setattr(TitleContextualizer, "contextualize", contextualize)


def embedder(patch: pytest.MonkeyPatch) -> None:
    """Vectors that mean nothing."""

    async def embed(self: Any, texts: Any) -> Any:
        return [[random.Random(text).gauss() for _ in range(512)] for text in texts]

    patch.setattr(FastEmbedder, "embed", embed)
    patch.setattr(FastEmbedder, "embed_sentences", embed)


def words(patch: pytest.MonkeyPatch) -> None:
    """The word index finds nothing."""

    async def search(self: Any, scope: Any, query: str, *, k: int) -> list[ScoredChunk]:
        return []

    async def signals(self: Any, *_: Any) -> Mapping[str, Any]:
        return {}

    patch.setattr(SqliteLexicalStore, "search", search)
    patch.setattr(SqliteLexicalStore, "lexical_signals", signals)


def vectors(patch: pytest.MonkeyPatch) -> None:
    """The vector index finds nothing, and has no cosines."""

    async def search(self: Any, *_: Any, **__: Any) -> list[ScoredChunk]:
        return []

    async def similarities(self: Any, *_: Any) -> Mapping[str, float]:
        return {}

    patch.setattr(SqliteVectorStore, "search", search)
    patch.setattr(SqliteVectorStore, "similarities", similarities)


def fusion(patch: pytest.MonkeyPatch) -> None:
    """The worst candidates first."""
    score = WeightedFusion.score
    patch.setattr(WeightedFusion, "score", lambda self, signals: -score(self, signals))


def gate(patch: pytest.MonkeyPatch) -> None:
    """Every question is answered."""
    patch.setattr(EvidenceGate, "judge", lambda self, retrieval: Verdict(True, 1.0))


def shut_gate(patch: pytest.MonkeyPatch) -> None:
    """No question is answered."""
    patch.setattr(EvidenceGate, "judge", lambda self, retrieval: Verdict(False, 0.0))


def context(patch: pytest.MonkeyPatch) -> None:
    """The prompt gets the last of what was kept in the place of the first."""

    async def in_parents(self: Any, kept: Any, scope: Any) -> list[ScoredChunk]:
        return list(reversed(kept))

    patch.setattr(QueryEngine, "in_parents", in_parents)


def answerer(patch: pytest.MonkeyPatch) -> None:
    """The first sentence of each source is said, whatever was asked."""

    async def generate(self: Any, prompt: Any) -> AsyncIterator[str]:
        for item in prompt.evidence[:2]:
            first = item.sentences[0]
            yield f"{item.text[first.start : first.end]} [{item.marker}] "

    patch.setattr(ExtractiveAnswerer, "generate", generate)


def markers(patch: pytest.MonkeyPatch) -> None:
    """Markers are lost on the way."""
    patch.setattr(MarkerFilter, "feed", lambda self, fragment: fragment.replace("[", "(").replace("]", ")"))


def citing(patch: pytest.MonkeyPatch) -> None:
    """Quotes are of another place than what they should prove."""
    cite = QueryEngine.cite

    async def elsewhere(self: Any, *given: Any) -> tuple[Citation, ...]:
        return tuple(replace(citation, quote=citation.source) for citation in await cite(self, *given))

    patch.setattr(QueryEngine, "cite", elsewhere)


def rewriter(patch: pytest.MonkeyPatch) -> None:
    """Follow-ups are asked as they are."""

    async def raw(self: Any, question: str, *_: Any) -> str:
        return question

    patch.setattr(CarryingRewriter, "rewrite", raw)


def isolation(patch: pytest.MonkeyPatch) -> None:
    """Answers of the turn before are shown again."""
    query = QueryEngine.query
    last: list[Any] = []

    async def stale(self: Any, *given: Any, **named: Any) -> Any:
        last.append(await query(self, *given, **named))
        return last[max(0, len(last) - 2)]

    patch.setattr(QueryEngine, "query", stale)


STAGES: Mapping[str, Callable[[pytest.MonkeyPatch], None]] = {
    broken.__name__: broken
    for broken in (
        parser,
        chunker,
        contextualizer,
        embedder,
        words,
        vectors,
        fusion,
        gate,
        shut_gate,
        context,
        answerer,
        markers,
        citing,
        rewriter,
        isolation,
    )
}
