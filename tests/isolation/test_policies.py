"""What Row-Level Security alone keeps apart: plain SQL as the application role, without any of our conditions."""

# ruff: noqa: S608 - the statements are the attempts; the tables are our own list

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from dalil.stores.postgres.schema import TENANT_TABLES
from stores.postgres import server

from .conftest import House

_WHO = "SELECT set_config('dalil.namespace', $1, true)"


@pytest.fixture
async def connection(house: House) -> AsyncIterator[Any]:
    """The application role on a connection of its own, in a transaction, bound to nobody yet."""
    connection = await asyncpg.connect(server.url_of(house.name))
    await connection.execute("BEGIN")
    await connection.execute("SET LOCAL ROLE dalil_app")
    yield connection
    await connection.close()


async def visible(connection: Any) -> dict[str, int]:
    return {table: await connection.fetchval(f"SELECT count(*) FROM {table}") for table in TENANT_TABLES}


async def test_every_table_with_a_namespace_is_guarded(house: House) -> None:
    connection = await asyncpg.connect(server.url_of(house.name))
    rows = await connection.fetch(
        "SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity FROM pg_class c JOIN pg_attribute a "
        "ON a.attrelid = c.oid WHERE c.relkind = 'r' AND a.attname = 'namespace' AND c.relname LIKE 'dalil%'"
    )
    shared = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'p') AND relname LIKE 'dalil%' "
        "AND NOT relrowsecurity"
    )
    await connection.close()
    assert {row["relname"]: (row[1], row[2]) for row in rows} == dict.fromkeys(TENANT_TABLES, (True, True))
    assert {row["relname"] for row in shared} == {"dalil_meta", "dalil_schema_version"}


async def test_without_the_variable_no_row_is_seen(connection: Any) -> None:
    assert set((await visible(connection)).values()) == {0}


async def test_with_an_empty_variable_no_row_is_seen(connection: Any) -> None:
    await connection.fetchval(_WHO, "")
    assert set((await visible(connection)).values()) == {0}


@pytest.mark.parametrize("name", ["min", "Mine", "mine ", "%", "mine' OR '1'='1", "*", "null", "mine\n"])
async def test_another_name_sees_no_row(connection: Any, name: str) -> None:
    await connection.fetchval(_WHO, name)
    assert set((await visible(connection)).values()) == {0}


async def test_a_tenant_sees_its_own_rows_alone(connection: Any) -> None:
    await connection.fetchval(_WHO, "mine")
    seen = await visible(connection)
    assert all(seen.values())
    for table in TENANT_TABLES:
        assert await connection.fetchval(f"SELECT count(*) FROM {table} WHERE namespace <> 'mine'") == 0
        assert await connection.fetchval(f"SELECT count(*) FROM {table} WHERE namespace = 'theirs'") == 0


@pytest.mark.parametrize("table", TENANT_TABLES)
async def test_rows_cannot_be_given_to_others(connection: Any, table: str) -> None:
    await connection.fetchval(_WHO, "mine")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        await connection.execute(f"UPDATE {table} SET namespace = 'theirs'")


@pytest.mark.parametrize("table", TENANT_TABLES)
async def test_others_rows_cannot_be_changed_or_removed(house: House, connection: Any, table: str) -> None:
    before = await server_count(house, table)
    await connection.fetchval(_WHO, "mine")
    assert await connection.execute(f"UPDATE {table} SET namespace = 'mine' WHERE namespace = 'theirs'") == "UPDATE 0"
    assert await connection.execute(f"DELETE FROM {table} WHERE namespace = 'theirs'") == "DELETE 0"
    await connection.execute(f"DELETE FROM {table}")
    await connection.execute("COMMIT")
    assert await server_count(house, table) == before


async def server_count(house: House, table: str) -> int:
    """How many rows of the other tenant there are, read past the policies."""
    connection = await asyncpg.connect(server.url_of(house.name))
    try:
        return int(await connection.fetchval(f"SELECT count(*) FROM {table} WHERE namespace = 'theirs'"))
    finally:
        await connection.close()


async def test_rows_cannot_be_put_into_another_namespace(connection: Any) -> None:
    for who in ("mine", ""):
        await connection.execute("SAVEPOINT before")
        await connection.fetchval(_WHO, who)
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
            await connection.execute("INSERT INTO dalil_namespaces (namespace) VALUES ('a third')")
        await connection.execute("ROLLBACK TO before")


async def test_the_role_can_neither_lift_the_policies_nor_log_in(house: House, connection: Any) -> None:
    for statement in (
        "ALTER TABLE dalil_chunks DISABLE ROW LEVEL SECURITY",
        "DROP POLICY dalil_isolation ON dalil_chunks",
        "TRUNCATE dalil_chunks",
        "UPDATE dalil_meta SET value = 'x'",
        "DELETE FROM dalil_schema_version",
    ):
        await connection.execute("SAVEPOINT before")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
        await connection.execute("ROLLBACK TO before")
    row = await connection.fetchrow("SELECT * FROM pg_roles WHERE rolname = 'dalil_app'")
    assert not any(row[right] for right in ("rolcanlogin", "rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb"))


async def test_row_security_switched_off_is_an_error_and_no_way_around(connection: Any) -> None:
    await connection.fetchval(_WHO, "mine")
    await connection.execute("SET LOCAL row_security = off")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.fetch("SELECT * FROM dalil_chunks")
