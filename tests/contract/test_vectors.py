"""Searching by vector: exact cosines in order, and vectors that cannot be stored are refused."""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import pytest

from dalil.errors import EmbedderMismatchError, EmbeddingDimensionError
from dalil.models import EmbeddedChunk
from dalil.scope import Scope

from .engines import DIMENSION, SCOPE, Engine, a_chunk, a_vector, sources_of, wide


def cosine(left: list[float], right: list[float]) -> float:
    product = sum(a * b for a, b in zip(left, right, strict=True))
    return product / sqrt(sum(a * a for a in left) * sum(b * b for b in right))


@pytest.mark.parametrize("count", [5, 400, 800])
async def test_scores_are_cosines_in_descending_order(engine: Engine, count: int) -> None:
    texts = [f"text {n}" for n in range(count)]
    await engine.add("a.txt", *texts)
    found = await engine.by_vector("question", k=5)
    expected = sorted(((cosine(a_vector(t), a_vector("question")), n) for n, t in enumerate(texts)), reverse=True)[:5]
    assert [ordinal for _, ordinal, _ in found] == [n for _, n in expected]
    assert [score for _, _, score in found] == pytest.approx([score for score, _ in expected], abs=1e-6)


async def test_length_does_not_matter(engine: Engine) -> None:
    await engine.add("a.txt", "x", "y", "z", vectors=[wide(3.0), wide(1e-20, 1e-20), wide(1e25, -1e25)])
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.search(SCOPE, wide(0.0, 1e20), k=3)
    assert [(match.chunk.text, match.score) for match in found] == [
        ("y", pytest.approx(sqrt(0.5))),
        ("x", pytest.approx(0.0)),
        ("z", pytest.approx(-sqrt(0.5))),
    ]


async def test_a_zero_vector_is_like_nothing(engine: Engine) -> None:
    await engine.add("a.txt", "x", "y", vectors=[wide(), wide(1.0)])
    async with engine.session(read_only=True) as stores:
        assert [f.score for f in await stores.vectors.search(SCOPE, wide(1.0), k=2)] == [1.0, 0.0]
        assert [f.score for f in await stores.vectors.search(SCOPE, wide(), k=2)] == [0.0, 0.0]


@pytest.mark.parametrize("k", [-1, 0, 1, 3, 1000, 10**9])
async def test_at_most_k_are_found(engine: Engine, k: int) -> None:
    await engine.add("a.txt", *(f"tea {n}" for n in range(3)))
    assert len(await engine.by_vector("tea", k=k)) == min(max(k, 0), 3)
    assert len(await engine.by_words("tea", k=k)) == min(max(k, 0), 3)


@pytest.mark.parametrize("k", [0, 650, 10**9])
async def test_at_most_k_are_found_among_many(engine: Engine, k: int) -> None:
    await engine.add("a.txt", *(f"tea {n}" for n in range(700)))
    await engine.add("b.txt", "tea")
    assert len(await engine.by_vector("tea", k=k)) == min(k, 701)
    assert len(await engine.by_words("tea", k=k)) == min(k, 701)


async def test_upserting_again_replaces_the_vector(engine: Engine) -> None:
    await engine.add("a.txt", "tea", "milk")
    async with engine.session() as stores:
        await stores.vectors.upsert(SCOPE, [EmbeddedChunk(a_chunk("a.txt", 0, "tea"), a_vector("coffee"))])
    found = await engine.by_vector("coffee")
    assert (len(found), found[0][1], found[0][2]) == (2, 0, pytest.approx(1.0))


async def test_upserting_again_replaces_the_vector_among_many(engine: Engine) -> None:
    await engine.add("a.txt", *(f"tea {n}" for n in range(700)))
    assert (await engine.by_vector("tea 5"))[0][1] == 5
    async with engine.session() as stores:
        await stores.vectors.upsert(SCOPE, [EmbeddedChunk(a_chunk("a.txt", 5, "tea 5"), a_vector("coffee"))])
    assert (await engine.by_vector("coffee", k=1))[0][:2] == ("a.txt", 5)
    assert (await engine.by_vector("tea 5", k=1))[0][2] < 0.99


@pytest.mark.parametrize(
    "vectors",
    [[[nan, 1.0]], [[float("inf"), 1.0]], [[]], [[1.0, 2.0], [1.0]], [[1.0, 2.0], []]],
    ids=["nan", "infinite", "empty", "ragged", "one empty"],
)
async def test_unusable_vectors_are_refused_and_nothing_is_written(engine: Engine, vectors: list[Any]) -> None:
    with pytest.raises(EmbeddingDimensionError):
        await engine.add("bad.txt", *("tea" for _ in vectors), vectors=vectors)
    assert await engine.sources() == []
    await engine.add("good.txt", "tea")
    assert sources_of(await engine.by_vector("tea")) == ["good.txt"]


@pytest.mark.parametrize("vector", [[nan] * DIMENSION, []], ids=["nan", "empty"])
async def test_an_unusable_query_vector_is_refused(engine: Engine, vector: list[float]) -> None:
    document = await engine.add("a.txt", "tea")
    async with engine.session(read_only=True) as stores:
        with pytest.raises(EmbeddingDimensionError):
            await stores.vectors.search(SCOPE, vector, k=1)
        with pytest.raises(EmbeddingDimensionError):
            await stores.vectors.similarities(SCOPE, vector, [f"{document.id}:0"])


async def test_another_width_is_refused_before_anything_is_written(engine: Engine) -> None:
    document = await engine.add("a.txt", "tea")
    with pytest.raises(EmbedderMismatchError):
        await engine.add("b.txt", "coffee", vectors=[[1.0, 0.0]])
    with pytest.raises(EmbedderMismatchError):
        await engine.add("c.txt", "coffee", vectors=[[1.0, 0.0]], scope=Scope("third"))
    async with engine.session(read_only=True) as stores:
        with pytest.raises(EmbedderMismatchError):
            await stores.vectors.search(SCOPE, [1.0, 0.0], k=1)
        with pytest.raises(EmbedderMismatchError):
            await stores.vectors.similarities(SCOPE, [1.0, 0.0], [f"{document.id}:0"])
    assert await engine.sources() == ["a.txt"]
    assert await engine.sources(Scope("third")) == []
    assert sources_of(await engine.by_vector("tea")) == ["a.txt"]


async def test_similarities_of_given_chunks_are_their_search_scores(engine: Engine) -> None:
    document = await engine.add("a.txt", "tea", "coffee", "milk")
    searched = {f"{document.id}:{ordinal}": score for _, ordinal, score in await engine.by_vector("tea and milk")}
    async with engine.session(read_only=True) as stores:
        ids = [*searched, *searched, "unknown:1"]
        assert await stores.vectors.similarities(SCOPE, a_vector("tea and milk"), ids) == pytest.approx(searched)
        assert await stores.vectors.similarities(SCOPE, a_vector("tea"), []) == {}
