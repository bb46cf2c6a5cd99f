"""The PostgreSQL store: pgvector for meaning, our own postings for words, Row-Level Security between tenants.

`PostgresConfig` and the errors need no database package; the database and its stores load SQLAlchemy and asyncpg when
they are asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dalil.errors import MissingExtraError, SchemaMismatch
from dalil.stores.postgres.config import PostgresConfig

if TYPE_CHECKING:
    from dalil.stores.postgres.database import Database
    from dalil.stores.postgres.documents import PostgresDocumentStore
    from dalil.stores.postgres.lexical import PostgresLexicalStore
    from dalil.stores.postgres.vectors import PostgresVectorStore

__all__ = [
    "Database",
    "PostgresConfig",
    "PostgresDocumentStore",
    "PostgresLexicalStore",
    "PostgresVectorStore",
    "SchemaMismatch",
]

_MODULES = {
    "Database": "database",
    "PostgresDocumentStore": "documents",
    "PostgresLexicalStore": "lexical",
    "PostgresVectorStore": "vectors",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for package in ("sqlalchemy", "asyncpg", "greenlet"):
        try:
            import_module(package)
        except ImportError as error:
            raise MissingExtraError(f"The PostgreSQL store's package {package}", "pip install 'dalil[postgres]'") from (
                error
            )
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
