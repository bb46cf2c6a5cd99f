"""A short hand for the tests: add, find."""

from __future__ import annotations

from typing import Any

from contract.engines import Stores
from dalil.scope import Scope
from dalil.stores.postgres import Database, PostgresDocumentStore, PostgresLexicalStore, PostgresVectorStore

SCOPE = Scope("tenant")


def stores_of(session: Any) -> Stores:
    return Stores(PostgresDocumentStore(session), PostgresVectorStore(session), PostgresLexicalStore(session))


async def add(database: Database, source: str, *texts: str, scope: Scope = SCOPE, **metadata: Any) -> None:
    async with database.session(scope) as session:
        await stores_of(session).add(source, *texts, scope=scope, **metadata)


async def found(database: Database, query: str, scope: Scope = SCOPE) -> list[str]:
    """The sources that a search by words gives."""
    async with database.session(scope, read_only=True) as session:
        return [item.chunk.source for item in await stores_of(session).words.search(scope, query, k=50)]
