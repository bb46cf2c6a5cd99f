"""Any text is a legal query and a legal document."""

from __future__ import annotations

import unicodedata

import pytest

from dalil.identity import document_id
from dalil.scope import Scope

from .engines import SCOPE, Engine, a_vector, sources_of

TEXTS = {
    "عقد.txt": "يبلغ الإيجار السنوي خمسين ألف ريال",
    "emoji 😀.txt": "the 😀 party 🎉 plan",
    "日本.txt": "東京は日本の首都です",
    "Straße.txt": "ÉCOLE naïve Straße",
    "nul\x00.txt": "before\x00zebra",
    "עברית.txt": "שלום עולם",
    "quote'\"%.txt": 'it\'s a "quoted" 100% value',
}


async def test_every_script_is_stored_and_found(engine: Engine) -> None:
    for source, text in TEXTS.items():
        await engine.add(source, text, note=text, **{source: source})
    assert await engine.sources() == sorted(TEXTS)
    for query, source in {
        "الايجار السنوى": "عقد.txt",
        "party plan": "emoji 😀.txt",
        "首都": "日本.txt",
        "ecole": "Straße.txt",
        "zebra": "nul\x00.txt",
        "שלום": "עברית.txt",
        "quoted": "quote'\"%.txt",
    }.items():
        assert sources_of(await engine.by_words(query))[:1] == [source]
    for source, text in TEXTS.items():
        assert sources_of(await engine.by_vector(text, k=1)) == [source]
        for filters in ({"note": text}, {source: source}, {"document_ids": [document_id(source)]}):
            assert await engine.sources(SCOPE.with_filters(**filters)) == [source]
        async with engine.session(read_only=True) as stores:
            [found] = await stores.vectors.search(SCOPE, a_vector(text), k=1)
            assert found.chunk.text == text
            document = await stores.documents.get(SCOPE, document_id(source))
            assert document.metadata == {"note": text, source: source}


async def test_the_two_spellings_of_a_name_are_one_document(engine: Engine) -> None:
    composed = "café.txt"
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    await engine.add(composed, "tea")
    await engine.add(decomposed, "coffee")
    assert await engine.sources() == [decomposed]
    assert await engine.by_words("tea") == []


async def test_stores_tell_spellings_apart_where_ids_do(engine: Engine) -> None:
    composed, decomposed = Scope("café"), Scope(unicodedata.normalize("NFD", "café"))
    await engine.add("a.txt", "tea", scope=composed)
    assert await engine.sources(composed) == ["a.txt"]
    assert await engine.sources(decomposed) == []


QUERIES = {
    "long": "tea " * 2500,
    "long word": "x" * 10_000,
    "many words": " ".join(f"word{n}" for n in range(2500)),
    "marks": "؟!.,;:()[]{}…—",
    "blank": " \t\n",
    "nothing": "",
    "operators": 'AND OR NOT title:x * " ( ',
    "wildcards": "te* t?a ~2 ^5 +tea -coffee [a TO b]",
    "NUL": "te\x00a",
    "lone surrogate": "tea \ud800",
    "only surrogates": "\ud800\udfff",
    "controls": "\u202e\u200f\ufeff\x1b[0m",
    "marks alone": "\u064b\u0301\u20dd",
    "sql": "'; DROP TABLE document; --",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
@pytest.mark.parametrize("chunks", [3, 400])
async def test_any_query_is_legal(engine: Engine, query: str, chunks: int) -> None:
    document = await engine.add("a.txt", *(f"green tea {n}" for n in range(chunks)))
    found = await engine.by_words(query, k=5)
    assert bool(found) == ("tea" in query or "te\x00" in query) or found == []
    async with engine.session(read_only=True) as stores:
        signals = await stores.words.lexical_signals(SCOPE, query, [f"{document.id}:0", query])
        assert await stores.documents.get(SCOPE, query) is None
        assert await stores.documents.find_by_hash(SCOPE, query) is None
        assert await stores.vectors.stored_vectors(SCOPE, [query]) == {}
        assert await stores.vectors.similarities(SCOPE, a_vector("x"), [query]) == {}
    assert set(signals) == {f"{document.id}:0"}


async def test_operators_are_words_like_any_other(engine: Engine) -> None:
    await engine.add("a.txt", "the title of x", "something else")
    assert [place[1] for place in await engine.by_words(QUERIES["operators"])] == [0]
