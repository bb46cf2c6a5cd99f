"""Making the tables: idempotent, in turn, without more rights than needed, and refused before anything changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from contract.engines import a_vector
from dalil.errors import ConfigurationError, EmbedderMismatchError, StoreError, StoreUnavailableError, StoreVersionError
from dalil.scope import Scope
from dalil.stores.postgres import SchemaMismatch

from . import server
from .conftest import Open
from .stores import SCOPE, add, found, stores_of

_STATE = """
SELECT c.relname::text, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text,
       (SELECT string_agg(attname || ':' || format_type(atttypid, atttypmod), ',' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0),
       (SELECT string_agg(polname || pg_get_expr(polqual, polrelid), ',') FROM pg_policy WHERE polrelid = c.oid), c.xmin
FROM pg_class AS c WHERE c.relname LIKE 'dalil%' ORDER BY 1
"""


async def fetch(database: str, query: str) -> list[Any]:
    connection = await asyncpg.connect(server.url_of(database))
    try:
        return [tuple(row) for row in await connection.fetch(query)]
    finally:
        await connection.close()


@pytest.fixture
async def login(fresh: str) -> AsyncIterator[str]:
    """A login that is no superuser and may create neither databases nor roles."""
    name = f"dalil_test_{uuid4().hex[:8]}"
    await server.execute(f"CREATE ROLE {name} LOGIN")
    yield name
    await server.execute(f"DROP OWNED BY {name}", database=fresh)
    await server.execute(f"DROP ROLE {name}")


async def test_migrating_again_changes_nothing(fresh: str, open_database: Open) -> None:
    await open_database(fresh).migrate()
    before = await fetch(fresh, _STATE)
    for _ in range(2):
        await open_database(fresh).migrate()
    assert await fetch(fresh, _STATE) == before
    assert await fetch(fresh, "SELECT version FROM dalil_schema_version") == [(1,), (2,)]


async def test_two_processes_migrate_in_turn(fresh: str, open_database: Open) -> None:
    await asyncio.gather(*(open_database(fresh).migrate() for _ in range(4)))
    await add(open_database(fresh), "a.txt", "tea")


async def test_documents_outlive_a_migration(migrated: str, open_database: Open) -> None:
    await add(open_database(migrated), "a.txt", "tea")
    await open_database(migrated).migrate()
    assert await found(open_database(migrated), "tea") == ["a.txt"]


async def test_another_width_is_refused_before_anything_changes(migrated: str, open_database: Open) -> None:
    await server.execute("DROP TABLE dalil_meta", database=migrated)  # a migration would have something to do
    before = await fetch(migrated, _STATE)
    with pytest.raises(SchemaMismatch, match=r"16 dimensions.*8") as caught:
        await open_database(migrated, embedding_dim=8, app_role="dalil_other").migrate()
    assert caught.value.details == {"stored": 16, "given": 8}
    assert caught.value.code == "store_schema_mismatch"
    assert await fetch(migrated, _STATE) == before
    assert await fetch(migrated, "SELECT 1 FROM pg_roles WHERE rolname = 'dalil_other'") == []
    await server.execute("CREATE TABLE dalil_meta (name text PRIMARY KEY, value text NOT NULL)", database=migrated)
    await server.execute("GRANT SELECT, INSERT ON dalil_meta TO dalil_app", database=migrated)


async def test_a_newer_store_is_refused(fresh: str, open_database: Open) -> None:
    await open_database(fresh).migrate()
    await server.execute("INSERT INTO dalil_schema_version VALUES (99)", database=fresh)
    with pytest.raises(StoreVersionError):
        await open_database(fresh).migrate()


async def test_a_session_before_migrating_says_so(fresh: str, open_database: Open) -> None:
    with pytest.raises(StoreError, match="migrate"):
        await add(open_database(fresh), "a.txt", "tea")


async def test_an_owner_without_special_rights_can_migrate(fresh: str, login: str, open_database: Open) -> None:
    await server.execute("CREATE EXTENSION vector", f"GRANT CREATE ON SCHEMA public TO {login}", database=fresh)
    await server.execute("DO $$ BEGIN CREATE ROLE dalil_app NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
    await server.execute(f"GRANT dalil_app TO {login}")
    database = open_database(fresh, login)
    await database.migrate()
    await add(database, "a.txt", "tea")
    await add(database, "b.txt", "tea", scope=Scope("other"))
    assert await found(database, "tea") == ["a.txt"]
    assert await database.namespaces() == []  # the owner is bound by the policies too
    await open_database(fresh, login).migrate()


async def test_without_the_right_to_create_tables_it_says_so(fresh: str, login: str, open_database: Open) -> None:
    await server.execute("CREATE EXTENSION vector", f"GRANT dalil_app TO {login}", database=fresh)
    with pytest.raises(StoreError, match="migrate"):
        await open_database(fresh, login).migrate()
    assert await fetch(fresh, _STATE) == []


async def test_a_login_without_the_role_is_refused(migrated: str, login: str, open_database: Open) -> None:
    with pytest.raises(StoreError, match="permission denied"):
        await add(open_database(migrated, login), "a.txt", "tea")


@pytest.mark.parametrize("right", ["SUPERUSER", "BYPASSRLS"])
async def test_a_role_that_passes_over_the_policies_is_refused(fresh: str, right: str, open_database: Open) -> None:
    role = f"dalil_test_{uuid4().hex[:8]}"
    await server.execute(f"CREATE ROLE {role} {right}")
    try:
        with pytest.raises(ConfigurationError, match=role):
            await open_database(fresh, app_role=role).migrate()
    finally:
        await server.execute(f"DROP ROLE {role}")
    assert await fetch(fresh, _STATE) == []


async def test_weakened_security_is_mended(fresh: str, open_database: Open) -> None:
    await open_database(fresh).migrate()
    whole = [row[:6] for row in await fetch(fresh, _STATE)]
    for damage in (
        "ALTER TABLE dalil_chunks DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE dalil_words NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY dalil_isolation ON dalil_pages",
        "CREATE POLICY everyone ON dalil_terms USING (true)",
        "ALTER POLICY dalil_isolation ON dalil_fields USING (true)",
        "REVOKE DELETE ON dalil_postings FROM dalil_app",
    ):
        await server.execute(damage, database=fresh)
        await open_database(fresh).migrate()
        assert [row[:6] for row in await fetch(fresh, _STATE)] == whole, damage


async def test_names_of_ones_own(fresh: str, open_database: Open) -> None:
    role = f"dalil_test_{uuid4().hex[:8]}"
    database = open_database(fresh, app_role=role, isolation_variable="app.tenant")
    try:
        await database.migrate()
        await add(database, "a.txt", "tea")
        assert await found(database, "tea") == ["a.txt"]
        other = open_database(fresh)  # the policies listen to another variable
        assert await found(open_database(fresh, app_role=role), "tea") == []
        with pytest.raises(StoreError):
            await add(other, "b.txt", "tea")
    finally:
        await database.dispose()
        await server.execute(f"DROP OWNED BY {role}", database=fresh)
        await server.execute(f"DROP ROLE {role}")


async def test_a_session_of_another_width_is_refused(migrated: str, open_database: Open) -> None:
    await add(open_database(migrated), "a.txt", "tea")
    database = open_database(migrated, embedding_dim=8)
    async with database.session(SCOPE, read_only=True) as session:
        with pytest.raises(EmbedderMismatchError):
            await stores_of(session).vectors.search(SCOPE, a_vector("tea", 8), k=1)


async def test_a_server_without_pgvector_says_so(fresh: str, open_database: Open, monkeypatch: Any) -> None:
    from dalil.stores.postgres import migrating

    monkeypatch.setattr(migrating, "_OLDEST_PGVECTOR", (99, 0))
    with pytest.raises(StoreUnavailableError, match="pgvector"):
        await open_database(fresh).migrate()
    assert await fetch(fresh, "SELECT 1 FROM pg_extension WHERE extname = 'vector'") == []
