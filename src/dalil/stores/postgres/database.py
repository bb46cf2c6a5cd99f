"""The Database port over SQLAlchemy's asynchronous engine and asyncpg."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from weakref import WeakValueDictionary

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine

from dalil.errors import ConfigurationError
from dalil.scope import Scope
from dalil.stores.postgres import migrating
from dalil.stores.postgres.config import PostgresConfig
from dalil.stores.postgres.encoding import restored
from dalil.stores.postgres.failures import explained
from dalil.stores.postgres.schema import STEPS
from dalil.stores.postgres.sessions import SessionState, begin, driver_of, namespace_of, set_state

WAIT_FOR_WRITER = 300.0
"""Seconds that a writer waits for its turn behind other writers of its namespace."""


class Database:
    """A pool of connections to one database. Nothing is opened until it is first used.

    `embedder` is the identity of the embedder whose vectors will come and be searched; None skips that check.
    `migrate` must have made the tables before the first session.
    """

    def __init__(self, config: PostgresConfig, *, embedder: str | None = None):
        self.config = config
        self.embedder = embedder
        self._engine: AsyncEngine | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def session(self, scope: Scope, *, read_only: bool = False) -> AsyncIterator[AsyncSession]:
        """A session in one transaction, as the application role and bound to the scope's namespace.

        Committed when the block ends, rolled back when it raises. A read-only session sees one unchanging state;
        writing sessions of a namespace take turns. A store call whose scope has another namespace is bound to that
        one while it lasts.

        Raises:
            StoreError: if the database cannot be reached, read or written.
        """
        state = SessionState(
            variable=self.config.isolation_variable,
            home=namespace_of(scope),
            read_only=read_only,
            embedder=self.embedder,
            dimension=self.config.embedding_dim,
        )
        engine = self._engine_here()
        if read_only:
            async with self._opened(engine, state) as session:
                yield session
            return
        assert state.home is not None
        turn = self._turns.setdefault(state.home, asyncio.Lock())
        # One waiting connection a process and namespace; PostgreSQL puts the processes in turn.
        async with turn, self._opened(engine, state) as session:
            yield session
            with explained():
                # COMMIT of a failed transaction is a silent rollback; any other statement says so.
                await (await driver_of(session)).execute("SELECT 1")
                await session.commit()

    async def migrate(self) -> None:
        """Make the tables, the role and the policies, or bring older ones up to date; does nothing when all is there.

        Raises:
            SchemaMismatch: if the stored vectors have another width than the configuration says.
            StoreVersionError: if a newer dalil wrote the tables.
            StoreError: if the database cannot be reached, or the login may not create what is missing.
        """
        with explained():
            async with AsyncSession(self._engine_here()) as session:
                await migrating.migrate(await driver_of(session), self.config)
                await session.commit()

    async def dispose(self) -> None:
        """Close every connection; the database may be used again, and opens anew."""
        engine, self._engine = self._engine, None
        if engine is not None:
            with explained():
                await engine.dispose(close=self._loop is asyncio.get_running_loop())

    @property
    def dimension(self) -> int:
        """The width of the vectors that `migrate` makes the tables for."""
        return self.config.embedding_dim

    @dimension.setter
    def dimension(self, width: int) -> None:
        self.config = replace(self.config, embedding_dim=width)

    @property
    def label(self) -> str:
        """Where the database is, without its password."""
        address = make_url(self.config.dsn)
        return f"postgresql://{address.host or ''}{f':{address.port}' if address.port else ''}/{address.database or ''}"

    @property
    def schema(self) -> int:
        """The version of the tables that `migrate` makes."""
        return len(STEPS)

    async def meta(self) -> dict[str, str]:
        """What is noted about the store: the embedder's identity and the width of its vectors; {} for no tables."""
        with explained():
            async with AsyncSession(self._engine_here()) as session:
                if (await session.execute(text("SELECT to_regclass('dalil_meta')"))).scalar() is None:
                    return {}
                rows = await session.execute(text("SELECT name, value FROM dalil_meta"))
                return {str(name): str(value) for name, value in rows}

    async def namespaces(self) -> list[tuple[str, int, int]]:
        """Each namespace that holds documents: its name, documents and chunks.

        Asked as the login itself: one that Row-Level Security binds sees none.
        """
        query = (
            "SELECT n.namespace, (SELECT count(*) FROM dalil_documents d WHERE d.namespace = n.namespace), "
            "(SELECT count(*) FROM dalil_chunks c WHERE c.namespace = n.namespace) "
            "FROM dalil_namespaces n ORDER BY n.namespace"
        )
        with explained():
            async with AsyncSession(self._engine_here()) as session:
                rows = [(restored(name), *counts) for name, *counts in await session.execute(text(query))]
        return [(name, documents, chunks) for name, documents, chunks in rows if documents or chunks]

    @asynccontextmanager
    async def _opened(self, engine: AsyncEngine, state: SessionState) -> AsyncIterator[AsyncSession]:
        # Leaving the block closes the session, shielded from cancellation: what was not committed is rolled back.
        async with AsyncSession(engine, expire_on_commit=False) as session:
            set_state(session, state)
            with explained():
                if state.read_only:
                    options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
                    await session.connection(execution_options=options)
                await begin(session, state, self.config.app_role, patience=WAIT_FOR_WRITER)
            try:
                yield session
            finally:
                if state.driver is not None and state.driver.is_closed():  # nothing is left to roll back
                    with suppress(SQLAlchemyError):
                        await session.invalidate()

    def _engine_here(self) -> AsyncEngine:
        """The engine of the running loop: a connection belongs to the loop that opened it."""
        loop = asyncio.get_running_loop()
        if self._engine is not None and self._loop is not loop:
            self._engine.sync_engine.dispose(close=False)
            self._engine = None
        if self._engine is None:
            self._loop = loop
            self._turns = WeakValueDictionary()
            self._engine = _engine_of(self.config)
        return self._engine


def _engine_of(config: PostgresConfig) -> AsyncEngine:
    try:
        return create_async_engine(
            make_url(config.dsn),
            pool_size=config.pool_size,
            max_overflow=config.max_overflow,
            pool_pre_ping=config.pool_pre_ping,
            hide_parameters=True,
        )
    except (ArgumentError, ValueError) as error:
        raise ConfigurationError("PostgresConfig.dsn is no URL of a PostgreSQL database.") from error
