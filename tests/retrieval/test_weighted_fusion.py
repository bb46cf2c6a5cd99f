"""Both channels are searched, and a chunk that is strong in either comes up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from dalil.fakes import FakeEmbedder, FakeEngineKit
from dalil.models import Chunk, Document, EmbeddedChunk, EmbeddedSentence, EmbeddedSentences, Vector
from dalil.retrieval import FusionWeights, Retrieval, Retriever, Signals, WeightedFusion
from dalil.scope import Scope

from .conftest import SCOPE, PlainEmbedder, PlainVectors, PlainWords, chunk_of

CHUNKS = {name: chunk_of(f"text of {name}", document=name) for name in "abcdef"}


async def retrieve(
    dense: Mapping[str, float], lexical: Mapping[str, float], k: int = 10, scope: Scope = SCOPE, **options
):
    retriever = Retriever(
        embedder=PlainEmbedder(),
        vector_store=PlainVectors(dense, CHUNKS),
        lexical_store=PlainWords(lexical, CHUNKS),
        **options,
    )
    return await retriever.retrieve("question", scope, k=k)


def names(retrieval: Retrieval) -> list[str]:
    return [candidate.chunk.document_id for candidate in retrieval.candidates]


def test_the_score_is_the_weighted_sum_of_the_signals():
    fusion = WeightedFusion(FusionWeights(dense=1.0, lexical=0.5, coverage=0.25, sentence=2.0))
    assert fusion.score(Signals(dense=0.5, lexical=1.0, coverage=0.4, sentence=0.1)) == pytest.approx(1.3)
    assert fusion.score(Signals()) == 0.0


async def test_plain_stores_are_enough():
    found = await retrieve({"a": 0.9, "b": 0.5}, {"b": 7.0, "c": 3.5})
    assert set(names(found)) == {"a", "b", "c"}
    signals = {candidate.chunk.document_id: candidate.signals for candidate in found.candidates}
    assert signals["a"] == Signals(dense=0.9, lexical=0.0)
    assert signals["b"] == Signals(dense=0.5, lexical=1.0)
    assert signals["c"] == Signals(dense=0.5, lexical=0.5)
    assert (dict(found.sentences), dict(found.weights)) == ({}, {})
    assert [item.chunk.document_id for item in found.dense] == ["a", "b"]
    assert [item.chunk.document_id for item in found.lexical] == ["b", "c"]


async def test_strong_in_either_channel():
    found = await retrieve({"a": 0.95, "b": 0.3, "c": 0.3}, {"d": 12.0, "b": 1.0, "c": 1.0})
    assert set(names(found)[:2]) == {"a", "d"}


async def test_one_channel_alone():
    assert names(await retrieve({"a": 0.9, "b": 0.5}, {})) == ["a", "b"]
    assert names(await retrieve({}, {"b": 2.0, "a": 1.0})) == ["b", "a"]
    assert await retrieve({}, {}) == Retrieval("question")


async def test_best_first_and_ties_by_source():
    found = await retrieve({"c": 0.5, "a": 0.5, "b": 0.5}, {})
    assert names(found) == ["a", "b", "c"]
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)


async def test_no_more_than_k():
    dense = dict.fromkeys(CHUNKS, 0.9)
    assert len((await retrieve(dense, dense, k=2)).candidates) == 2


async def test_channels_are_searched_deeper_than_k():
    even = FusionWeights(1.0, 1.0, 0.0, 0.0)
    found = await retrieve({"a": 0.9, "b": 0.89, "c": 0.1}, {"d": 5.0, "b": 4.9}, k=1, fusion=WeightedFusion(even))
    assert names(found) == ["b"]


async def test_weights_decide():
    dense, lexical = {"a": 0.9, "b": 0.2}, {"b": 9.0}
    only_meaning = WeightedFusion(FusionWeights(1.0, 0.0, 0.0, 0.0))
    only_words = WeightedFusion(FusionWeights(0.0, 1.0, 0.0, 0.0))
    assert names(await retrieve(dense, lexical, fusion=only_meaning)) == ["a", "b"]
    assert names(await retrieve(dense, lexical, fusion=only_words)) == ["b", "a"]


async def test_filters_reach_both_channels():
    scope = Scope("tests", {"document_ids": ["b", "c"]})
    assert set(names(await retrieve({"a": 0.9, "b": 0.1}, {"a": 9.0, "c": 1.0}, scope=scope))) == {"b", "c"}
    nothing = Scope("tests", {"document_ids": []})
    assert names(await retrieve({"a": 0.9}, {"a": 9.0}, scope=nothing)) == []


class QuestionsDiffer(FakeEmbedder):
    """Embeds a question as if it had been asked in other words; sentences in a space of their own."""

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed(["mint"]))[0]

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self.embed(texts)


async def filled(kit: FakeEngineKit, *chunks: Chunk, scope: Scope = SCOPE) -> None:
    """Saves each chunk as a document of its own."""
    for chunk in chunks:
        document = Document(chunk.document_id, chunk.source, "hash", chunk.metadata)
        await kit.document_store.save(scope, document, [chunk])
        (vector,) = await kit.embedder.embed([chunk.embed_text])
        await kit.vector_store.upsert(scope, [EmbeddedChunk(chunk, vector)])
        await kit.lexical_store.index(scope, [chunk])


def retriever_of(kit: FakeEngineKit, **options) -> Retriever:
    return Retriever(embedder=kit.embedder, vector_store=kit.vector_store, lexical_store=kit.lexical_store, **options)


async def test_stores_that_score_any_chunk_make_the_signals_exact():
    kit = FakeEngineKit()
    await filled(kit, chunk_of("mint tea", document="a"), chunk_of("black coffee", document="b"))
    found = await retriever_of(kit).retrieve("mint tea", SCOPE, k=5)
    best = found.candidates[0]
    assert best.chunk.document_id == "a"
    assert best.signals == Signals(dense=pytest.approx(1.0), lexical=1.0, coverage=pytest.approx(1.0))
    assert set(found.weights) == {"mint", "tea"}
    assert all(weight > 0 for weight in found.weights.values())


async def test_an_embedder_for_questions_is_asked():
    kit = FakeEngineKit(embedder=QuestionsDiffer())
    await filled(kit, chunk_of("mint", document="a"), chunk_of("coffee", document="b"))
    fusion = WeightedFusion(FusionWeights(1.0, 0.0, 0.0, 0.0))
    found = await retriever_of(kit, fusion=fusion).retrieve("coffee", SCOPE, k=5)
    assert found.candidates[0].chunk.document_id == "a"


async def test_the_best_sentence_counts_where_there_are_sentence_vectors():
    kit = FakeEngineKit(embedder=QuestionsDiffer())
    text = "It is long. Coffee is black."
    await filled(kit, chunk_of(text, document="a"), chunk_of("coffee", document="b"))
    vectors = await kit.embedder.embed([text[:11], text[12:]])
    sentences = [EmbeddedSentence(0, 11, vectors[0]), EmbeddedSentence(12, 28, vectors[1])]
    await kit.vector_store.save_sentences(SCOPE, [EmbeddedSentences("a:0", sentences)])
    fusion = WeightedFusion(FusionWeights(0.0, 0.0, 0.0, 1.0))
    found = await retriever_of(kit, fusion=fusion).retrieve("black coffee", SCOPE, k=5)
    best = found.candidates[0]
    assert best.chunk.document_id == "a"
    assert best.score == pytest.approx(1.0)
    assert [(match.start, match.end) for match in found.sentences["a:0"]] == [(0, 11), (12, 28)]
    assert found.candidates[1].signals.sentence == 0.0


async def test_another_tenant_is_never_seen():
    kit = FakeEngineKit()
    await filled(kit, chunk_of("mint tea", document="a"), scope=Scope("other"))
    assert (await retriever_of(kit).retrieve("mint tea", SCOPE, k=5)).candidates == ()


async def test_filters_by_metadata():
    kit = FakeEngineKit()
    await filled(
        kit,
        chunk_of("mint tea", document="a", shop="north"),
        chunk_of("mint tea", document="b", shop="south"),
        chunk_of("mint tea", document="c"),
    )
    found = await retriever_of(kit).retrieve("mint tea", Scope("tests", {"shop": ["south", "west"]}), k=5)
    assert names(found) == ["b"]


@pytest.mark.parametrize(
    "question",
    [
        "",
        " ",
        "\x00",
        "\ud800",
        "--error-on-warnings",
        "C++",
        "a'b",
        "AND OR NOT",
        "title:x",
        "*",
        "\u064b",
        "؟",
        "x" * 10_000,
    ],
)
async def test_any_text_is_a_legal_question(question: str):
    kit = FakeEngineKit()
    await filled(kit, chunk_of("mint tea", document="a"))
    await retriever_of(kit).retrieve(question, SCOPE, k=5)
