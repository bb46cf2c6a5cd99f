"""What the three stores share: one AsyncSession in one transaction, bound to one namespace at a time.

The statements go straight to asyncpg's connection, inside the session's transaction: arrays and bytes travel in binary,
and no statement is compiled on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from dalil.errors import EmbedderMismatchError, StoreReadOnlyError
from dalil.scope import Scope
from dalil.stores.postgres.encoding import is_encodable, stored
from dalil.stores.postgres.failures import explained

_KEY = "dalil.stores.postgres"
_LOCK_SPACE = 0x64616C69  # "dali": the first half of the advisory locks by which writers of a namespace take turns
NOBODY = ""
"""The namespace that holds nothing: the policies let no row of it pass."""


@dataclass
class SessionState:
    """What is known about a session; kept in its `info`.

    `home` is the namespace for which it was opened (None for a session that was made elsewhere), `bound` the one that
    the isolation variable names now. `embedder` is the identity of the embedder whose vectors will come; None skips
    that check. `dimension` is the width of the vectors; None where only the database knows it.
    """

    variable: str = "dalil.namespace"
    home: str | None = None
    bound: str | None = None
    read_only: bool = False
    embedder: str | None = None
    dimension: int | None = None
    driver: Any = None  # asyncpg's connection, where the session is known to keep it
    pinned: bool = False  # whether this session has noted or checked whose vectors the store holds
    locked: set[str] = field(default_factory=set)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # one connection runs one statement at a time


def state_of(session: AsyncSession) -> SessionState:
    """The state of a session; a fresh one for a session that was made elsewhere."""
    state: SessionState = session.info.setdefault(_KEY, SessionState())
    return state


def set_state(session: AsyncSession, state: SessionState) -> None:
    session.info[_KEY] = state


def namespace_of(scope: Scope) -> str:
    """The stored form of the scope's namespace; `NOBODY` for one that cannot be stored."""
    return stored(scope.namespace) if is_encodable(scope.namespace) else NOBODY


async def driver_of(session: AsyncSession) -> Any:
    """asyncpg's connection of the session, inside its transaction."""
    state = state_of(session)
    if state.driver is not None:
        return state.driver
    raw = await (await session.connection()).get_raw_connection()
    driver: Any = raw.driver_connection
    if not driver.is_in_transaction():  # SQLAlchemy begins with the first statement
        await session.execute(text("SELECT 1"))
    return driver


@asynccontextmanager
async def reading(session: AsyncSession, scope: Scope) -> AsyncIterator[tuple[Any, str]]:
    """asyncpg's connection, bound to the scope's namespace for this call, and that namespace as it is stored.

    Raises:
        StoreError: whatever goes wrong with the database inside.
    """
    state = state_of(session)
    namespace = namespace_of(scope)
    async with state.turn:
        with explained():
            driver = await driver_of(session)
            await _bind(driver, state, namespace)
            yield driver, namespace
            if state.home is not None:
                await _bind(driver, state, state.home)


@asynccontextmanager
async def writing(session: AsyncSession, scope: Scope) -> AsyncIterator[tuple[Any, str]]:
    """The same for a call that writes: in turn behind other writers of the namespace, until the transaction ends.

    Raises:
        StoreReadOnlyError: if the session was opened to read.
    """
    check_writable(session)
    state = state_of(session)
    async with reading(session, scope) as (driver, namespace):
        if namespace not in state.locked or state.home is None:
            await driver.execute("SELECT pg_advisory_xact_lock($1, hashtext($2))", _LOCK_SPACE, namespace)
            state.locked.add(namespace)
        yield driver, namespace


def check_writable(session: AsyncSession) -> None:
    """Refuse to write in a session that was opened to read.

    Raises:
        StoreReadOnlyError: if it was.
    """
    if state_of(session).read_only:
        raise StoreReadOnlyError("This session was opened to read only.", advice="Open it without read_only=True.")


async def begin(session: AsyncSession, state: SessionState, role: str, *, patience: float) -> None:
    """Take the role and the namespace for this transaction, and a writer its turn, in one statement.

    `patience` is how many seconds it waits for its turn. Plans are made for the values at hand: a tenant of ten
    chunks and one of a million want different ones.
    """
    statement = (
        "SELECT set_config('role', $1, true), set_config($2, $3, true), set_config('jit', 'off', true), "
        "set_config('plan_cache_mode', 'force_custom_plan', true)"
    )
    values: list[Any] = [role, state.variable, state.home]
    if not state.read_only:
        statement += f", set_config('lock_timeout', $4, true), pg_advisory_xact_lock({_LOCK_SPACE}, hashtext($3))"
        values.append(str(round(patience * 1000)))
        assert state.home is not None
        state.locked.add(state.home)
    connection = await session.connection()
    await connection.exec_driver_sql(statement, tuple(values))
    state.bound = state.home
    state.driver = (await connection.get_raw_connection()).driver_connection


async def _bind(driver: Any, state: SessionState, namespace: str) -> None:
    if state.bound != namespace or state.home is None:  # elsewhere-made sessions may have ended a transaction since
        await driver.fetchval("SELECT set_config($1, $2, true)", state.variable, namespace)
        state.bound = namespace


# --- the embedder that the vectors come from -------------------------------------------------------------------


async def pin_embedder(driver: Any, state: SessionState, dimension: int) -> None:
    """Note whose vectors these are when they are the first, refuse them when they are another embedder's.

    Raises:
        EmbedderMismatchError: if the stored vectors have another origin or width.
    """
    if state.pinned and state.home is not None:
        compare_embedder(state, None, None, dimension)
        return
    values = {"dimension": str(dimension)} | ({} if state.embedder is None else {"embedder": state.embedder})
    if not values.keys() <= await check_embedder(driver, state, dimension):
        await driver.execute(
            "INSERT INTO dalil_meta (name, value) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING",
            list(values),
            list(values.values()),
        )
        await check_embedder(driver, state, dimension)  # another session may have been quicker
    state.pinned = True


async def check_embedder(driver: Any, state: SessionState, dimension: int | None = None) -> set[str]:
    """Refuse vectors of another embedder; what is noted about the stored ones, by name.

    Raises:
        EmbedderMismatchError: if the stored vectors have another origin or width.
    """
    pinned = dict(await driver.fetch("SELECT name, value FROM dalil_meta"))
    compare_embedder(state, pinned.get("embedder"), pinned.get("dimension"), dimension)
    return set(pinned)


def compare_embedder(state: SessionState, stored_by: str | None, width: str | None, dimension: int | None) -> None:
    """Refuse vectors of `dimension` by the session's embedder where others, or others' vectors, are stored.

    Raises:
        EmbedderMismatchError: if the stored vectors have another origin or width.
    """
    if stored_by is not None and state.embedder is not None and stored_by != state.embedder:
        raise EmbedderMismatchError(
            f"The store's vectors were made by [{stored_by}], not by [{state.embedder}].",
            details={"stored": stored_by, "given": state.embedder},
        )
    expected = int(width) if width is not None else state.dimension
    if expected is not None and dimension is not None and expected != dimension:
        raise EmbedderMismatchError(
            f"The store's vectors have {expected} dimensions, these have {dimension}.",
            details={"stored": expected, "given": dimension},
        )
