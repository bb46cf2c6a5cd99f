"""Filters act inside the search, are data, and only ever narrow."""

from __future__ import annotations

from typing import Any

import pytest

from dalil.scope import Scope

from .engines import OTHER, SCOPE, Engine, sources_of


async def found(engine: Engine, scope: Scope, k: int = 50) -> list[str]:
    """The sources that each way of looking finds; they must agree."""
    words = sorted(sources_of(await engine.by_words("tea", scope, k)))
    vectors = sorted(sources_of(await engine.by_vector("tea", scope, k)))
    assert words == vectors == await engine.sources(scope)
    return words


@pytest.mark.parametrize("notes", [300, 700])
async def test_the_one_in_many_is_found_with_k_of_one(engine: Engine, notes: int) -> None:
    async with engine.session() as stores:
        for n in range(notes):
            await stores.add(f"note{n:03}.txt", f"tea order {n}", shop=1)
        await stores.add("zz.txt", "one quiet line about many other things and also about a tea order", shop=2)
    two = SCOPE.with_filters(shop=2)
    assert sources_of(await engine.by_words("tea order", two, k=1)) == ["zz.txt"]
    assert sources_of(await engine.by_vector("tea order 7", two, k=1)) == ["zz.txt"]
    one = SCOPE.with_filters(shop=1)
    assert [place[:2] for place in await engine.by_vector("tea order 7", one, k=1)] == [("note007.txt", 0)]
    assert [place[:2] for place in await engine.by_words(f"order {notes - 1}", one, k=1)] == [
        (f"note{notes - 1:03}.txt", 0)
    ]


async def test_a_list_means_any_of(engine: Engine) -> None:
    for shop in (1, 2, 3):
        await engine.add(f"{shop}.txt", f"tea {shop}", shop=shop)
    assert await found(engine, SCOPE.with_filters(shop=[1, 3])) == ["1.txt", "3.txt"]
    assert await found(engine, SCOPE.with_filters(shop=(2,))) == ["2.txt"]
    assert await found(engine, SCOPE.with_filters(shop={3, 9})) == ["3.txt"]
    assert await found(engine, SCOPE.with_filters(shop=[])) == []
    assert await found(engine, SCOPE.with_filters(shop=list(range(2, 2000)))) == ["2.txt", "3.txt"]


async def test_metadata_that_is_a_list_matches_by_any_item(engine: Engine) -> None:
    await engine.add("a.txt", "tea a", tags=["hot", "green"])
    await engine.add("b.txt", "tea b", tags=["cold", None])
    await engine.add("c.txt", "tea c", tags=[])
    assert await found(engine, SCOPE.with_filters(tags="green")) == ["a.txt"]
    assert await found(engine, SCOPE.with_filters(tags=["green", "cold"])) == ["a.txt", "b.txt"]
    assert await found(engine, SCOPE.with_filters(tags=None)) == ["b.txt"]


VALUES: dict[str, Any] = {
    "none": None,
    "no": False,
    "seven": 7,
    "half": 0.5,
    "text": "7",
    "empty": "",
    "arabic": "متجر",
    "sql": "x' OR '1'='1",
    "percent": "%",
    "big": 2**62,
}


async def test_each_kind_of_value_matches_itself_alone(engine: Engine) -> None:
    for name, value in VALUES.items():
        await engine.add(f"{name}.txt", f"tea {name}", field=value)
    await engine.add("without.txt", "tea without")
    for name, value in VALUES.items():
        assert await found(engine, SCOPE.with_filters(field=value)) == [f"{name}.txt"], name
    assert await found(engine, SCOPE.with_filters(field=7.0)) == ["seven.txt"]
    assert await found(engine, SCOPE.with_filters(field=[None, "7"])) == ["none.txt", "text.txt"]


