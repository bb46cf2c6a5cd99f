"""What goes wrong in the database arrives as dalil's errors, and never shows the password."""

# ruff: noqa: PT012 - what fails inside a session must be seen to leave it

from __future__ import annotations

import asyncio
import socket
import traceback
from typing import Any

import pytest
from sqlalchemy import text

from dalil.errors import StoreBusyError, StoreError, StoreReadOnlyError, StoreUnavailableError
from dalil.stores.postgres import Database, PostgresConfig
from dalil.stores.postgres import database as database_module

from . import server
from .conftest import Open
from .stores import SCOPE, add, found, stores_of


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.mark.parametrize("place", ["127.0.0.1:{port}/d", "no-such-host.invalid/d", "/d?host=/nowhere"])
async def test_a_server_that_is_not_there(place: str) -> None:
    url = f"postgresql://user:hunter2@{place.format(port=closed_port())}"
    database = Database(PostgresConfig(url))
    for call in (database.migrate(), database.meta(), add(database, "a.txt", "tea"), found(database, "tea")):
        with pytest.raises(StoreUnavailableError) as caught:
            await call
        assert "hunter2" not in "".join(traceback.format_exception(caught.value))
    await database.dispose()


async def test_a_database_that_is_not_there(open_database: Open) -> None:
    with pytest.raises(StoreUnavailableError, match="no_such_database"):
        await open_database("no_such_database").migrate()


async def test_a_server_that_goes_away(migrated: str, open_database: Open) -> None:
    database = open_database(migrated, pool_pre_ping=True)
    await add(database, "a.txt", "tea")
    with pytest.raises(StoreUnavailableError):
        async with database.session(SCOPE) as session:
            await stores_of(session).documents.list(SCOPE)
            await server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()",
                database=migrated,
            )
            await stores_of(session).documents.list(SCOPE)
    assert await found(database, "tea") == ["a.txt"]  # the next session has a connection of its own


async def test_a_database_that_may_only_be_read(migrated: str, open_database: Open) -> None:
    await server.execute(f"ALTER DATABASE {migrated} SET default_transaction_read_only = on")
    try:
        with pytest.raises(StoreReadOnlyError):
            await add(open_database(migrated), "a.txt", "tea")
    finally:
        await server.execute(f"ALTER DATABASE {migrated} RESET default_transaction_read_only")


async def test_a_writer_that_waits_too_long(migrated: str, open_database: Open, monkeypatch: Any) -> None:
    monkeypatch.setattr(database_module, "WAIT_FOR_WRITER", 0.2)
    one, other = open_database(migrated), open_database(migrated)
    async with one.session(SCOPE) as session:
        await stores_of(session).add("a.txt", "tea")
        with pytest.raises(StoreBusyError):
            await add(other, "b.txt", "tea")
    assert await found(other, "tea") == ["a.txt"]


async def test_writers_of_different_namespaces_do_not_wait(migrated: str, open_database: Open) -> None:
    database = open_database(migrated)
    await add(database, "first.txt", "tea")  # the very first vectors of a database are noted for all
    async with database.session(SCOPE) as session:
        await stores_of(session).add("a.txt", "tea")
        other = SCOPE.__class__("other")
        await asyncio.wait_for(add(database, "b.txt", "tea", scope=other), 20)


async def test_a_pool_that_is_used_up(migrated: str, open_database: Open) -> None:
    database = open_database(migrated, pool_size=1, max_overflow=0)
    database._engine_here().sync_engine.pool._timeout = 0.1  # type: ignore[attr-defined]
    async with database.session(SCOPE, read_only=True):
        with pytest.raises(StoreBusyError, match="pool"):
            await found(database, "tea")
    assert await found(database, "tea") == []


async def test_errors_of_the_callers_own_pass_as_they_are(migrated: str, open_database: Open) -> None:
    for error in (OSError("mine"), KeyError("mine"), UnicodeEncodeError("utf-8", "x", 0, 1, "mine")):
        with pytest.raises(type(error), match="mine"):
            async with open_database(migrated).session(SCOPE):
                raise error


async def test_texts_are_not_shown_when_a_statement_fails(migrated: str, open_database: Open) -> None:
    with pytest.raises(StoreError) as caught:
        async with open_database(migrated).session(SCOPE) as session:
            await session.execute(text("SELECT 1"))
            await stores_of(session).add("\ud800.txt", "a secret text")
    assert "secret" not in str(caught.value)


async def test_it_may_be_used_again_after_dispose_and_on_another_loop(migrated: str) -> None:
    database = Database(server.config(migrated))
    await add(database, "a.txt", "tea")
    await database.dispose()
    await database.dispose()
    assert await found(database, "tea") == ["a.txt"]
    await database.dispose()

    async def elsewhere() -> list[str]:
        sources = await found(database, "tea")
        await database.dispose()
        return sources

    assert await asyncio.to_thread(lambda: asyncio.run(elsewhere())) == ["a.txt"]


async def test_what_is_noted_and_held(migrated: str, open_database: Open) -> None:
    database = open_database(migrated, embedder="model one")
    assert await database.meta() == {}
    await add(database, "a.txt", "tea", "mint")
    await add(database, "b.txt", "tea", scope=SCOPE.__class__("nul\x00"))
    assert await database.meta() == {"embedder": "model one", "dimension": "16"}
    assert await database.namespaces() == [("nul\x00", 1, 1), ("tenant", 1, 2)]
