# ruff: noqa: S608 - the statements are the attempts; the tables are our own list

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from contract.engines import Stores, a_vector
from dalil.identity import document_id
from dalil.models import EmbeddedSentence, EmbeddedSentences
from dalil.scope import Scope
from dalil.stores.postgres import Database, PostgresDocumentStore, PostgresLexicalStore, PostgresVectorStore
from stores.postgres import server
from stores.postgres.server import stop_server

__all__ = ["stop_server"]

MINE, THEIRS = Scope("mine"), Scope("theirs")
SOURCES = ("contract.txt", "notes.txt")


@dataclass(frozen=True)
class House:
    """A database in which two tenants keep documents of the same names."""

    name: str
    database: Database

    async def contents(self, scope: Scope) -> list[Any]:
        """Everything that a tenant's tables hold, read past the policies."""
        return await contents(self.name, scope.namespace)


def stores_of(session: Any) -> Stores:
    return Stores(PostgresDocumentStore(session), PostgresVectorStore(session), PostgresLexicalStore(session))


async def furnish(stores: Stores, scope: Scope) -> None:
    """Documents whose texts say whose they are, with everything that can belong to a document."""
    for source in SOURCES:
        texts = [f"{scope.namespace} secret tea {source} part {n}" for n in range(3)]
        document = await stores.add(source, *texts, scope=scope, owner=scope.namespace)
        sentence = EmbeddedSentence(0, 5, a_vector("tea", 8))
        sentences = [EmbeddedSentences(f"{document.id}:{n}", [sentence]) for n in range(3)]
        await stores.vectors.save_sentences(scope, sentences)
        await stores.documents.save_warnings(scope, document.id, [f"{scope.namespace} warning"])


async def contents(database: str, namespace: str) -> list[Any]:
    """Every row of every tenant table that has this namespace, as the server's own login sees it."""
    import asyncpg

    from dalil.stores.postgres.schema import TENANT_TABLES

    connection = await asyncpg.connect(server.url_of(database))
    try:
        return [
            sorted(str(row) for row in await connection.fetch(f"SELECT * FROM {table} WHERE namespace = $1", namespace))
            for table in TENANT_TABLES
        ]
    finally:
        await connection.close()


@pytest.fixture
async def house() -> AsyncIterator[House]:
    name = server.new_database()
    database = Database(server.config(name, pool_size=1, max_overflow=2))
    for scope in (MINE, THEIRS):
        async with database.session(scope) as session:
            await furnish(stores_of(session), scope)
    yield House(name, database)
    await database.dispose()
    server.give_back(name)


def chunk_ids() -> list[str]:
    return [f"{document_id(source)}:{n}" for source in SOURCES for n in range(3)]
