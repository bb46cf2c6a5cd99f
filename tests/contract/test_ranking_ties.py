"""Equal scores are told apart by source name, then by ordinal, at every cut."""

from __future__ import annotations

import pytest

from .engines import SCOPE, Engine, wide


@pytest.mark.parametrize("documents", [6, 400, 900])
async def test_ties_go_by_source_then_ordinal(engine: Engine, documents: int) -> None:
    names = [f"{n:03}.txt" for n in range(documents)]
    async with engine.session() as stores:
        for name in reversed(names):
            await stores.add(name, "the same tea", "the same tea")
    expected = [(name, ordinal) for name in names for ordinal in range(2)]
    for k in (1, 5, 7, 300):
        assert [place[:2] for place in await engine.by_words("same tea", k=k)] == expected[:k]
        assert [place[:2] for place in await engine.by_vector("the same tea", k=k)] == expected[:k]


async def test_ties_behind_better_ones(engine: Engine) -> None:
    async with engine.session() as stores:
        for n in reversed(range(400)):
            await stores.add(f"{n:03}.txt", "plain tea", vectors=[wide(1.0)])
        await stores.add("zz.txt", "green tea", vectors=[wide(1.0, 1.0)])
    expected = ["zz.txt", "000.txt", "001.txt"]
    assert [place[0] for place in await engine.by_words("green tea", k=3)] == expected
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.search(SCOPE, wide(1.0, 1.0), k=3)
    assert [scored.chunk.source for scored in found] == expected


async def test_ties_within_filters(engine: Engine) -> None:
    async with engine.session() as stores:
        for n in reversed(range(700)):
            await stores.add(f"{n:03}.txt", "plain tea", shop=n % 2)
    odd = SCOPE.with_filters(shop=1)
    assert [place[0] for place in await engine.by_words("tea", odd, k=3)] == ["001.txt", "003.txt", "005.txt"]
    assert [place[0] for place in await engine.by_vector("tea", odd, k=3)] == ["001.txt", "003.txt", "005.txt"]
