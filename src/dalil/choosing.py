"""What `RagSage.open` was asked for, made into a compute kit once the store has been looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from dalil.answering.carrying import CarryingRewriter
from dalil.answering.extractive import ExtractiveAnswerer
from dalil.assembly import ComputeKit, embedder_identity
from dalil.errors import EmbedderMismatchError
from dalil.models import Vector
from dalil.offloop import off_loop, wait_off_loop
from dalil.ports import (
    Chunker,
    Database,
    Described,
    Dimensioned,
    Embedder,
    LLMClient,
    Reranker,
    SentenceEmbedder,
    Tracer,
)
from dalil.profiles import Profile, load_profile

if TYPE_CHECKING:
    from dalil.parsing import ParsingLimits

EXTRACTIVE = "extractive"
"""The name of the answerer that needs no language model."""


@dataclass(frozen=True)
class Choice:
    """What `open` was asked for; the store may have to be looked at before it can be built.

    Models that were asked for by name belong to the engine and are closed with it.
    """

    embedder: str | Embedder | None
    llm: str | LLMClient | None
    reranker: str | Reranker | None
    chunker: str | Chunker | None = None
    tracer: Tracer | None = None
    limits: ParsingLimits | None = None
    named: tuple[Any, ...] = ()

    @classmethod
    def of(
        cls,
        embedder: str | Embedder | None,
        llm: str | LLMClient | None,
        reranker: str | Reranker | None,
        chunker: str | Chunker | None,
        tracer: Tracer | None,
        limits: ParsingLimits | None = None,
    ) -> Choice:
        """The choice, its models made and its names checked.

        Raises:
            ConfigurationError: if there is no model or chunker of that name.
        """
        from dalil.providers import embedder_by_name, llm_by_name, reranker_by_name

        made = cls(
            embedder_by_name(embedder) if isinstance(embedder, str) else embedder,
            llm_by_name(llm) if isinstance(llm, str) and llm != EXTRACTIVE else llm,
            reranker_by_name(reranker) if isinstance(reranker, str) else reranker,
            checked_chunker(chunker),
            tracer,
            limits,
        )
        given = zip((embedder, llm, reranker), (made.embedder, made.llm, made.reranker), strict=True)
        return replace(made, named=tuple(part for name, part in given if isinstance(name, str)))

    def kit(self, embedder: Embedder, profile: Profile | None) -> ComputeKit:
        weights = (profile or profile_of(embedder)).answer
        llm = ExtractiveAnswerer(weights=weights, embedder=embedder) if self.llm in (None, EXTRACTIVE) else self.llm
        assert llm is not None
        assert not isinstance(llm, str)
        assert not isinstance(self.reranker, str)
        kit = replace(
            ComputeKit.local(embedder, llm, self.limits),
            reranker=self.reranker,
            rewriter=CarryingRewriter(),
            tracer=self.tracer,
            clients=self.named,
        )
        return kit if self.chunker is None else replace(kit, chunker=chunker_of(self.chunker, embedder))


async def settle(
    database: Described, choice: Choice | None, compute: ComputeKit | None, profile: Profile | None
) -> tuple[ComputeKit, EmbedderMismatchError | None]:
    """The kit of an engine once its store is known, and the refusal of its embedder where the store has another's.

    Without a kit, the choice makes one: with the embedder asked for, or the store's own.
    """
    from dalil.providers import embedder_of_store

    pinned = (await database.meta()).get("embedder")
    if choice is not None:
        assert not isinstance(choice.embedder, str)
        compute = choice.kit(choice.embedder or embedder_of_store(pinned), profile)
        if isinstance(database, Dimensioned):
            database.dimension = await dimension_of(compute.embedder)
            await cast(Database, database).migrate()
    assert compute is not None
    database.embedder = embedder_identity(compute.embedder)
    if pinned is None or pinned == database.embedder:
        return compute, None
    return compute, EmbedderMismatchError(
        f"The store's vectors were made by [{pinned}], not by [{database.embedder}].",
        details={"stored": pinned, "given": database.embedder},
    )


async def dimension_of(embedder: Embedder) -> int:
    """The width of an embedder's vectors: what it says, or, where it says nothing, what it does."""
    said = getattr(embedder, "dimension", None)
    return said if isinstance(said, int) else len((await off_loop(_embedded(embedder, ["width"])))[0])


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> Sequence[Vector]:
    return await embedder.embed(texts)


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