@pytest.mark.parametrize(
    "value", ["' OR 1=1 --", "%", "*", 2**70, float("nan"), float("inf"), b"tea", "\x00", "\ud800", object()]
)
async def test_odd_values_match_nothing_and_never_fail(engine: Engine, value: Any) -> None:
    await engine.add("a.txt", "tea", shop=1)
    assert await found(engine, SCOPE.with_filters(shop=value)) == []
    assert await found(engine, SCOPE.with_filters(document_ids=[value])) == []
    assert await found(engine, SCOPE.with_filters(shop=[value, 1])) == ["a.txt"]


@pytest.mark.parametrize("name", ["shop' OR '1'='1", "", "ح", "\ud800", "\x00", "namespace", "source", "1=1; --"])
async def test_unknown_fields_match_nothing(engine: Engine, name: str) -> None:
    await engine.add("a.txt", "tea", shop=1)
    assert await found(engine, Scope("tenant", {name: 1})) == []


async def test_every_filter_must_pass(engine: Engine) -> None:
    await engine.add("a.txt", "tea a", shop=1, year=2020)
    await engine.add("b.txt", "tea b", shop=1, year=2021)
    assert await found(engine, SCOPE.with_filters(shop=1, year=2021)) == ["b.txt"]
    assert await found(engine, SCOPE.with_filters(shop=2, year=2021)) == []


async def test_document_ids_narrow(engine: Engine) -> None:
    a = await engine.add("a.txt", "tea a", shop=1)
    b = await engine.add("b.txt", "tea b", shop=2)
    await engine.add("c.txt", "tea c", shop=1)
    assert await found(engine, SCOPE.with_filters(document_ids=[a.id, b.id])) == ["a.txt", "b.txt"]
    assert await found(engine, SCOPE.with_filters(document_ids=a.id)) == ["a.txt"]
    assert await found(engine, SCOPE.with_filters(document_ids=[a.id, b.id], shop=1)) == ["a.txt"]
    assert await found(engine, SCOPE.with_filters(document_ids=[])) == []
    assert await found(engine, SCOPE.with_filters(document_ids=["unknown", None, 3])) == []


async def test_filters_cannot_widen(engine: Engine) -> None:
    mine = await engine.add("a.txt", "tea a", shop=1)
    theirs = await engine.add("b.txt", "tea b", scope=OTHER, shop=1)
    assert await found(engine, SCOPE.with_filters(document_ids=[mine.id, theirs.id])) == ["a.txt"]
    assert await found(engine, SCOPE.with_filters(namespace=OTHER.namespace)) == []
    narrowed = SCOPE.with_filters(document_ids=[theirs.id])
    assert await found(engine, narrowed.with_filters(document_ids=[mine.id])) == []


async def test_signals_of_given_chunks_stay_within_the_filters(engine: Engine) -> None:
    a = await engine.add("a.txt", "tea a", shop=1)
    b = await engine.add("b.txt", "tea b", shop=2)
    ids = [f"{a.id}:0", f"{b.id}:0", "unknown:0"]
    async with engine.session(read_only=True) as stores:
        scope = SCOPE.with_filters(shop=1)
        assert list(await stores.words.lexical_signals(scope, "tea", ids)) == ids[:1]
        assert list(await stores.vectors.similarities(scope, [1.0] * 16, ids)) == ids[:1]
        assert set(await stores.words.lexical_signals(SCOPE, "tea", ids)) == set(ids[:2])
        assert await stores.words.lexical_signals(OTHER, "tea", ids) == {}
        assert await stores.vectors.similarities(OTHER, [1.0] * 16, ids) == {}


async def test_filters_do_not_change_scores(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", shop=1)
    await engine.add("b.txt", "mint tea and more tea", shop=2)
    everything = {place[0]: place[2] for place in await engine.by_words("mint tea")}
    narrowed = await engine.by_words("mint tea", SCOPE.with_filters(shop=1))
    assert narrowed == [("a.txt", 0, everything["a.txt"])]
