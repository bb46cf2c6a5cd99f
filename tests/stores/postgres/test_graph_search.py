"""Where a tenant has many chunks the graph proposes: the same ranking as comparing all, filters and ties included."""

from __future__ import annotations

from typing import Any

import pytest

from contract.engines import a_chunk, a_vector, places, wide
from dalil.identity import document_id
from dalil.models import EmbeddedChunk
from dalil.scope import Scope
from dalil.stores.postgres import nearest

from .conftest import Open
from .stores import SCOPE, add, stores_of


@pytest.fixture
async def large(migrated: str, open_database: Open, monkeypatch: Any) -> Any:
    """A database where 50 chunks count as many."""
    monkeypatch.setattr(nearest, "FEW", 50)
    database = open_database(migrated)
    for part in range(12):
        await add(database, f"{part:02}.txt", *(f"text {part} {n}" for n in range(50)), part=part, odd=part % 2)
    await add(database, "other.txt", *(f"text other {n}" for n in range(50)), scope=Scope("other"))
    return database


async def both(database: Any, monkeypatch: Any, vector: list[float], scope: Scope = SCOPE, k: int = 10) -> list[Any]:
    """What the graph gives, and what comparing all gives."""
    rankings = []
    for few in (50, 10**9):
        monkeypatch.setattr(nearest, "FEW", few)
        async with database.session(scope, read_only=True) as session:
            rankings.append(places(await stores_of(session).vectors.search(scope, vector, k=k)))
    return rankings


@pytest.mark.parametrize("k", [1, 10, 100, 1000])
async def test_the_graph_finds_what_comparing_all_finds(large: Any, monkeypatch: Any, k: int) -> None:
    for question in ("one", "two", "three"):
        graph, exact = await both(large, monkeypatch, a_vector(question), k=k)
        assert graph == exact


@pytest.mark.parametrize("filters", [{"part": 3}, {"odd": 1}, {"part": [1, 2]}, {"part": 99}, {"document_ids": []}])
async def test_filters_keep_their_recall(large: Any, monkeypatch: Any, filters: dict[str, Any]) -> None:
    graph, exact = await both(large, monkeypatch, a_vector("one"), Scope("tenant", filters), k=20)
    assert graph == exact
    assert len(exact) == (0 if filters in ({"part": 99}, {"document_ids": []}) else 20)


async def test_ties_and_zero_vectors(large: Any, monkeypatch: Any) -> None:
    chunks = [a_chunk("same.txt", n, "same") for n in range(200)]
    async with large.session(SCOPE) as session:
        same = [EmbeddedChunk(chunk, wide(1.0)) for chunk in chunks]
        zero = [EmbeddedChunk(a_chunk("zero.txt", n, "zero"), wide()) for n in range(60)]
        await stores_of(session).vectors.upsert(SCOPE, same + zero)
    for k in (1, 30, 60):
        graph, exact = await both(large, monkeypatch, wide(1.0), k=k)
        assert graph == exact
        assert [place[:2] for place in exact] == [("same.txt", n) for n in range(k)]
    for vector in (wide(), wide(-1.0), wide(0.0, 1.0)):
        graph, exact = await both(large, monkeypatch, vector, k=400)
        assert graph == exact


async def test_the_large_search_is_by_the_graph(large: Any) -> None:
    from sqlalchemy import text

    async with large.session(SCOPE, read_only=True) as session:
        await stores_of(session).vectors.search(SCOPE, a_vector("one"), k=5)
        [setting] = (await session.execute(text("SELECT current_setting('hnsw.iterative_scan')"))).scalars()
    assert setting == "relaxed_order"


async def test_deleted_chunks_are_not_proposed(large: Any, monkeypatch: Any) -> None:
    async with large.session(SCOPE) as session:
        for part in range(8):
            await stores_of(session).documents.delete(SCOPE, document_id(f"{part:02}.txt"))
    graph, exact = await both(large, monkeypatch, a_vector("one"), k=30)
    assert graph == exact
    assert {place[0] for place in graph} == {f"{part:02}.txt" for part in range(8, 12)}
