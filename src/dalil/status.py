"""What a store is and holds."""

from __future__ import annotations

from dataclasses import dataclass

from dalil.errors import ConfigurationError
from dalil.ports import Database, Described


@dataclass(frozen=True)
class NamespaceStatus:
    """How much one namespace holds."""

    name: str
    documents: int
    chunks: int


@dataclass(frozen=True)
class StoreStatus:
    """Where the store is, its schema version, whose vectors it holds (None: none yet), and its namespaces."""

    store: str
    schema: int
    embedder: str | None
    namespaces: tuple[NamespaceStatus, ...]

    def of(self, namespace: str) -> NamespaceStatus:
        """The status of one namespace; zeros for one that holds nothing."""
        found = (entry for entry in self.namespaces if entry.name == namespace)
        return next(found, NamespaceStatus(namespace, 0, 0))


async def status_of(database: Database) -> StoreStatus:
    """The status of a store.

    Raises:
        ConfigurationError: for a database that does not describe itself.
    """
    if not isinstance(database, Described):
        raise ConfigurationError("This database does not say what it holds.")
    meta = await database.meta()
    namespaces = tuple(NamespaceStatus(*row) for row in await database.namespaces())
    return StoreStatus(database.label, database.schema, meta.get("embedder"), namespaces)
