"""Every call of every store with another tenant's ids: nothing is seen, nothing of theirs changes."""

from __future__ import annotations

from typing import Any

import pytest

from contract.engines import a_chunk, a_document, a_vector
from dalil.identity import document_id
from dalil.models import EmbeddedChunk, EmbeddedSentence, EmbeddedSentences, Page
from dalil.scope import Scope

from .conftest import MINE, SOURCES, THEIRS, House, chunk_ids, stores_of

NOBODY = Scope("nobody")
THEIR_ID = document_id(SOURCES[0])


async def everything_seen(house: House, scope: Scope, opened_for: Scope | None = None) -> list[Any]:
    """What each reading call gives for the ids that both tenants use."""
    async with house.database.session(opened_for or scope, read_only=True) as session:
        stores = stores_of(session)
        chunks = chunk_ids()
        hashed = a_document(SOURCES[0], *(f"theirs secret tea {SOURCES[0]} part {n}" for n in range(3))).content_hash
        return [
            await stores.documents.get(scope, THEIR_ID),
            await stores.documents.find_by_hash(scope, hashed),
            await stores.documents.list(scope),
            await stores.documents.page_text(scope, THEIR_ID, 1),
            await stores.documents.pages(scope, THEIR_ID),
            await stores.documents.record(scope, THEIR_ID),
            await stores.documents.records(scope),
            await stores.vectors.search(scope, a_vector("theirs secret tea"), k=50),
            await stores.vectors.similarities(scope, a_vector("tea"), chunks),
            await stores.vectors.stored_vectors(scope, [f"theirs secret tea {SOURCES[0]} part 0"]),
            await stores.vectors.match_sentences(scope, a_vector("tea", 8), chunks),
            await stores.words.search(scope, "theirs secret tea", k=50),
            await stores.words.lexical_signals(scope, "secret tea", chunks),
            await stores.words.term_weights(scope, "theirs secret tea"),
        ]


async def test_a_stranger_sees_nothing_by_any_call(house: House) -> None:
    assert not any(await everything_seen(house, NOBODY))
    assert not any(await everything_seen(house, NOBODY, opened_for=THEIRS))
    assert not any(await everything_seen(house, NOBODY, opened_for=MINE))


@pytest.mark.parametrize("opened_for", [MINE, THEIRS, NOBODY], ids=lambda scope: scope.namespace)
async def test_a_tenant_sees_only_its_own_by_every_call(house: House, opened_for: Scope) -> None:
    seen = await everything_seen(house, MINE, opened_for)
    assert all(seen[place] for place in (0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12))
    assert seen[1] is None  # their bytes are not mine
    assert seen[9] == {}  # nor are their texts
    assert "theirs" not in repr(seen[:13])
    assert seen == await everything_seen(house, MINE)


@pytest.mark.parametrize("scope", [MINE, NOBODY], ids=lambda scope: scope.namespace)
async def test_filters_with_their_ids_and_values_open_nothing(house: House, scope: Scope) -> None:
    for filters in (
        {"owner": "theirs"},
        {"owner": ["theirs", "mine' OR '1'='1"]},
        {"namespace": "theirs"},
        {"document_ids": [f"{THEIR_ID}' OR '1'='1", "%"]},
        {"owner": "theirs", "document_ids": chunk_ids()},
        {"dalil_documents.namespace": "theirs"},
        {"') OR namespace = 'theirs' --": 1},
    ):
        assert not any((await everything_seen(house, Scope(scope.namespace, filters)))[:13]), filters


@pytest.mark.parametrize("opened_for", [MINE, THEIRS], ids=lambda scope: scope.namespace)
async def test_writing_calls_with_their_ids_change_nothing_of_theirs(house: House, opened_for: Scope) -> None:
    before = await house.contents(THEIRS)
    async with house.database.session(opened_for) as session:
        stores = stores_of(session)
        chunk = a_chunk(SOURCES[0], 0, "overwritten")
        await stores.documents.save_warnings(MINE, THEIR_ID, ["overwritten"])
        await stores.documents.save_pages(MINE, THEIR_ID, [Page(1, "overwritten")])
        await stores.vectors.upsert(MINE, [EmbeddedChunk(chunk, a_vector("overwritten"))])
        sentence = EmbeddedSentence(0, 1, a_vector("x", 8))
        await stores.vectors.save_sentences(MINE, [EmbeddedSentences(chunk.id, [sentence])])
        await stores.words.index(MINE, [chunk])
        await stores.words.delete(MINE, THEIR_ID)
        await stores.vectors.delete(MINE, THEIR_ID)
        await stores.documents.save(MINE, a_document(SOURCES[0], "overwritten"), [chunk])
        await stores.documents.delete(MINE, THEIR_ID)
        await stores.documents.purge(MINE)
    assert await house.contents(THEIRS) == before
    assert not any(await house.contents(MINE))


NAMES = [
    "theirs' OR '1'='1",
    "'; DROP TABLE dalil_chunks; --",
    "%",
    "_heirs",
    "theirs\x00",
    "theirs\x01",
    "x'), set_config('dalil.namespace', 'theirs', true); --",
    "THEIRS",
    " theirs",
    "\ufefftheirs",
]


@pytest.mark.parametrize("name", NAMES)
async def test_sql_in_a_namespaces_name_is_a_name(house: House, name: str) -> None:
    scope = Scope(name)
    before = [await house.contents(own) for own in (MINE, THEIRS)]
    assert not any(await everything_seen(house, scope))
    async with house.database.session(scope) as session:
        await stores_of(session).add("own.txt", "own tea", scope=scope)
    async with house.database.session(scope, read_only=True) as session:
        assert [document.source for document in await stores_of(session).documents.list(scope)] == ["own.txt"]
        assert len(await stores_of(session).words.search(scope, "tea", k=50)) == 1
    async with house.database.session(scope) as session:
        await stores_of(session).documents.purge(scope)
    assert [await house.contents(own) for own in (MINE, THEIRS)] == before


async def test_scores_do_not_tell_of_others(house: House) -> None:
    before = (await everything_seen(house, MINE))[7:14]
    async with house.database.session(THEIRS) as session:
        for n in range(20):
            await stores_of(session).add(f"more {n}.txt", "secret secret tea", scope=THEIRS)
    assert (await everything_seen(house, MINE))[7:14] == before
