"""Two namespaces never see each other: not in what is found, nor in counts, nor in scores."""

from __future__ import annotations

from dalil.errors import StoreError

from .engines import OTHER, SCOPE, Engine, a_vector, same_ranking, sources_of

TEXTS = ("green tea with mint", "mint water", "coffee with milk and sugar")


async def test_the_same_names_and_texts_live_side_by_side(engine: Engine) -> None:
    mine = await engine.add("a.txt", *TEXTS, owner="me")
    theirs = await engine.add("a.txt", *TEXTS, scope=OTHER, owner="them")
    assert mine.id == theirs.id
    for scope, owner in ((SCOPE, "me"), (OTHER, "them")):
        async with engine.session(scope, read_only=True) as stores:
            found = await stores.documents.get(scope, mine.id)
            assert found.metadata == {"owner": owner}
            assert await stores.documents.list(scope) == [found]
            assert (await stores.documents.record(scope, mine.id)).chunks == 3
            assert (await stores.documents.find_by_hash(scope, mine.content_hash)).metadata == {"owner": owner}
        assert len(await engine.by_words("mint", scope)) == 2
        assert len(await engine.by_vector(TEXTS[0], scope)) == 3
    await engine.delete("a.txt", scope=OTHER)
    assert len(await engine.by_words("mint")) == 2
    assert len(await engine.by_vector(TEXTS[0])) == 3
    assert await engine.sources(OTHER) == await engine.by_words("mint", OTHER) == []


async def test_another_namespace_does_not_move_scores(engine: Engine) -> None:
    await engine.add("a.txt", *TEXTS)
    before = await engine.by_words("mint tea"), await engine.by_vector("mint tea")
    await engine.add_all({f"{n}.txt": [f"mint mint mint {n}"] * 3 for n in range(30)}, OTHER)
    assert (await engine.by_words("mint tea"), await engine.by_vector("mint tea")) == before


async def test_a_full_namespace_scores_like_a_fresh_store_beside_a_larger_one(engine: Engine, fresh: Engine) -> None:
    documents = {f"{n:03}.txt": [f"tea order {n} {'mint ' * (n % 5)}", f"water {n % 17}"] for n in range(350)}
    await engine.add_all({f"{n}.txt": [f"mint order water {n}"] * 3 for n in range(250)}, OTHER)
    await engine.add_all(documents)
    await fresh.add_all(documents)
    await engine.by_words("tea")  # the derived indexes are up by now
    for query in ("mint order", "water 5", "tea", "order 17 mint"):
        assert same_ranking(await engine.by_words(query), await fresh.by_words(query))
        assert same_ranking(await engine.by_vector(query), await fresh.by_vector(query))
    assert set(sources_of(await engine.by_words("order", OTHER, k=900))) <= {f"{n}.txt" for n in range(250)}


async def test_chunk_ids_reach_only_their_own_namespace(engine: Engine) -> None:
    mine = await engine.add("a.txt", "green tea")
    theirs = await engine.add("b.txt", "green tea", scope=OTHER)
    ids = [f"{mine.id}:0", f"{theirs.id}:0"]
    async with engine.session(read_only=True) as stores:
        assert list(await stores.words.lexical_signals(SCOPE, "tea", ids)) == ids[:1]
        assert list(await stores.vectors.similarities(SCOPE, a_vector("tea"), ids)) == ids[:1]
        assert await stores.documents.page_text(SCOPE, theirs.id, 1) is None


async def test_an_unknown_namespace_is_empty(engine: Engine) -> None:
    await engine.add("a.txt", "green tea")
    for name in ("nobody", "TENANT", "tenant ", "%", "tenant\x00", "\ud800", "مستأجر"):
        scope = type(SCOPE)(name)
        assert await engine.sources(scope) == []
        assert await engine.by_words("tea", scope) == await engine.by_vector("tea", scope) == []
        async with engine.session(scope) as stores:
            await stores.documents.purge(scope)
            await stores.documents.delete(scope, "a")
            assert await stores.vectors.stored_vectors(scope, ["green tea"]) == {}
            assert await stores.documents.records(scope) == []
    assert await engine.sources() == ["a.txt"]


async def test_a_name_that_cannot_be_stored_is_refused_as_a_whole(engine: Engine) -> None:
    try:
        await engine.add("\ud800.txt", "green tea")
    except StoreError:
        assert await engine.sources() == []
        assert await engine.by_words("tea") == []
    else:
        assert await engine.sources() == ["\ud800.txt"]
