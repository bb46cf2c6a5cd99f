"""Where it is weighed, the best sentences are embedded when a question is asked."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.answering.evidence import number_evidence
from dalil.answering.extractive import EMBEDDED, ExtractiveAnswerer, SentenceWeights
from dalil.answering.prompts import answer_prompt
from dalil.models import Chunk, ScoredChunk, Vector


class Counting:
    """Knows which sentence is near any question; counts what it embeds."""

    def __init__(self, near: str):
        self.near = near
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.texts += texts
        return [[1.0, 0.0] if text in (self.near, texts[0]) else [0.0, 1.0] for text in texts]


def prompt_of(text: str) -> str:
    chunk = Chunk("d:0", "d", text, 1, 0, metadata={"source": "d.txt"})
    return answer_prompt("Which one?", number_evidence("Which one?", [ScoredChunk(chunk, 0.5)]))


async def said(answerer: ExtractiveAnswerer, text: str) -> str:
    return "".join([fragment async for fragment in answerer.generate(prompt_of(text))])


async def test_the_embedders_own_space_decides() -> None:
    embedder = Counting("The third is green.")
    answerer = ExtractiveAnswerer(sentences=1, weights=SentenceWeights(embedded=1.0), embedder=embedder)
    assert (
        await said(answerer, "The first is red. The second is blue. The third is green.") == "The third is green. [1]"
    )


async def test_only_the_best_few_are_embedded() -> None:
    embedder = Counting("nothing")
    answerer = ExtractiveAnswerer(weights=SentenceWeights(embedded=1.0), embedder=embedder)
    await said(answerer, " ".join(f"Sentence number {number} is here." for number in range(40)))
    assert len(embedder.texts) == 1 + EMBEDDED


async def test_nothing_is_embedded_for_nothing() -> None:
    embedder = Counting("nothing")
    answerer = ExtractiveAnswerer(weights=SentenceWeights(embedded=0.0), embedder=embedder)
    await said(answerer, "The first is red. The second is blue.")
    assert embedder.texts == []
