"""RagSage.open: opened late, closed well, its embedder the store's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil import (
    ConfigurationError,
    EmbedderMismatchError,
    Outcome,
    QueryOptions,
    RagSage,
    RawSource,
    Scope,
    Turn,
)
from dalil.fakes import FakeEmbedder, FakeLLMClient

SCOPE = Scope("default")
NOTE = RawSource("note.txt", content=b"The deposit of the flat is 740 dinars.", metadata={"kind": "lease"})


async def test_opening_touches_nothing(tmp_path: Path) -> None:
    RagSage.open(tmp_path / "store", embedder="fast")
    assert not (tmp_path / "store").exists()


async def test_deleted_documents_are_gone_from_everywhere(tmp_path: Path) -> None:
    async with RagSage.open(tmp_path / "store", embedder="fast") as sage:
        added = await sage.ingest(NOTE, SCOPE)
        assert "740" in (await sage.query("How much is the deposit of the flat?", SCOPE)).text
        await sage.delete_document(SCOPE, added.document.id)
        await sage.delete_document(SCOPE, added.document.id)
        assert (await sage.query("How much is the deposit of the flat?", SCOPE)).outcome is Outcome.NOT_FOUND
        assert await sage.search("deposit", SCOPE) == []
        assert await sage.documents(SCOPE) == []
        assert (await sage.status()).namespaces == ()


async def test_purging_empties_one_namespace_only(tmp_path: Path) -> None:
    other = Scope("other")
    async with RagSage.open(tmp_path / "store", embedder="fast") as sage:
        await sage.ingest(NOTE, SCOPE)
        await sage.ingest(NOTE, other)
        await sage.purge(Scope("default", {"kind": "nothing"}))
        assert await sage.documents(SCOPE) == []
        assert [document.source for document in await sage.documents(other)] == ["note.txt"]


async def test_the_store_remembers_its_embedder(tmp_path: Path) -> None:
    async with RagSage.open(tmp_path / "store", embedder="fast") as sage:
        await sage.ingest(NOTE, SCOPE)
    async with RagSage.open(tmp_path / "store") as sage:
        assert "740" in (await sage.query("How much is the deposit of the flat?", SCOPE)).text
    async with RagSage.open(tmp_path / "store", embedder="accurate") as sage:
        for work in (sage.query("deposit", SCOPE), sage.search("deposit", SCOPE), sage.ingest(NOTE, SCOPE)):
            with pytest.raises(EmbedderMismatchError, match=r"fast.*accurate"):
                await work
        assert [found.chunk.source for found in await sage.search("deposit", SCOPE, mode="words")] == ["note.txt"]
        assert len(await sage.documents(SCOPE)) == 1


async def test_an_embedder_of_ones_own_is_known_by_its_class(tmp_path: Path) -> None:
    async with RagSage.open(tmp_path / "store", embedder=FakeEmbedder(dim=32)) as sage:
        await sage.ingest(NOTE, SCOPE)
        assert "740" in (await sage.query("deposit of the flat", SCOPE)).text
        assert "FakeEmbedder" in str((await sage.status()).embedder)
    async with RagSage.open(tmp_path / "store") as sage:
        with pytest.raises(EmbedderMismatchError, match="FakeEmbedder"):
            await sage.query("deposit of the flat", SCOPE)


async def test_a_language_model_gets_the_evidence_and_its_words_are_cited(tmp_path: Path) -> None:
    llm = FakeLLMClient()
    async with RagSage.open(tmp_path / "store", embedder="fast", llm=llm, query=QueryOptions(context_k=1)) as sage:
        await sage.ingest(NOTE, SCOPE)
        answer = await sage.query("How much is the deposit of the flat?", SCOPE)
    assert len(llm.prompts) == 1
    assert "740 dinars" in llm.prompts[0]
    assert [citation.quote for citation in answer.citations] == ["The deposit of the flat is 740 dinars."]


@pytest.mark.parametrize("names", [{"embedder": "slow"}, {"llm": "oracle"}])
def test_names_that_nobody_has_are_refused_at_once(tmp_path: Path, names: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError):
        RagSage.open(tmp_path, **names)  # type: ignore[arg-type]


async def test_an_engine_may_be_used_again_after_closing(tmp_path: Path) -> None:
    sage = RagSage.open(tmp_path / "store", embedder="fast")
    await sage.ingest(NOTE, SCOPE)
    await sage.dispose()
    assert len(await sage.documents(SCOPE)) == 1
    await sage.dispose()


async def test_a_follow_up_finds_what_it_is_about(tmp_path: Path) -> None:
    async with RagSage.open(tmp_path / "store", embedder="fast") as sage:
        for name, price, weight in (("X300", 900, 12), ("X200", 640, 9)):
            text = f"The {name} pump costs {price} dinars. It weighs {weight} kilograms."
            await sage.ingest(RawSource(f"{name}.txt", content=text), SCOPE)
        history = [Turn("How much does the X300 pump weigh?", "It weighs 12 kilograms.")]
        answer = await sage.query("And how much does it cost?", SCOPE, history=history)
        assert answer.citations[0].source == "X300.txt"
        assert "900" in answer.text
