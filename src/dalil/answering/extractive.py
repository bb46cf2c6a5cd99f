"""The answerer that needs no language model: it quotes the documents and invents nothing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from dalil.answering.evidence import Evidence, EvidenceSentence, bare
from dalil.answering.prompts import Prompt
from dalil.answering.smalltalk import small_talk_reply
from dalil.errors import ConfigurationError
from dalil.models import PageImage
from dalil.text.messages import not_found

_FRAGMENT = re.compile(r"\S+\s*")


@dataclass(frozen=True)
class SentenceWeights:
    """What makes a sentence the answer: cosine with the question, coverage of it, and its chunk's score."""

    similarity: float = 0.3
    coverage: float = 0.3
    passage: float = 1.0


class ExtractiveAnswerer:
    """An LLMClient that answers with at most `sentences` verbatim sentences and `words` words, each with its marker."""

    def __init__(self, *, sentences: int = 2, words: int = 80, weights: SentenceWeights | None = None):
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
        chosen = list(self._chosen(prompt.evidence))
        if not chosen:
            return not_found(prompt.question)
        return " ".join(f"{' '.join(text.split())} [{marker}]" for marker, text in chosen)

    def _chosen(self, evidence: tuple[Evidence, ...]) -> Iterator[tuple[int, str]]:
        ranked = sorted(
            ((item, sentence) for item in evidence for sentence in item.sentences),
            key=lambda pair: (-round(self._score(*pair), 9), pair[0].marker, pair[1].start),
        )
        picked: list[tuple[Evidence, int, int]] = []
        seen: set[str] = set()
        budget = self._words
        for item, sentence in ranked:
            start, end = bare(item.text, sentence.start, sentence.end)
            words = item.text[start:end].split()
            if not words or " ".join(words) in seen:
                continue
            if len(words) > budget and picked:
                continue
            seen.add(" ".join(words))
            picked.append((item, start, end))
            budget -= len(words)
            if len(picked) == self._sentences:
                break
        for item, start, end in _in_reading_order(picked):
            yield item.marker, item.text[start:end]

    def _score(self, item: Evidence, sentence: EvidenceSentence) -> float:
        weights = self._weights
        return (
            weights.similarity * sentence.similarity
            + weights.coverage * sentence.coverage
            + weights.passage * item.score
        )


def _in_reading_order(picked: list[tuple[Evidence, int, int]]) -> list[tuple[Evidence, int, int]]:
    """Sentences of one source stand as they do there; sources in the order of their best sentence."""
    order = list(dict.fromkeys(item.marker for item, _, _ in picked))
    return sorted(picked, key=lambda pick: (order.index(pick[0].marker), pick[1]))
