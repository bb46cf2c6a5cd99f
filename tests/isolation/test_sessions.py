"""A connection that comes back to the pool carries nothing of its last tenant, however the session ended."""

# ruff: noqa: PT012 - what fails inside a session must be seen to leave it

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import text

from contract.engines import a_vector
from dalil.errors import StoreError
from dalil.identity import document_id
from dalil.scope import Scope
from dalil.stores.postgres import Database

from .conftest import MINE, SOURCES, THEIRS, House, stores_of

COUNT = text("SELECT count(*), count(*) FILTER (WHERE namespace <> 'mine') FROM dalil_chunks")
WHO = text("SELECT current_user, current_setting('dalil.namespace', true), pg_backend_pid()")


async def seen(database: Database, scope: Scope) -> tuple[int, int]:
    """Chunks that plain SQL finds in a session, and how many of them are not mine."""
    async with database.session(scope, read_only=True) as session:
        return tuple((await session.execute(COUNT)).one())  # type: ignore[return-value]


async def outside(database: Database) -> tuple[Any, ...]:
    """Who a pooled connection is when nobody has bound it."""
    async with database._engine_here().connect() as connection:
        return tuple((await connection.execute(WHO)).one())


class Halfway(Exception):
    """What goes wrong in these sessions."""


async def committed(database: Database) -> None:
    async with database.session(THEIRS) as session:
        await stores_of(session).add("new.txt", "tea", scope=THEIRS)


async def rolled_back(database: Database) -> None:
    with pytest.raises(Halfway):
        async with database.session(THEIRS) as session:
            await stores_of(session).add("new.txt", "tea", scope=THEIRS)
            raise Halfway


async def broken_by_sql(database: Database) -> None:
    with pytest.raises(Halfway):
        async with database.session(THEIRS) as session:
            with pytest.raises(Exception, match="division by zero"):
                await session.execute(text("SELECT 1/0"))
            raise Halfway


async def broken_in_a_store(database: Database) -> None:
    with pytest.raises(StoreError):
        async with database.session(THEIRS) as session:
            await stores_of(session).add("\ud800.txt", "tea", scope=THEIRS)


async def cancelled(database: Database) -> None:
    inside = asyncio.Event()

    async def work() -> None:
        async with database.session(THEIRS) as session:
            await stores_of(session).add("new.txt", "tea", scope=THEIRS)
            inside.set()
            await session.execute(text("SELECT pg_sleep(30)"))

    task = asyncio.create_task(work())
    await inside.wait()
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def cancelled_in_a_store(database: Database) -> None:
    for delay in (0.0, 0.001, 0.003, 0.006):

        async def work() -> None:
            async with database.session(THEIRS) as session:
                for n in range(50):
                    await stores_of(session).add(f"new {n}.txt", "tea", scope=THEIRS)

        task = asyncio.create_task(work())
        await asyncio.sleep(delay)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def left_in_another_namespace(database: Database) -> None:
    with pytest.raises(Halfway):
        async with database.session(MINE) as session:
            await stores_of(session).documents.list(THEIRS)
            raise Halfway


async def abandoned(database: Database) -> None:
    async def stream() -> Any:
        async with database.session(THEIRS, read_only=True) as session:
            for document in await stores_of(session).documents.list(THEIRS):
                yield document

    events = stream()
    await anext(events)
    await events.aclose()


ENDINGS = [
    committed,
    rolled_back,
    broken_by_sql,
    broken_in_a_store,
    cancelled,
    cancelled_in_a_store,
    left_in_another_namespace,
    abandoned,
]


@pytest.mark.parametrize("end", ENDINGS, ids=lambda end: end.__name__)
async def test_a_reused_connection_is_nobody(house: House, end: Any) -> None:
    database = Database(house.database.config)  # a pool of one connection
    login, _, _ = await outside(database)
    await end(database)
    assert (await outside(database))[:2] in ((login, ""), (login, None))
    assert await seen(database, MINE) == (6, 0)
    assert await seen(database, Scope("nobody")) == (0, 0)
    async with database.session(MINE) as session:
        assert len(await stores_of(session).words.search(MINE, "secret", k=50)) == 6
    assert database._engine_here().sync_engine.pool.checkedout() == 0
    await database.dispose()


async def test_the_pool_really_hands_out_the_same_connection(house: House) -> None:
    assert await outside(house.database) == await outside(house.database)


async def test_a_store_call_with_another_scope_leaves_the_session_bound_to_its_own(house: House) -> None:
    async with house.database.session(MINE) as session:
        stores = stores_of(session)
        for call in (
            stores.documents.list(THEIRS),
            stores.words.search(THEIRS, "tea", k=3),
            stores.vectors.search(THEIRS, a_vector("tea"), k=3),
            stores.documents.delete(THEIRS, "unknown"),
        ):
            await call
            assert tuple((await session.execute(COUNT)).one()) == (6, 0)


async def test_a_session_that_failed_once_cannot_pretend_to_have_committed(house: House) -> None:
    before = await house.contents(MINE)
    with pytest.raises(StoreError, match="earlier statement"):
        async with house.database.session(MINE) as session:
            await stores_of(session).documents.delete(MINE, document_id(SOURCES[0]))
            with pytest.raises(Exception, match="division by zero"):
                await session.execute(text("SELECT 1/0"))
    assert await house.contents(MINE) == before


async def test_errors_in_mid_transaction_show_nothing_of_others(house: House) -> None:
    async with house.database.session(MINE, read_only=True) as session:
        stores = stores_of(session)
        with pytest.raises(Exception, match="division by zero"):
            await session.execute(text("SELECT 1/0"))
        for call in (stores.documents.list(THEIRS), stores.words.search(THEIRS, "tea", k=3)):
            with pytest.raises(StoreError):
                await call


async def test_concurrent_calls_on_one_session_stay_apart(house: House) -> None:
    async with house.database.session(MINE, read_only=True) as session:
        stores = stores_of(session)
        scopes = [MINE, THEIRS, Scope("nobody")] * 10
        found = await asyncio.gather(*(stores.words.search(scope, "secret tea", k=50) for scope in scopes))
        for scope, chunks in zip(scopes, found, strict=True):
            assert {item.chunk.text.split()[0] for item in chunks} <= {scope.namespace}
        assert tuple((await session.execute(COUNT)).one()) == (6, 0)


async def test_a_session_made_elsewhere_is_bound_by_each_call(house: House) -> None:
    from sqlalchemy.ext.asyncio import AsyncSession

    async with AsyncSession(house.database._engine_here()) as session:
        for turn in range(2):
            await session.execute(text("SET LOCAL ROLE dalil_app"))
            assert (await session.execute(COUNT)).one() == (0, 0)
            stores = stores_of(session)
            assert len(await stores.documents.list(MINE)) == 2 + turn
            await stores.add("new.txt", "tea", scope=MINE)
            assert len(await stores.documents.list(Scope("nobody"))) == 0
            await session.commit()
