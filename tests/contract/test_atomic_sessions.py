"""A session happens whole or not at all, and a reader keeps the state it began with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from dalil.errors import StoreReadOnlyError
from dalil.identity import document_id
from dalil.models import EmbeddedChunk, Page

from .engines import SCOPE, Engine, Stores, a_chunk, a_document, a_vector


async def everything(engine: Engine, text: str) -> tuple[object, ...]:
    """What each of the three stores shows of one document."""
    return (await engine.sources(), await engine.by_words(text), await engine.by_vector(text))


class Halfway(Exception):
    """What goes wrong in these sessions."""


@asynccontextmanager
async def undone(engine: Engine) -> AsyncIterator[Stores]:
    """A session that fails at its very end."""
    with suppress(Halfway):
        async with engine.session() as stores:
            yield stores
            raise Halfway


async def test_a_session_that_ends_well_shows_in_all_three_stores(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    sources, words, vectors = await everything(engine, "green tea")
    assert sources == ["a.txt"]
    assert [place[:2] for place in words] == [place[:2] for place in vectors] == [("a.txt", 0)]


async def test_an_exception_leaves_nothing_in_any_store(engine: Engine) -> None:
    async with undone(engine) as stores:
        await stores.add("a.txt", "green tea")
    assert await everything(engine, "green tea") == ([], [], [])


async def test_an_exception_leaves_the_old_version(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    before = await everything(engine, "green tea")
    async with undone(engine) as stores:
        await stores.add("a.txt", "black coffee", "with milk")
    assert await everything(engine, "green tea") == before
    assert await engine.by_words("coffee") == []


async def test_an_exception_undoes_a_purge(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    before = await everything(engine, "green tea")
    async with undone(engine) as stores:
        await stores.documents.purge(SCOPE)
    assert await everything(engine, "green tea") == before


async def test_a_cancelled_session_leaves_nothing_and_frees_the_next(engine: Engine) -> None:
    written = asyncio.Event()

    async def write() -> None:
        async with engine.session() as stores:
            await stores.add("a.txt", "green tea")
            written.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(write())
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await engine.sources() == []
    await engine.add("b.txt", "black coffee")
    assert await engine.sources() == ["b.txt"]


async def test_a_session_sees_its_own_writes(engine: Engine) -> None:
    async with engine.session() as stores:
        await stores.add("a.txt", "green tea")
        assert len(await stores.words.search(SCOPE, "tea", k=3)) == 1
        assert len(await stores.vectors.search(SCOPE, a_vector("green tea"), k=3)) == 1


async def test_what_an_undone_session_searched_does_not_show_later(engine: Engine) -> None:
    await engine.add("old.txt", *(f"old {n}" for n in range(600)))
    async with undone(engine) as stores:
        await stores.add("a.txt", "green tea", "mint tea")
        await stores.documents.delete(SCOPE, document_id("old.txt"))
        await stores.vectors.search(SCOPE, a_vector("green tea"), k=3)
        await stores.words.search(SCOPE, "green tea", k=3)
    assert [place[:2] for place in await engine.by_vector("old 7", k=1)] == [("old.txt", 7)]
    # As many writes as the undone session made: nothing may take them for the ones that never happened.
    async with engine.session() as stores:
        await stores.add("b.txt", "black coffee", "white coffee")
        await stores.documents.delete(SCOPE, document_id("b.txt"))
        await stores.add("c.txt", "yellow juice")
    assert [place[:2] for place in await engine.by_vector("yellow juice", k=1)] == [("c.txt", 0)]
    assert [place[:2] for place in await engine.by_vector("old 599", k=1)] == [("old.txt", 599)]
    assert [place[:2] for place in await engine.by_words("juice")] == [("c.txt", 0)]


async def test_a_reader_keeps_its_state_while_a_writer_commits(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", "mint tea")
    async with engine.session(read_only=True) as reader:
        words = await reader.words.search(SCOPE, "tea", k=9)
        vectors = await reader.vectors.search(SCOPE, a_vector("mint tea"), k=9)
        await engine.add("a.txt", "tea with milk")
        await engine.add("b.txt", "tea with lemon")
        await engine.by_vector("tea with milk")
        assert await reader.words.search(SCOPE, "tea", k=9) == words
        assert await reader.vectors.search(SCOPE, a_vector("mint tea"), k=9) == vectors
        assert [document.source for document in await reader.documents.list(SCOPE)] == ["a.txt"]
        assert await reader.documents.page_text(SCOPE, document_id("a.txt"), 2) == "mint tea"
    assert sorted(place[:2] for place in await engine.by_words("tea")) == [("a.txt", 0), ("b.txt", 0)]


async def test_a_reader_keeps_its_state_over_many_chunks(engine: Engine) -> None:
    await engine.add("big.txt", *(f"tea number {n}" for n in range(700)))
    async with engine.session(read_only=True) as reader:
        vectors = await reader.vectors.search(SCOPE, a_vector("tea number 350"), k=3)
        words = await reader.words.search(SCOPE, "350", k=3)
        await engine.delete("big.txt")
        await engine.add("other.txt", *(f"coffee {n}" for n in range(700)))
        assert [found[0] for found in await engine.by_words("350 tea")] == ["other.txt"]
        await engine.by_vector("coffee 3")
        assert await reader.words.search(SCOPE, "350", k=3) == words
        assert await reader.vectors.search(SCOPE, a_vector("tea number 350"), k=3) == vectors
    assert (words[0].chunk.ordinal, vectors[0].chunk.ordinal) == (350, 350)


async def test_a_readers_filters_hold_while_documents_leave(engine: Engine) -> None:
    await engine.add("big.txt", *(f"tea number {n}" for n in range(700)), shop=1)
    await engine.add("small.txt", "tea number 7", shop=2)
    two = SCOPE.with_filters(shop=2)
    async with engine.session(read_only=True) as reader:
        await reader.vectors.search(two, a_vector("tea number 7"), k=3)
        await engine.delete("big.txt")
        await engine.by_vector("anything")
        vectors = await reader.vectors.search(two, a_vector("tea number 7"), k=3)
        words = await reader.words.search(two, "tea", k=3)
        assert [found.chunk.source for found in (*vectors, *words)] == ["small.txt", "small.txt"]
        assert len(await reader.vectors.search(SCOPE, a_vector("x"), k=800)) == 701


async def test_readers_never_see_half_a_document(engine: Engine) -> None:
    versions = {size: [f"version {size} part {n}" for n in range(size)] for size in (3, 5)}
    await engine.add("a.txt", *versions[3])
    seen: set[int] = set()
    done = asyncio.Event()

    async def write() -> None:
        for turn in range(12):
            await engine.add("a.txt", *versions[(3, 5)[turn % 2]])
        done.set()

    async def read() -> None:
        while not done.is_set():
            async with engine.session(read_only=True) as stores:
                words = await stores.words.search(SCOPE, "version part", k=20)
                await asyncio.sleep(0)
                vectors = await stores.vectors.search(SCOPE, a_vector("x"), k=20)
                pages = await stores.documents.pages(SCOPE, document_id("a.txt"))
                record = await stores.documents.record(SCOPE, document_id("a.txt"))
            assert len(words) == len(vectors) == len(pages) == record.chunks == record.pages
            assert {found.chunk.text for found in words} == set(versions[len(words)])
            seen.add(len(words))

    await asyncio.gather(write(), read(), read())
    assert seen <= {3, 5}


async def test_writers_take_turns(engine: Engine) -> None:
    await asyncio.gather(*(engine.add(f"{n}.txt", f"tea {n}") for n in range(10)))
    assert await engine.sources() == sorted(f"{n}.txt" for n in range(10))
    assert len(await engine.by_words("tea", k=20)) == 10


async def test_a_reading_session_refuses_every_write(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    chunk = a_chunk("b.txt", 0, "coffee")
    here = document_id("a.txt")
    async with engine.session(read_only=True) as stores:
        for write in (
            stores.documents.save(SCOPE, a_document("b.txt"), [chunk]),
            stores.documents.delete(SCOPE, here),
            stores.documents.purge(SCOPE),
            stores.documents.save_pages(SCOPE, here, [Page(1, "x")]),
            stores.documents.save_warnings(SCOPE, here, ["x"]),
            stores.vectors.upsert(SCOPE, [EmbeddedChunk(chunk, a_vector("x"))]),
            stores.vectors.delete(SCOPE, here),
            stores.vectors.save_sentences(SCOPE, []),
            stores.words.index(SCOPE, [chunk]),
            stores.words.delete(SCOPE, here),
        ):
            with pytest.raises(StoreReadOnlyError):
                await write
    assert await engine.sources() == ["a.txt"]
