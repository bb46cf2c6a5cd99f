"""From a question to ranked candidates with their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from dalil.models import Chunk, LexicalSignals, ScoredChunk, SentenceMatch, Vector
from dalil.offloop import off_loop
from dalil.ports import (
    Embedder,
    LexicalScorer,
    LexicalStore,
    QueryEmbedder,
    SentenceEmbedder,
    SentenceStore,
    TermWeights,
    VectorScorer,
    VectorStore,
)
from dalil.retrieval.fusion import WeightedFusion
from dalil.retrieval.signals import Candidate, Signals
from dalil.scope import Scope

DEPTH = 50
"""Candidates that each channel gives at least, and that get sentence scores: fusion needs more than it returns."""


@dataclass(frozen=True)
class Retrieval:
    """What was found for one question: both channels, the fused candidates, and their sentences.

    `sentences` and `weights` are empty where the stores do not offer them.
    """

    question: str
    dense: Sequence[ScoredChunk] = ()
    lexical: Sequence[ScoredChunk] = ()
    candidates: Sequence[Candidate] = ()
    sentences: Mapping[str, Sequence[SentenceMatch]] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)


class Retriever:
    """Searches both channels and fuses them by weighted addition.

    Stores that can score a given chunk (VectorScorer, LexicalScorer) make the signals of the union exact; for the
    others a chunk that a channel did not return counts as its weakest result, or as no match.
    """

    def __init__(
        self,
        *,
        embedder: Embedder,
        vector_store: VectorStore,
        lexical_store: LexicalStore,
        fusion: WeightedFusion | None = None,
    ):
        self._embedder = embedder
        self._vectors = vector_store
        self._words = lexical_store
        self._fusion = fusion or WeightedFusion()

    async def retrieve(self, question: str, scope: Scope, *, k: int) -> Retrieval:
        """The best `k` candidates of the scope, best first."""
        depth = max(k, DEPTH)
        vector = await off_loop(embed_query(self._embedder, question))
        dense = await self._vectors.search(scope, vector, k=depth)
        lexical = await self._words.search(scope, question, k=depth)
        chunks = {scored.chunk.id: scored.chunk for scored in (*dense, *lexical)}
        if not chunks:
            return Retrieval(question)
        cosines = await self._cosines(scope, vector, dense, chunks)
        words = await self._word_signals(scope, question, lexical, chunks)
        signals = _signals(chunks, cosines, words)
        sentences = await self._sentences(scope, question, self._best(chunks, signals, DEPTH))
        for key, found in sentences.items():
            strongest = max((match.score for match in found), default=0.0)
            signals[key] = replace(signals[key], sentence=max(0.0, strongest))
        candidates = self._ranked(chunks, signals)[:k]
        weights: Mapping[str, float] = {}
        if isinstance(self._words, TermWeights):
            weights = await self._words.term_weights(scope, question)
        return Retrieval(question, dense, lexical, candidates, sentences, weights)

    async def _cosines(
        self, scope: Scope, vector: Vector, dense: Sequence[ScoredChunk], chunks: Mapping[str, Chunk]
    ) -> Mapping[str, float]:
        known = {scored.chunk.id: scored.score for scored in dense}
        missing = [key for key in chunks if key not in known]
        if missing and isinstance(self._vectors, VectorScorer):
            return {**known, **await self._vectors.similarities(scope, vector, missing)}
        weakest = min(known.values(), default=0.0)
        return {**dict.fromkeys(missing, weakest), **known}

    async def _word_signals(
        self, scope: Scope, question: str, lexical: Sequence[ScoredChunk], chunks: Mapping[str, Chunk]
    ) -> Mapping[str, LexicalSignals]:
        if isinstance(self._words, LexicalScorer):
            return await self._words.lexical_signals(scope, question, list(chunks))
        return {scored.chunk.id: LexicalSignals(scored.score, 0.0) for scored in lexical}

    async def _sentences(
        self, scope: Scope, question: str, keys: Sequence[str]
    ) -> Mapping[str, Sequence[SentenceMatch]]:
        if not (isinstance(self._vectors, SentenceStore) and isinstance(self._embedder, SentenceEmbedder)):
            return {}
        vector = await off_loop(embed_as_sentence(self._embedder, question))
        return await self._vectors.match_sentences(scope, vector, keys)

    def _best(self, chunks: Mapping[str, Chunk], signals: Mapping[str, Signals], count: int) -> list[str]:
        return [candidate.chunk.id for candidate in self._ranked(chunks, signals)[:count]]

    def _ranked(self, chunks: Mapping[str, Chunk], signals: Mapping[str, Signals]) -> list[Candidate]:
        found = [Candidate(chunk, signals[key], self._fusion.score(signals[key])) for key, chunk in chunks.items()]
        return sorted(found, key=lambda candidate: candidate.scored.rank)


async def embed_query(embedder: Embedder, question: str) -> Vector:
    """The question's vector, from the embedder's own way with questions where it has one."""
    if isinstance(embedder, QueryEmbedder):
        return await embedder.embed_query(question)
    return (await embedder.embed([question]))[0]


async def embed_as_sentence(embedder: SentenceEmbedder, question: str) -> Vector:
    """The question's vector in the embedder's sentence space."""
    return (await embedder.embed_sentences([question]))[0]


def _signals(
    chunks: Mapping[str, Chunk], cosines: Mapping[str, float], words: Mapping[str, LexicalSignals]
) -> dict[str, Signals]:
    best = max((found.bm25 for found in words.values()), default=0.0)
    signals = {}
    for key in chunks:
        found = words.get(key, LexicalSignals(0.0, 0.0))
        signals[key] = Signals(
            dense=cosines.get(key, 0.0),
            lexical=found.bm25 / best if best > 0 else 0.0,
            coverage=found.coverage,
        )
    return signals
