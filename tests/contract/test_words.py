"""Searching by words: BM25 with the exact statistics of the namespace, whatever happened before."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import pytest

from dalil.models import EmbeddedChunk
from dalil.scope import Scope

from .engines import ENGINES, SCOPE, Engine, a_chunk, a_document, a_vector, same_ranking

QUERIES = ("tea", "mint tea order", "order 17", "water mint", "نعناع", "unknown words", "tea tea tea")


def corpus(documents: int) -> dict[str, list[str]]:
    """Documents of two chunks whose words and lengths vary."""
    return {
        f"{n:03}.txt": [f"tea order {n} {'mint ' * (n % 4)}", f"water {n % 7} {'نعناع ' * (n % 3)}"]
        for n in range(documents)
    }


async def test_the_score_is_bm25(engine: Engine) -> None:
    await engine.add("a.txt", "green tea tea", "mint water glass bottle", "coffee")
    [(_, ordinal, score)] = await engine.by_words("tea")
    idf = log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    length, average = 3, 8 / 3
    assert ordinal == 0
    assert score == pytest.approx(idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * length / average)), abs=1e-9)


async def test_word_forms_and_arabic_spellings_meet(engine: Engine) -> None:
    await engine.add("a.txt", "The invoices were PAID", "دُفِعَتِ الفاتورةُ أمس")
    assert [place[1] for place in await engine.by_words("paying an invoice")] == [0]
    assert [place[1] for place in await engine.by_words("فاتوره")] == [1]


async def test_words_are_those_of_the_embedded_text(engine: Engine) -> None:
    chunk = a_chunk("a.txt", 0, "It opens at nine.", embed_text="Library > Hours\nIt opens at nine.")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, a_document("a.txt"), [chunk])
        await stores.words.index(SCOPE, [chunk])
    assert [place[:2] for place in await engine.by_words("library")] == [("a.txt", 0)]


async def test_indexing_again_counts_once(engine: Engine, fresh: Engine) -> None:
    for _ in range(3):
        await engine.add("a.txt", "green tea", "mint tea")
        async with engine.session() as stores:
            await stores.words.index(SCOPE, [a_chunk("a.txt", 0, "green tea")])
    await fresh.add("a.txt", "green tea", "mint tea")
    assert await engine.by_words("green tea") == await fresh.by_words("green tea")


async def test_a_chunk_indexed_with_another_text_is_found_by_that(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    async with engine.session() as stores:
        await stores.words.index(SCOPE, [a_chunk("a.txt", 0, "black coffee")])
    assert await engine.by_words("tea") == []
    assert [place[:2] for place in await engine.by_words("coffee")] == [("a.txt", 0)]


@pytest.mark.parametrize("documents", [10, 200, 400])
async def test_scores_do_not_remember_what_was_deleted(engine: Engine, fresh: Engine, documents: int) -> None:
    await engine.add_all({f"junk {n}.txt": [f"tea tea mint junk {n}"] * 3 for n in range(20)})
    await engine.add_all(corpus(documents))
    await engine.add_all({f"later junk {n}.txt": [f"order order نعناع junk {n}"] * 3 for n in range(20)})
    await engine.by_words("tea")
    await engine.delete(*(f"{kind} {n}.txt" for n in range(20) for kind in ("junk", "later junk")))
    await fresh.add_all(corpus(documents))
    for query in QUERIES:
        assert same_ranking(await engine.by_words(query), await fresh.by_words(query)), query
        assert same_ranking(await engine.by_vector(query), await fresh.by_vector(query)), query


@pytest.mark.parametrize("documents", [10, 200, 400])
async def test_all_engines_give_the_same_ranking(make_engine: Callable[[str], Engine], documents: int) -> None:
    engines = [make_engine(name) for name in ENGINES]
    for engine in engines:
        await engine.add_all(corpus(documents))
        await engine.delete("003.txt", "007.txt")
        await engine.add("004.txt", "a new text about mint water")
    for query in QUERIES:
        for k in (1, 10, 60):
            for found in (
                [await engine.by_words(query, k=k) for engine in engines],
                [await engine.by_vector(query, k=k) for engine in engines],
            ):
                assert all(same_ranking(found[0], other) for other in found[1:]), (query, k)


async def test_signals_agree_with_the_search(engine: Engine) -> None:
    document = await engine.add("a.txt", "green tea", "mint water", "coffee")
    ids = [f"{document.id}:{ordinal}" for ordinal in range(3)]
    searched = {f"{document.id}:{ordinal}": score for _, ordinal, score in await engine.by_words("mint tea water")}
    async with engine.session(read_only=True) as stores:
        signals = await stores.words.lexical_signals(SCOPE, "mint tea water", [*ids, ids[0], "unknown:0"])
    assert {i: s.bm25 for i, s in signals.items() if s.bm25} == searched
    assert [signals[i].coverage for i in ids] == pytest.approx([1 / 3, 2 / 3, 0.0])
    assert list(signals) == ids


async def test_term_weights_are_the_namespaces_idf(engine: Engine) -> None:
    await engine.add("a.txt", "green tea", "mint tea", "coffee")
    async with engine.session(read_only=True) as stores:
        weights = await stores.words.term_weights(SCOPE, "the tea and coffee, unknown")
        assert await stores.words.term_weights(Scope("nobody"), "tea") == {}
    expected = {"tea": 2, "coffe": 1, "unknown": 0}
    assert weights == pytest.approx({term: log(1 + (3 - n + 0.5) / (n + 0.5)) for term, n in expected.items()})


async def test_chunks_without_words_are_never_found(engine: Engine) -> None:
    await engine.add("a.txt", "--- ... !!!", "the of and", "", "tea")
    assert [place[1] for place in await engine.by_words("tea the ---")] == [3]


async def test_a_document_may_have_vectors_but_no_words(engine: Engine) -> None:
    chunk = a_chunk("a.txt", 0, "green tea")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, a_document("a.txt"), [chunk])
        await stores.vectors.upsert(SCOPE, [EmbeddedChunk(chunk, a_vector("green tea"))])
    assert await engine.by_words("tea") == []
    async with engine.session(read_only=True) as stores:
        assert await stores.words.lexical_signals(SCOPE, "tea", [chunk.id]) == {}
