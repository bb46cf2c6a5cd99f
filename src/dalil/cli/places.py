"""Where a verb works: the store, the namespace, the names of files and documents."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dalil.errors import ConfigurationError, DocumentNotFoundError, StoreUnavailableError
from dalil.models import Document
from dalil.sage import RagSage
from dalil.scope import Scope


@dataclass(frozen=True)
class Place:
    """A store, a namespace in it, and the embedder that was named (None: the store's own)."""

    store: Path
    namespace: str
    embedder: str | None = None

    @property
    def scope(self) -> Scope:
        """Raises ConfigurationError for a blank namespace."""
        if not self.namespace.strip():
            raise ConfigurationError("The namespace must not be blank.")
        return Scope(self.namespace)

    def open(self) -> RagSage:
        """The engine over a store that may not be there yet."""
        if self.store.exists() and not self.store.is_dir():
            raise StoreUnavailableError(f"{self.store} is a file, not a store's folder.")
        return RagSage.open(self.store, embedder=self.embedder)

    def open_existing(self) -> RagSage:
        """The engine over a store that must be there.

        Raises:
            StoreUnavailableError: if it is not.
        """
        sage = self.open()
        if not (self.store / "dalil.sqlite").exists():
            raise StoreUnavailableError(
                f"There is no store at {self.store}.", advice="Make one with: dalil add PATH --store " + str(self.store)
            )
        return sage

    def source_name(self, file: Path) -> str:
        """A file's POSIX path relative to the folder that holds the store, or its absolute path elsewhere."""
        absolute = Path(os.path.abspath(file))
        home = Path(os.path.abspath(self.store)).parent
        return (absolute.relative_to(home) if absolute.is_relative_to(home) else absolute).as_posix()


async def find_document(sage: RagSage, scope: Scope, name: str) -> Document:
    """The document with exactly this source name, or the only one whose id begins with it.

    Raises:
        DocumentNotFoundError: if there is none, or more than one.
    """
    documents = await sage.documents(scope)
    exact = [document for document in documents if document.source == name]
    found = exact or [document for document in documents if name and document.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise DocumentNotFoundError(
            f"{name!r} begins the ids of {len(found)} documents.", advice="Give more of the id."
        )
    raise DocumentNotFoundError(f"There is no document {name!r}.")


def files_under(paths: Sequence[Path], store: Path) -> Iterator[Path]:
    """The files named by `paths`, folders walked in order; hidden files, links to folders and the store left out.

    A path that does not exist is given back as it is: reading it will say why it failed.
    """
    own = Path(os.path.abspath(store))
    seen: set[Path] = set()
    for path in paths:
        for file in _walk(path, own) if path.is_dir() else [path]:
            absolute = Path(os.path.abspath(file))
            if absolute not in seen:
                seen.add(absolute)
                yield file


def _walk(folder: Path, own: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        here = Path(parent)
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and Path(os.path.abspath(here / name)) != own
        )
        for name in sorted(names):
            if not name.startswith("."):
                yield here / name
