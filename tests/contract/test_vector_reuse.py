"""Stored vectors are found by the text that was embedded, inside the namespace only."""

from __future__ import annotations

import pytest

from dalil.models import EmbeddedChunk, EmbeddedSentence, EmbeddedSentences

from .engines import OTHER, SCOPE, Engine, a_chunk, a_document, a_vector
from .test_vectors import cosine


async def test_a_stored_text_gives_its_vector(engine: Engine) -> None:
    chunk = a_chunk("a.txt", 0, "green tea", embed_text="Drinks\ngreen tea")
    sentence = EmbeddedSentence(0, 5, a_vector("green"))
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, a_document("a.txt"), [chunk])
        await stores.vectors.upsert(SCOPE, [EmbeddedChunk(chunk, a_vector("v"))])
        await stores.vectors.save_sentences(SCOPE, [EmbeddedSentences(chunk.id, [sentence])])
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.stored_vectors(SCOPE, ["Drinks\ngreen tea", "green tea", "other"])
    assert list(found) == ["Drinks\ngreen tea"]
    stored = found["Drinks\ngreen tea"]
    assert stored.text == "green tea"
    assert cosine(list(stored.vector), a_vector("v")) == pytest.approx(1.0, abs=1e-6)
    assert [(s.start, s.end) for s in stored.sentences] == [(0, 5)]
    assert cosine(list(stored.sentences[0].vector), a_vector("green")) == pytest.approx(1.0, abs=0.001)


async def test_a_reused_vector_scores_like_the_first(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    async with engine.session(read_only=True) as stores:
        stored = (await stores.vectors.stored_vectors(SCOPE, ["green tea"]))["green tea"]
    await engine.add("b.txt", "green tea", vectors=[stored.vector])
    (_, _, first), (_, _, second) = await engine.by_vector("mint tea")
    assert first == pytest.approx(second, abs=1e-7)


async def test_another_namespace_is_not_asked(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", scope=OTHER)
    async with engine.session(read_only=True) as stores:
        assert await stores.vectors.stored_vectors(SCOPE, ["green tea"]) == {}
        assert list(await stores.vectors.stored_vectors(OTHER, ["green tea"])) == ["green tea"]


async def test_many_texts_at_once(engine: Engine) -> None:
    await engine.add("a.txt", *(f"tea {n}" for n in range(40)))
    await engine.add("b.txt", "tea 1", "tea 2")
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.stored_vectors(SCOPE, [f"tea {n}" for n in range(1200)] * 2)
        assert await stores.vectors.stored_vectors(SCOPE, []) == {}
    assert set(found) == {f"tea {n}" for n in range(40)}


async def test_a_replaced_text_is_forgotten_unless_it_lives_elsewhere(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", "mint tea")
    await engine.add("b.txt", "mint tea")
    await engine.add("a.txt", "coffee")
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.stored_vectors(SCOPE, ["green tea", "mint tea", "coffee"])
    assert set(found) == {"mint tea", "coffee"}
