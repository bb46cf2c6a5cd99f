"""Where a verb works: the store, the namespace, the names of files and documents."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from dalil.assembly import is_url
from dalil.config import IngestionConfig
from dalil.errors import ConfigurationError, DocumentNotFoundError, StoreUnavailableError
from dalil.ingestion.files import source_name
from dalil.models import Document
from dalil.ports import Tracer
from dalil.sage import RagSage
from dalil.scope import Scope


@dataclass(frozen=True)
class Cut:
    """How documents are cut: a chunker's name and a size in estimated tokens; None means the default."""

    chunker: str | None = None
    size: int | None = None

    @property
    def sizes(self) -> IngestionConfig | None:
        """The size with the usual share of overlap, an eighth of it."""
        return None if self.size is None else IngestionConfig(self.size, self.size // 8)


@dataclass(frozen=True)
class Place:
    """A store (a folder, or a PostgreSQL URL), a namespace in it, and the models named.

    Without an embedder it is the store's own, without a language model sentences of the documents are the answer.
    """

    store: str
    namespace: str
    embedder: str | None = None
    llm: str | None = None

    @property
    def scope(self) -> Scope:
        """Raises ConfigurationError for a namespace that is blank or no valid Unicode."""
        if not self.namespace.strip():
            raise ConfigurationError("The namespace must not be blank.")
        check_unicode(self.namespace, "The namespace")
        return Scope(self.namespace)

    def open(self, cut: Cut | None = None, tracer: Tracer | None = None) -> RagSage:
        """The engine over a store that may not be there yet."""
        folder = self.folder
        if folder is not None and exists(folder) and not os.path.isdir(folder):
            raise StoreUnavailableError(f"{folder} is a file, not a store's folder.")
        cut = cut or Cut()
        return RagSage.open(
            self.store,
            embedder=self.embedder,
            llm=self.llm,
            chunker=cut.chunker,
            ingestion=cut.sizes,
            tracer=tracer,
        )

    def open_existing(self, tracer: Tracer | None = None) -> RagSage:
        """The engine over a store that must be there.

        Raises:
            StoreUnavailableError: if it is not.
        """
        sage = self.open(tracer=tracer)
        if self.folder is not None and not exists(self.folder / "dalil.sqlite"):
            raise StoreUnavailableError(
                f"There is no store at {self.folder}.", advice=f"Make one with: dalil add PATH --store {self.folder}"
            )
        return sage

    @property
    def folder(self) -> Path | None:
        """The store's folder; None for a store on a server."""
        return None if is_url(self.store) else Path(self.store)

    @property
    def files_beside(self) -> Path:
        """The folder whose neighbours' names are relative: a store's own, or any in the working directory."""
        return self.folder or Path(".dalil")

    def source_name(self, file: Path) -> str:
        """Under which name a file is known in this store."""
        return source_name(file, self.files_beside)


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


def exists(path: Path) -> bool:
    """Whether something is there; False also for what may not be looked at, or cannot be a path."""
    return os.path.exists(path)


def check_unicode(text: str, what: str) -> None:
    """Refuse bytes of the command line that are no UTF-8.

    Raises:
        ConfigurationError: if there are any.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ConfigurationError(f"{what} is not valid Unicode: {text!r}.", advice="Write it in UTF-8.") from None
