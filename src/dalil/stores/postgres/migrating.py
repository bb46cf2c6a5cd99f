"""Making the tables, the role and the policies; all of it in one transaction, or nothing."""

from __future__ import annotations

from typing import Any

from dalil.errors import ConfigurationError, SchemaMismatch, StoreUnavailableError, StoreVersionError
from dalil.stores.postgres.config import PostgresConfig
from dalil.stores.postgres.schema import (
    CHUNKS,
    POLICY,
    SHARED_TABLES,
    STEPS,
    TENANT_TABLES,
    VERSION,
    sees_own,
    statements,
)

_LOCK = 0x64616C696C  # "dalil": one process migrates at a time
_OLDEST_PGVECTOR = (0, 8)


async def migrate(connection: Any, config: PostgresConfig) -> None:
    """Bring the database to `VERSION`, in the transaction of this asyncpg connection.

    Needs the right to create tables; to create the extension or the role only where they are missing.

    Raises:
        SchemaMismatch: if the stored vectors have another width; nothing was changed.
        StoreVersionError: if a newer dalil wrote the tables.
        ConfigurationError: if the role could pass over the policies.
        StoreUnavailableError: if pgvector is missing or too old.
    """
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
    await check_width(connection, config.embedding_dim)
    version = await _version(connection)
    await _extension(connection)
    await _role(connection, config.app_role)
    for number in range(version, VERSION):
        for statement in statements(STEPS[number].replace("{dimension}", str(config.embedding_dim))):
            await connection.execute(statement)
        await connection.execute("INSERT INTO dalil_schema_version (version) VALUES ($1)", number + 1)
    if not await _is_secured(connection, config):
        await _secure(connection, config)


async def check_width(connection: Any, dimension: int) -> None:
    """Refuse tables whose vectors have another width.

    Raises:
        SchemaMismatch: if they have.
    """
    found = await connection.fetchval(
        "SELECT atttypmod FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'embedding'", CHUNKS
    )
    if found is not None and found != dimension:
        raise SchemaMismatch(
            f"The database's vectors have {found} dimensions, the configuration says {dimension}.",
            details={"stored": found, "given": dimension},
        )


async def _version(connection: Any) -> int:
    """The schema version of the tables; 0 where there are none."""
    if await connection.fetchval("SELECT to_regclass('dalil_schema_version') IS NULL"):
        return 0
    found = await connection.fetchval("SELECT coalesce(max(version), 0) FROM dalil_schema_version")
    if found > VERSION:
        raise StoreVersionError(
            f"The store has schema version {found}; this dalil knows up to {VERSION}.",
            details={"found": found, "known": VERSION},
        )
    return int(found)


async def _extension(connection: Any) -> None:
    query = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    if await connection.fetchval(query) is None:
        if not await connection.fetchval("SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"):
            raise StoreUnavailableError(
                "The database server has no pgvector.", advice="Install pgvector 0.8 or newer beside the server."
            )
        await connection.execute("CREATE EXTENSION vector")
    found = await connection.fetchval(query)
    if tuple(int(part) for part in found.split(".")[:2]) < _OLDEST_PGVECTOR:
        raise StoreUnavailableError(
            f"The database has pgvector {found}; filtered search needs 0.8 or newer.",
            advice="Run ALTER EXTENSION vector UPDATE.",
        )


async def _role(connection: Any, role: str) -> None:
    """The role that sessions take: made when it is missing, refused when policies do not bind it."""
    query = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = $1"
    if await connection.fetchval(query, role) is None:
        # Roles belong to the whole server: another database may be making the same one at this moment.
        await connection.execute(
            f'DO $$ BEGIN CREATE ROLE "{role}" NOLOGIN; '
            "EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
        )
    if await connection.fetchval(query, role):
        raise ConfigurationError(
            f"The role {role} is a superuser or bypasses Row-Level Security.", advice="Name a role that does not."
        )
    if not await _may_take(connection, role):
        await connection.execute(f'GRANT "{role}" TO CURRENT_USER')


async def _may_take(connection: Any, role: str) -> bool:
    """Whether the login may SET ROLE to it; servers before 16 knew no difference between that and membership."""
    right = "SET" if connection.get_server_version().major >= 16 else "MEMBER"
    return bool(await connection.fetchval("SELECT pg_has_role(current_user, $1, $2)", role, right))


async def _is_secured(connection: Any, config: PostgresConfig) -> bool:
    """Whether every table has its policy, enabled and forced, and the role its rights: then no DDL is needed."""
    guarded = await connection.fetchval(
        "SELECT count(*) FROM pg_class AS t JOIN pg_policy AS p ON p.polrelid = t.oid "
        "WHERE t.oid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name) "
        "AND t.relrowsecurity AND t.relforcerowsecurity AND p.polname = $2 AND p.polpermissive AND p.polcmd = '*' "
        "AND position($3 IN pg_get_expr(p.polqual, p.polrelid)) > 0 "
        "AND pg_get_expr(p.polqual, p.polrelid) = pg_get_expr(p.polwithcheck, p.polrelid) "
        "AND (SELECT count(*) FROM pg_policy AS other WHERE other.polrelid = t.oid) = 1",
        list(TENANT_TABLES),
        POLICY,
        f"'{config.isolation_variable}'",
    )
    allowed = await connection.fetchval(
        "SELECT bool_and(has_table_privilege($1, name, 'SELECT') AND has_table_privilege($1, name, 'INSERT') AND "
        "(name = ANY ($3) OR has_table_privilege($1, name, 'UPDATE') AND has_table_privilege($1, name, 'DELETE'))) "
        "FROM unnest($2::text[]) AS name",
        config.app_role,
        [*TENANT_TABLES, "dalil_meta"],
        list(SHARED_TABLES),
    )
    return guarded == len(TENANT_TABLES) and bool(allowed)


async def _secure(connection: Any, config: PostgresConfig) -> None:
    condition = sees_own(config.isolation_variable)
    for table in TENANT_TABLES:
        for policy in await connection.fetch(
            "SELECT quote_ident(polname) AS name FROM pg_policy WHERE polrelid = to_regclass($1)", table
        ):  # permissive policies add up: one of another making would open what ours closes
            await connection.execute(f"DROP POLICY {policy['name']} ON {table}")
        await connection.execute(f"CREATE POLICY {POLICY} ON {table} USING ({condition}) WITH CHECK ({condition})")
        await connection.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
        await connection.execute(f'GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO "{config.app_role}"')
    await connection.execute(f'GRANT SELECT, INSERT ON dalil_meta TO "{config.app_role}"')
    await connection.execute(f'GRANT SELECT ON dalil_schema_version TO "{config.app_role}"')
    if not await connection.fetchval("SELECT has_schema_privilege($1, current_schema(), 'USAGE')", config.app_role):
        schema = await connection.fetchval("SELECT quote_ident(current_schema())")
        await connection.execute(f'GRANT USAGE ON SCHEMA {schema} TO "{config.app_role}"')
