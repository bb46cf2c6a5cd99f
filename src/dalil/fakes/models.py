"""Fakes of models: they know nothing but which content words two texts share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from math import sqrt

from dalil.models import Chunk, Document, PageImage, ScoredChunk, Turn, Vector
from dalil.text import analyze
from dalil.text.messages import NOT_FOUND_MESSAGE

SMALL_TALK_REPLY = "Hello! Ask me anything about your documents."
"""What FakeLLMClient says when it is not asked about documents."""

_WORD = re.compile(r"\w+")
_FRAGMENT = re.compile(r"\s*\S+|\s+")


class FakeContextualizer:
    """Puts the document's source before the chunk's text."""

    async def contextualize(self, document: Document, chunk: Chunk, *, full_text: str) -> str:
        return f"[Context: {document.source}] {chunk.text}"


class FakeEmbedder:
    """Unit vectors of `dim` numbers by hashing words: the cosine follows the share of common content words."""

    def __init__(self, dim: int = 64) -> None:
        if dim <= 0:
            raise ValueError("dim must be positive")
        self.dim = dim

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dim
        for word in dict.fromkeys(analyze(text)):
            digest = hashlib.blake2b(word.encode(), digest_size=9).digest()
            vector[int.from_bytes(digest[:8], "big") % self.dim] += 1.0 if digest[8] % 2 else -1.0
        length = sqrt(sum(value * value for value in vector))
        if not length:  # no words, or words that cancel out: still a legal vector
            vector[len(text) % self.dim] = length = 1.0
        return [value / length for value in vector]


class FakeReranker:
    """Orders by the share of the query's content words that a chunk's text has; drops what shares none."""

    async def rerank(self, query: str, candidates: Sequence[ScoredChunk], *, top_k: int) -> Sequence[ScoredChunk]:
        wanted = set(analyze(query))
        scored = [
            ScoredChunk(candidate.chunk, len(shared) / len(wanted))
            for candidate in candidates
            if (shared := wanted.intersection(analyze(candidate.chunk.text)))
        ]
        return sorted(scored, key=lambda candidate: candidate.rank)[: max(top_k, 0)]


class FakeLLMClient:
    """Answers in the words of the evidence that shares most content words with the question, and cites it.

    It reads the attributes that the engine's prompts carry (`kind`, `question`, `evidence`), never their prose;
    without evidence it says that there is no answer. `prompts` keeps what it was given.
    """

    def __init__(self) -> None:
        self.prompts: list[str] = []

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        self.prompts.append(prompt)
        for fragment in _FRAGMENT.findall(_reply(prompt)):
            yield fragment

    async def transcribe(self, image: PageImage) -> str:
        """The image's bytes, read as UTF-8."""
        return (image.data or b"").decode("utf-8", "replace")


class FakeQueryRewriter:
    """Appends those content words of earlier questions that the new one lacks."""

    async def rewrite(self, question: str, history: Sequence[Turn]) -> str:
        known = set(analyze(question))
        added: list[str] = []
        for turn in history:
            for word in _WORD.findall(turn.question):
                tokens = set(analyze(word))
                if tokens - known:
                    known |= tokens
                    added.append(word)
        return " ".join([question, *added])


def _reply(prompt: str) -> str:
    if getattr(prompt, "kind", "answer") == "conversation":
        return SMALL_TALK_REPLY
    asked = set(analyze(getattr(prompt, "question", "")))
    best, most = None, 0
    for evidence in getattr(prompt, "evidence", ()):
        shared = len(asked.intersection(analyze(evidence.text)))
        if shared > most:
            best, most = evidence, shared
    if best is None:
        return NOT_FOUND_MESSAGE
    return f"{best.text} [{best.marker}]"
