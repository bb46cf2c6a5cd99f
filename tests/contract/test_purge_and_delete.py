"""Removing: idempotent, complete, and only within the scope."""

from __future__ import annotations

from dalil.identity import document_id
from dalil.models import EmbeddedSentence, EmbeddedSentences

from .engines import OTHER, SCOPE, Engine, a_vector, sources_of


async def test_deleting_removes_the_document_from_everywhere(engine: Engine) -> None:
    document = await engine.add("a.txt", "green tea")
    chunk_id = f"{document.id}:0"
    async with engine.session() as stores:
        sentence = EmbeddedSentence(0, 5, a_vector("green"))
        await stores.vectors.save_sentences(SCOPE, [EmbeddedSentences(chunk_id, [sentence])])
    await engine.delete("a.txt")
    assert await engine.sources() == await engine.by_words("tea") == await engine.by_vector("green tea") == []
    async with engine.session(read_only=True) as stores:
        assert await stores.documents.find_by_hash(SCOPE, document.content_hash) is None
        assert await stores.documents.pages(SCOPE, document.id) == []
        assert await stores.documents.record(SCOPE, document.id) is None
        assert await stores.vectors.similarities(SCOPE, a_vector("green tea"), [chunk_id]) == {}
        assert await stores.vectors.match_sentences(SCOPE, a_vector("green"), [chunk_id]) == {}
        assert await stores.vectors.stored_vectors(SCOPE, ["green tea"]) == {}
        assert await stores.words.lexical_signals(SCOPE, "tea", [chunk_id]) == {}


async def test_deleting_twice_or_the_unknown_does_nothing(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    await engine.add("b.txt", "mint tea")
    for _ in range(2):
        await engine.delete("a.txt", "never.txt")
    async with engine.session() as stores:
        await stores.words.delete(SCOPE, "unknown")
        await stores.vectors.delete(SCOPE, "unknown")
        await stores.documents.delete(OTHER, document_id("b.txt"))
    assert await engine.sources() == ["b.txt"]
    assert sources_of(await engine.by_words("tea")) == sources_of(await engine.by_vector("tea")) == ["b.txt"]


async def test_deleting_in_one_store_leaves_the_others(engine: Engine) -> None:
    document = await engine.add("a.txt", "green tea")
    async with engine.session() as stores:
        await stores.words.delete(SCOPE, document.id)
    assert await engine.by_words("tea") == []
    assert sources_of(await engine.by_vector("green tea")) == ["a.txt"]
    async with engine.session() as stores:
        await stores.vectors.delete(SCOPE, document.id)
    assert await engine.by_vector("green tea") == []
    assert await engine.sources() == ["a.txt"]


async def test_a_filter_protects_what_it_does_not_admit(engine: Engine) -> None:
    document = await engine.add("a.txt", "green tea", shop=1)
    elsewhere = SCOPE.with_filters(shop=2)
    async with engine.session() as stores:
        await stores.documents.delete(elsewhere, document.id)
        await stores.vectors.delete(elsewhere, document.id)
        await stores.words.delete(elsewhere, document.id)
        await stores.documents.save_pages(elsewhere, document.id, [])
        await stores.documents.save_warnings(elsewhere, document.id, ["x"])
    assert sources_of(await engine.by_words("tea")) == sources_of(await engine.by_vector("tea")) == ["a.txt"]
    async with engine.session(read_only=True) as stores:
        record = await stores.documents.record(SCOPE, document.id)
    assert (record.pages, record.warnings) == (1, ())


async def test_purging_empties_one_namespace_whatever_the_filters(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", shop=1)
    await engine.add("b.txt", "mint tea")
    await engine.add("a.txt", "black tea", scope=OTHER)
    for _ in range(2):
        async with engine.session() as stores:
            await stores.documents.purge(SCOPE.with_filters(shop=1))
    assert await engine.sources() == await engine.by_words("tea") == await engine.by_vector("tea") == []
    assert sources_of(await engine.by_words("tea", OTHER)) == ["a.txt"]
    await engine.add("c.txt", "new tea")
    assert sources_of(await engine.by_words("tea")) == sources_of(await engine.by_vector("tea")) == ["c.txt"]


async def test_a_namespace_filled_after_a_purge_is_its_own(engine: Engine) -> None:
    await engine.add("a.txt", *(f"green tea {n}" for n in range(600)))
    await engine.by_vector("green tea 1")
    async with engine.session() as stores:
        await stores.documents.purge(SCOPE)
        await stores.add("b.txt", *(f"mint tea {n}" for n in range(600)), scope=OTHER)
    assert await engine.by_words("tea") == await engine.by_vector("green tea 1") == []
    assert [place[:2] for place in await engine.by_vector("mint tea 599", OTHER, k=1)] == [("b.txt", 599)]
    assert [place[:2] for place in await engine.by_words("599", OTHER, k=1)] == [("b.txt", 599)]
