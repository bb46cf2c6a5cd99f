"""The answerer that needs no language model: it quotes the documents and invents nothing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from dalil.answering.evidence import Evidence, bare
from dalil.answering.prompts import Prompt
from dalil.answering.smalltalk import small_talk_reply
from dalil.errors import ConfigurationError
from dalil.models import PageImage
from dalil.text.messages import not_found

_FRAGMENT = re.compile(r"\S+\s*")
_WORD = re.compile(r"\S+")
_OWN_NUMBERS = re.compile(r"[ \t\u00a0]*\[[\s\d,،;\-–]*\d[\s\d,،;\-–]*\]")


@dataclass(frozen=True)
class SentenceWeights:
    """What makes a sentence the answer.

    `similarity` weighs its cosine with the question in the store's sentence space, `coverage` the share of the
    question's words in it, `passage` its chunk's score.
    """

    similarity: float = 0.0
    coverage: float = 1.0
    passage: float = 1.0


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
    ):
        if sentences < 1 or words < 1:
            raise ConfigurationError("The extractive answerer needs at least one sentence and one word.")
        self._sentences = sentences
        self._words = words
        self._weights = weights or SentenceWeights()

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        """The answer in fragments of one word.

        Raises:
            ConfigurationError: for a plain string: it needs the evidence that the engine's prompts carry.
        """
        for fragment in _FRAGMENT.findall(self._reply(prompt)):
            yield fragment

    async def transcribe(self, image: PageImage) -> str:
        """Always empty: reading pictures takes a vision model."""
        return ""

    def _reply(self, prompt: str) -> str:
        if not isinstance(prompt, Prompt):
            raise ConfigurationError(
                "The extractive answerer cannot follow free prompts.", advice="Give a language model for that."
            )
        if prompt.kind == "conversation":
            return small_talk_reply(prompt.question)
        chosen = _in_reading_order(self._chosen(self._ranked(prompt.evidence)))
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

    def _chosen(self, ranked: Sequence[_Pick]) -> list[_Pick]:
        """The best that fit the budget; where nothing fits, the beginning of the best."""
        chosen: list[_Pick] = []
        budget = self._words
        for pick in ranked:
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


def _rank(pick: _Pick) -> tuple[float, int, int]:
    return (-round(pick.score, 9), pick.item.marker, pick.start)


def _in_reading_order(picked: Sequence[_Pick]) -> list[_Pick]:
    """Sentences of one source stand as they do there; sources in the order of their best sentence."""
    order = list(dict.fromkeys(pick.item.marker for pick in picked))
    return sorted(picked, key=lambda pick: (order.index(pick.item.marker), pick.start))
