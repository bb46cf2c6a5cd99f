"""Documents: saving replaces, deleting is idempotent, looking up stays within the filters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from dalil import ports
from dalil.identity import document_id

from .engines import SCOPE, Engine, a_chunk, a_document, a_vector


async def test_the_stores_offer_what_the_engine_looks_for(engine: Engine) -> None:
    async with engine.session() as stores:
        for port in (ports.DocumentStore, ports.PageStore, ports.DocumentRecords, ports.Purge):
            assert isinstance(stores.documents, port)
        for port in (ports.VectorStore, ports.VectorScorer, ports.VectorReuse, ports.SentenceStore):
            assert isinstance(stores.vectors, port)
        for port in (ports.LexicalStore, ports.LexicalScorer):
            assert isinstance(stores.words, port)
    assert isinstance(engine.database, ports.Database)


async def test_a_saved_document_comes_back_as_it_was(engine: Engine) -> None:
    saved = await engine.add("a.txt", "green tea", shop=1, tags=["x", "ي"], nested={"k": [1, None]}, price=1.5)
    async with engine.session(read_only=True) as stores:
        assert await stores.documents.get(SCOPE, saved.id) == saved
        assert await stores.documents.list(SCOPE) == [saved]
        assert await stores.documents.get(SCOPE, "unknown") is None


async def test_a_found_chunk_comes_back_as_it_was(engine: Engine) -> None:
    document = a_document("a.txt", "green tea")
    chunk = a_chunk("a.txt", 0, "green tea", embed_text="Drinks > Hot\ngreen tea")
    other = a_chunk("a.txt", 1, "mint", embed_text="something else entirely")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [chunk, other])
        await stores.words.index(SCOPE, [chunk, other])
    async with engine.session(read_only=True) as stores:
        assert [found.chunk for found in await stores.words.search(SCOPE, "drinks", k=2)] == [chunk]
        assert [found.chunk for found in await stores.words.search(SCOPE, "entirely", k=2)] == [other]


async def test_documents_are_listed_by_source(engine: Engine) -> None:
    for source in ("b.txt", "ب.txt", "B.txt", "a.txt", "😀.txt"):
        await engine.add(source, "tea")
    assert await engine.sources() == ["B.txt", "a.txt", "b.txt", "ب.txt", "😀.txt"]


async def test_find_by_hash_finds_the_first_by_source(engine: Engine) -> None:
    second = await engine.add("b.txt", "same bytes", shop=2)
    first = await engine.add("a.txt", "same bytes", shop=1)
    assert first.content_hash == second.content_hash
    async with engine.session(read_only=True) as stores:
        assert await stores.documents.find_by_hash(SCOPE, first.content_hash) == first
        assert await stores.documents.find_by_hash(SCOPE.with_filters(shop=2), first.content_hash) == second
        assert await stores.documents.find_by_hash(SCOPE.with_filters(shop=3), first.content_hash) is None
        assert await stores.documents.find_by_hash(SCOPE, "no such hash") is None


async def test_get_list_and_records_stay_within_the_filters(engine: Engine) -> None:
    one = await engine.add("a.txt", "tea", shop=1)
    await engine.add("b.txt", "tea", shop=2)
    async with engine.session(read_only=True) as stores:
        inside, outside = SCOPE.with_filters(shop=1), SCOPE.with_filters(shop=2)
        assert await stores.documents.list(inside) == [one]
        assert [record.document for record in await stores.documents.records(inside)] == [one]
        assert await stores.documents.get(inside, one.id) == one
        assert await stores.documents.get(outside, one.id) is None
        assert await stores.documents.record(outside, one.id) is None
        assert await stores.documents.pages(outside, one.id) == []
        assert await stores.documents.page_text(outside, one.id, 1) is None


async def test_saving_again_replaces_everything_of_the_document(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", "mint tea", "black tea", shop=1)
    new = await engine.add("a.txt", "coffee", shop=2)
    assert await engine.by_words("tea") == []
    assert [place[:2] for place in await engine.by_vector("mint tea")] == [("a.txt", 0)]
    async with engine.session(read_only=True) as stores:
        assert await stores.documents.list(SCOPE) == [new]
        assert await stores.documents.list(SCOPE.with_filters(shop=1)) == []
        assert [page.text for page in await stores.documents.pages(SCOPE, new.id)] == ["coffee"]
        found = await stores.vectors.similarities(SCOPE, a_vector("coffee"), [f"{new.id}:{n}" for n in range(3)])
        assert list(found) == [f"{new.id}:0"]
        assert found[f"{new.id}:0"] == pytest.approx(1.0)


async def test_saving_alone_leaves_no_old_words_or_vectors(engine: Engine) -> None:
    document = await engine.add("a.txt", "green tea")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [a_chunk("a.txt", 0, "green tea")])
    assert await engine.by_words("tea") == await engine.by_vector("green tea") == []


async def test_records_tell_size_warnings_and_time(engine: Engine) -> None:
    before = datetime.now(UTC)
    document = await engine.add("a.txt", "green tea", "mint tea")
    async with engine.session() as stores:
        await stores.documents.save_warnings(SCOPE, document.id, ["page 2 is blurred", "صفحة فارغة"])
        await stores.documents.save_warnings(SCOPE, "unknown", ["nobody"])
    async with engine.session(read_only=True) as stores:
        record = await stores.documents.record(SCOPE, document.id)
        assert await stores.documents.records(SCOPE) == [record]
        assert await stores.documents.record(SCOPE, "unknown") is None
    assert (record.document, record.pages, record.chunks) == (document, 2, 2)
    assert record.warnings == ("page 2 is blurred", "صفحة فارغة")
    assert before - timedelta(seconds=1) <= record.added_at <= datetime.now(UTC) + timedelta(seconds=1)


async def test_a_replaced_document_loses_its_warnings(engine: Engine) -> None:
    document = await engine.add("a.txt", "green tea")
    async with engine.session() as stores:
        await stores.documents.save_warnings(SCOPE, document.id, ["blurred"])
    await engine.add("a.txt", "coffee")
    async with engine.session(read_only=True) as stores:
        assert (await stores.documents.record(SCOPE, document.id)).warnings == ()


async def test_a_document_without_chunks_is_a_document(engine: Engine) -> None:
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, a_document("a.txt"), [])
        await stores.vectors.upsert(SCOPE, [])
        await stores.words.index(SCOPE, [])
    assert await engine.sources() == ["a.txt"]
    assert await engine.by_words("tea") == await engine.by_vector("tea") == []


async def test_chunks_of_an_unsaved_document_are_found_but_it_is_not_listed(engine: Engine) -> None:
    async with engine.session() as stores:
        await stores.words.index(SCOPE, [a_chunk("a.txt", 0, "green tea")])
    assert [place[:2] for place in await engine.by_words("tea")] == [("a.txt", 0)]
    assert await engine.sources() == []
    async with engine.session(read_only=True) as stores:
        assert await stores.documents.get(SCOPE, document_id("a.txt")) is None
