"""BM25 and coverage: how well the words of a chunk match those of a question.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the idf that Lucene
uses, which is never negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

from dalil.models import LexicalSignals

K1 = 1.2
B = 0.75


@dataclass(frozen=True)
class WordStatistics:
    """What a namespace knows of its words: chunks with words, their tokens in all, chunks by term."""

    chunks: int
    tokens: int
    containing: Mapping[str, int]

    def idf(self, term: str) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) for a term that n of N chunks contain."""
        containing = self.containing.get(term, 0)
        return log(1.0 + (self.chunks - containing + 0.5) / (containing + 0.5))


class QueryScorer:
    """Scores chunks against one query, given as its analysed tokens (repeats count once)."""

    def __init__(self, terms: Iterable[str], statistics: WordStatistics):
        self.weights = {term: statistics.idf(term) for term in dict.fromkeys(terms)}
        self._total = sum(self.weights.values())
        self._average = statistics.tokens / statistics.chunks if statistics.chunks else 0.0

    def score(self, counts: Mapping[str, int], length: int) -> LexicalSignals:
        """The signals of a chunk of `length` tokens that holds each query term `counts[term]` times."""
        relative = length / self._average if self._average else 0.0
        damping = K1 * (1.0 - B + B * relative)
        bm25 = covered = 0.0
        for term, weight in self.weights.items():
            frequency = counts.get(term, 0)
            if frequency:
                bm25 += weight * frequency * (K1 + 1.0) / (frequency + damping)
                covered += weight
        return LexicalSignals(bm25, covered / self._total if self._total else 0.0)
