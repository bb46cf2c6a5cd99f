"""What `RagSage.open` was asked for, made into a compute kit once the store has been looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dalil.answering.extractive import ExtractiveAnswerer
from dalil.assembly import ComputeKit
from dalil.ports import Embedder, LLMClient, Reranker
from dalil.profiles import Profile, load_profile


@dataclass(frozen=True)
class Choice:
    """What `open` was asked for; the store may have to be looked at before it can be built."""

    embedder: Embedder | None
    llm: str | LLMClient | None
    reranker: Reranker | None

    def kit(self, embedder: Embedder, profile: Profile | None) -> ComputeKit:
        weights = (profile or profile_of(embedder)).answer
        llm = ExtractiveAnswerer(weights=weights, embedder=embedder) if not self._is_model else self.llm
        assert llm is not None
        assert not isinstance(llm, str)
        return replace(ComputeKit.local(embedder, llm), reranker=self.reranker)

    @property
    def _is_model(self) -> bool:
        return self.llm is not None and self.llm != "extractive"


def profile_of(embedder: Embedder) -> Profile:
    """The profile fitted for this embedder, if it is one of ours."""
    return load_profile(getattr(embedder, "profile", None))
