"""What `RagSage.open` was asked for, made into a compute kit once the store has been looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dalil.answering.extractive import ExtractiveAnswerer
from dalil.assembly import ComputeKit
from dalil.models import Vector
from dalil.offloop import wait_off_loop
from dalil.ports import Chunker, Embedder, LLMClient, Reranker, SentenceEmbedder, Tracer
from dalil.profiles import Profile, load_profile


@dataclass(frozen=True)
class Choice:
    """What `open` was asked for; the store may have to be looked at before it can be built."""

    embedder: Embedder | None
    llm: str | LLMClient | None
    reranker: Reranker | None
    chunker: str | Chunker | None = None
    tracer: Tracer | None = None

    def kit(self, embedder: Embedder, profile: Profile | None) -> ComputeKit:
        weights = (profile or profile_of(embedder)).answer
        llm = ExtractiveAnswerer(weights=weights, embedder=embedder) if not self._is_model else self.llm
        assert llm is not None
        assert not isinstance(llm, str)
        kit = replace(ComputeKit.local(embedder, llm), reranker=self.reranker, tracer=self.tracer)
        return kit if self.chunker is None else replace(kit, chunker=chunker_of(self.chunker, embedder))

    @property
    def _is_model(self) -> bool:
        return self.llm is not None and self.llm != "extractive"


def profile_of(embedder: Embedder) -> Profile:
    """The profile fitted for this embedder, if it is one of ours."""
    return load_profile(getattr(embedder, "profile", None))


def checked_chunker(chunker: str | Chunker | None) -> str | Chunker | None:
    """The same chunker, or name of one, if there is such a name.

    Raises:
        ConfigurationError: if there is none.
    """
    if isinstance(chunker, str):
        from dalil.chunking import CHUNKERS, chunker_by_name

        if chunker not in CHUNKERS:
            chunker_by_name(chunker)  # says which there are
    return chunker


def chunker_of(chunker: str | Chunker, embedder: Embedder) -> Chunker:
    """The chunker called so; the semantic one compares sentences in the embedder's space for them."""
    if not isinstance(chunker, str):
        return chunker
    from dalil.chunking import chunker_by_name

    async def embedded(texts: Sequence[str]) -> Sequence[Vector]:
        if isinstance(embedder, SentenceEmbedder):
            return await embedder.embed_sentences(texts)
        return await embedder.embed(texts)

    return chunker_by_name(chunker, embed=lambda texts: wait_off_loop(embedded(texts)))
