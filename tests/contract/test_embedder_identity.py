"""The embedder whose vectors a store holds is pinned; another one is refused for vectors, not for the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from dalil.errors import EmbedderMismatchError
from dalil.scope import Scope

from .engines import PERSISTENT, SCOPE, Engine, a_chunk, a_document, a_vector, forget, new_engine, sources_of

Open = Callable[[str | None], Engine]


@pytest.fixture(params=PERSISTENT)
async def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    """Opens the same folder as the store of some embedder."""
    opened: list[Engine] = []

    def reopen(embedder: str | None) -> Engine:
        opened.append(new_engine(request.param, tmp_path, embedder=embedder))
        return opened[-1]

    yield reopen
    for engine in opened:
        await engine.database.dispose()
    forget(tmp_path)


async def test_the_same_embedder_is_welcome(reopen: Open) -> None:
    await reopen("model one").add("a.txt", "tea")
    again = reopen("model one")
    await again.add("b.txt", "coffee")
    assert sources_of(await again.by_vector("tea")) == ["a.txt", "b.txt"]
    assert (await again.database.meta()) == {"embedder": "model one", "dimension": "16"}


async def test_another_embedder_is_refused_by_name_and_nothing_is_lost(reopen: Open) -> None:
    await reopen("model one").add("a.txt", "tea")
    other = reopen("model two")
    for scope in (SCOPE, Scope("new namespace")):
        with pytest.raises(EmbedderMismatchError, match=r"model one.*model two"):
            await other.add("b.txt", "coffee", scope=scope)
    with pytest.raises(EmbedderMismatchError, match="model one"):
        await other.by_vector("tea")
    async with other.session(read_only=True) as stores:
        with pytest.raises(EmbedderMismatchError, match="model one"):
            await stores.vectors.similarities(SCOPE, a_vector("tea"), [a_chunk("a.txt", 0, "tea").id])
        with pytest.raises(EmbedderMismatchError, match="model one"):
            await stores.vectors.stored_vectors(SCOPE, ["tea"])
    one = reopen("model one")
    assert await one.sources() == ["a.txt"]
    assert sources_of(await one.by_vector("tea")) == ["a.txt"]


async def test_another_embedder_may_list_read_delete_and_search_words(reopen: Open) -> None:
    first = reopen("model one")
    await first.add("a.txt", "tea")
    await first.add("b.txt", "green tea")
    other = reopen("model two")
    assert await other.sources() == ["a.txt", "b.txt"]
    assert sources_of(await other.by_words("green")) == ["b.txt"]
    await other.delete("a.txt")
    assert await first.sources() == ["b.txt"]
    async with other.session() as stores:
        await stores.documents.save(SCOPE, a_document("c.txt"), [a_chunk("c.txt", 0, "mint")])
        await stores.words.index(SCOPE, [a_chunk("c.txt", 0, "mint")])
    assert sources_of(await first.by_words("mint")) == ["c.txt"]


async def test_no_name_means_whatever_the_store_has(reopen: Open) -> None:
    await reopen("model one").add("a.txt", "tea")
    unnamed = reopen(None)
    assert sources_of(await unnamed.by_vector("tea")) == ["a.txt"]
    await unnamed.add("b.txt", "coffee")
    assert (await unnamed.database.meta())["embedder"] == "model one"


async def test_a_failed_first_write_pins_nothing(reopen: Open) -> None:
    with pytest.raises(ZeroDivisionError):
        async with reopen("model one").session() as stores:
            await stores.add("a.txt", "tea", vectors=[[1.0, 0.0, 1 / 0]])
    two = reopen("model two")
    await two.add("a.txt", "tea")
    assert (await two.database.meta())["embedder"] == "model two"
