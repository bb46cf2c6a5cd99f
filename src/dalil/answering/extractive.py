"""The answerer that needs no language model: it quotes the documents and invents nothing."""

from __future__ import annotations

import math
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from operator import mul

from dalil.answering.evidence import Evidence, bare
from dalil.answering.prompts import Prompt
from dalil.answering.smalltalk import small_talk_reply
from dalil.errors import ConfigurationError
from dalil.models import PageImage, Vector
from dalil.offloop import off_loop
from dalil.ports import Embedder, QueryEmbedder
from dalil.text.messages import not_found

_FRAGMENT = re.compile(r"\S+\s*")
_WORD = re.compile(r"\S+")
_OWN_NUMBERS = re.compile(r"[ \t\u00a0]*\[[\s\d,،;\-–]*\d[\s\d,،;\-–]*\]")


@dataclass(frozen=True)
class SentenceWeights:
    """What makes a sentence the answer.

    `similarity` weighs its cosine with the question in the store's sentence space, `coverage` the share of the
    question's words in it, `passage` its chunk's score, and `embedded` its cosine in the embedder's own space, for
    which the best candidates are embedded when a question is asked (0: they are not). A further sentence is said only
    if its score lies at most `margin` below the best one's.
    """

    similarity: float = 0.0
    coverage: float = 1.0
    passage: float = 1.0
    embedded: float = 0.0
    margin: float = math.inf


EMBEDDED = 8
"""Candidates that are embedded at question time: more of them hardly find more answers."""


@dataclass(frozen=True)
class _Pick:
    """A candidate: the evidence it stands in, its place there without bullets and bars, and its score so far."""

    item: Evidence
    start: int
    end: int
    score: float

    @property
    def text(self) -> str:
        """What is said: the source's own bracketed numbers would read as markers, so they are left out."""
        return " ".join(_OWN_NUMBERS.sub("", self.item.text[self.start : self.end]).split())


class ExtractiveAnswerer:
    """An LLMClient that answers with at most `sentences` verbatim sentences and `words` words, each with its marker.

    Raises:
        ConfigurationError: if it is given no sentence or no word to say.
    """

    def __init__(
        self,
        *,
        sentences: int = 2,
        words: int = 80,
        weights: SentenceWeights | None = None,
        embedder: Embedder | None = None,
    ):
        if sentences < 1 or words < 1:
            raise ConfigurationError("The extractive answerer needs at least one sentence and one word.")
        self._sentences = sentences
        self._words = words
        self._weights = weights or SentenceWeights()
        self._embedder = embedder

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        """The answer in fragments of one word.

        Raises:
            ConfigurationError: for a plain string: it needs the evidence that the engine's prompts carry.
        """
        for fragment in _FRAGMENT.findall(await self._reply(prompt)):
            yield fragment

    async def transcribe(self, image: PageImage) -> str:
        """Always empty: reading pictures takes a vision model."""
        return ""

    async def _reply(self, prompt: str) -> str:
        if not isinstance(prompt, Prompt):
            raise ConfigurationError(
                "The extractive answerer cannot follow free prompts.", advice="Give a language model for that."
            )
        if prompt.kind == "conversation":
            return small_talk_reply(prompt.question)
        ranked = await self._ranked_again(prompt.question, self._ranked(prompt.evidence))
        chosen = _in_reading_order(self._chosen(ranked))
        if not chosen:
            return not_found(prompt.question)
        return " ".join(f"{pick.text} [{pick.item.marker}]" for pick in chosen)

    def _ranked(self, evidence: Sequence[Evidence]) -> list[_Pick]:
        """Every quotable sentence, best first, each text once."""
        weights = self._weights
        picks = []
        for item in evidence:
            for sentence in item.sentences:
                start, end = bare(item.text, sentence.start, sentence.end)
                score = (
                    weights.similarity * sentence.similarity
                    + weights.coverage * sentence.coverage
                    + weights.passage * item.score
                )
                pick = _Pick(item, start, end, score)
                if pick.text:
                    picks.append(pick)
        unique: dict[str, _Pick] = {}
        for pick in sorted(picks, key=_rank):
            unique.setdefault(pick.text, pick)
        return list(unique.values())

    async def _ranked_again(self, question: str, ranked: list[_Pick]) -> list[_Pick]:
        """The best candidates by what is stored, ranked with their cosines in the embedder's own space."""
        if self._embedder is None or not self._weights.embedded or len(ranked) < 2:
            return ranked
        best = ranked[:EMBEDDED]
        asked, vectors = await off_loop(_embedded(self._embedder, question, [pick.text for pick in best]))
        rescored = [
            replace(pick, score=pick.score + self._weights.embedded * _cosine(asked, vector))
            for pick, vector in zip(best, vectors, strict=True)
        ]
        return sorted(rescored, key=_rank)

    def _chosen(self, ranked: Sequence[_Pick]) -> list[_Pick]:
        """The best that fit the budget and the margin; where nothing fits, the beginning of the best."""
        chosen: list[_Pick] = []
        budget = self._words
        for pick in ranked:
            if chosen and chosen[0].score - pick.score > self._weights.margin:
                break
            words = len(pick.text.split())
            if words > budget:
                continue
            chosen.append(pick)
            budget -= words
            if len(chosen) == self._sentences:
                break
        return chosen or [self._shortened(pick) for pick in ranked[:1]]

    def _shortened(self, pick: _Pick) -> _Pick:
        words = [*_WORD.finditer(pick.item.text, pick.start, pick.end)]
        return replace(pick, end=words[min(self._words, len(words)) - 1].end())


async def _embedded(embedder: Embedder, question: str, texts: list[str]) -> tuple[Vector, Sequence[Vector]]:
    if isinstance(embedder, QueryEmbedder):
        return await embedder.embed_query(question), await embedder.embed(texts)
    vectors = await embedder.embed([question, *texts])
    return vectors[0], vectors[1:]


def _cosine(left: Vector, right: Vector) -> float:
    lengths = math.sqrt(_product(left, left) * _product(right, right))
    return _product(left, right) / lengths if lengths else 0.0


def _product(left: Vector, right: Vector) -> float:
    return float(sum(map(mul, left, right)))


def _rank(pick: _Pick) -> tuple[float, int, int]:
    return (-round(pick.score, 9), pick.item.marker, pick.start)


def _in_reading_order(picked: Sequence[_Pick]) -> list[_Pick]:
    """Sentences of one source stand as they do there; sources in the order of their best sentence."""
    order = list(dict.fromkeys(pick.item.marker for pick in picked))
    return sorted(picked, key=lambda pick: (order.index(pick.item.marker), pick.start))
