"""Sentence vectors come back with their places and cosines, and go with their document."""

from __future__ import annotations

import pytest

from dalil.errors import EmbeddingDimensionError
from dalil.models import EmbeddedSentence, EmbeddedSentences

from .engines import OTHER, SCOPE, Engine, Stores, a_vector
from .test_vectors import cosine

TEXT = "Green tea is hot. Iced tea is cold. ماء بارد."
PLACES = [(0, 17), (18, 35), (36, 45)]


async def save(stores: Stores, chunk_id: str, width: int = 24) -> None:
    sentences = [EmbeddedSentence(start, end, a_vector(TEXT[start:end], width)) for start, end in PLACES]
    await stores.vectors.save_sentences(SCOPE, [EmbeddedSentences(chunk_id, sentences)])


async def test_sentences_come_back_in_order_with_their_cosines(engine: Engine) -> None:
    document = await engine.add("a.txt", TEXT, "another chunk")
    async with engine.session() as stores:
        await save(stores, f"{document.id}:0")
    ids = [f"{document.id}:0", f"{document.id}:1", "unknown:0"]
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.match_sentences(SCOPE, a_vector("question", 24), ids)
    assert list(found) == ids[:1]
    matches = found[ids[0]]
    assert [(match.start, match.end) for match in matches] == PLACES
    for match in matches:
        expected = cosine(a_vector(TEXT[match.start : match.end], 24), a_vector("question", 24))
        assert match.score == pytest.approx(expected, abs=0.02)


async def test_saving_again_replaces_the_sentences(engine: Engine) -> None:
    document = await engine.add("a.txt", TEXT)
    chunk_id = f"{document.id}:0"
    async with engine.session() as stores:
        await save(stores, chunk_id)
        only = EmbeddedSentence(18, 35, a_vector("x", 24))
        await stores.vectors.save_sentences(SCOPE, [EmbeddedSentences(chunk_id, [only])])
    async with engine.session(read_only=True) as stores:
        found = await stores.vectors.match_sentences(SCOPE, a_vector("x", 24), [chunk_id])
    assert [(match.start, match.end) for match in found[chunk_id]] == [(18, 35)]
    assert found[chunk_id][0].score == pytest.approx(1.0, abs=0.02)


async def test_sentences_go_when_their_document_goes_or_is_replaced(engine: Engine) -> None:
    document = await engine.add("a.txt", TEXT)
    chunk_id = f"{document.id}:0"
    async with engine.session() as stores:
        await save(stores, chunk_id)
    await engine.add("a.txt", TEXT)
    async with engine.session(read_only=True) as stores:
        assert await stores.vectors.match_sentences(SCOPE, a_vector("x", 24), [chunk_id]) == {}


async def test_sentences_stay_within_the_scope(engine: Engine) -> None:
    document = await engine.add("a.txt", TEXT, shop=1)
    chunk_id = f"{document.id}:0"
    async with engine.session() as stores:
        await save(stores, chunk_id)
        await stores.vectors.save_sentences(OTHER, [EmbeddedSentences(chunk_id, [EmbeddedSentence(0, 1, [1.0] * 24)])])
        unknown = EmbeddedSentences("unknown:0", [EmbeddedSentence(0, 1, [1.0] * 24)])
        await stores.vectors.save_sentences(SCOPE, [unknown])
    async with engine.session(read_only=True) as stores:
        question = a_vector("x", 24)
        for scope in (OTHER, SCOPE.with_filters(shop=2), SCOPE.with_filters(document_ids=[])):
            assert await stores.vectors.match_sentences(scope, question, [chunk_id, "unknown:0"]) == {}
        assert list(await stores.vectors.match_sentences(SCOPE, question, [chunk_id, "unknown:0"])) == [chunk_id]


async def test_a_question_of_another_width_is_refused(engine: Engine) -> None:
    document = await engine.add("a.txt", TEXT)
    chunk_id = f"{document.id}:0"
    async with engine.session() as stores:
        await save(stores, chunk_id)
    async with engine.session(read_only=True) as stores:
        for width in (12, 23, 48):
            with pytest.raises(EmbeddingDimensionError):
                await stores.vectors.match_sentences(SCOPE, a_vector("x", width), [chunk_id])


async def test_unusable_sentences_are_refused(engine: Engine) -> None:
    document = await engine.add("a.txt", TEXT)
    bad = EmbeddedSentences(f"{document.id}:0", [EmbeddedSentence(0, 5, [float("nan")] * 4)])
    with pytest.raises(EmbeddingDimensionError):
        async with engine.session() as stores:
            await stores.vectors.save_sentences(SCOPE, [bad])
