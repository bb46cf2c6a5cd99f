"""Where a verb works: the store, the namespace, the names of files and documents."""

from __future__ import annotations

import os
import stat
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
        """Raises ConfigurationError for a namespace that is blank or no valid Unicode."""
        if not self.namespace.strip():
            raise ConfigurationError("The namespace must not be blank.")
        check_unicode(self.namespace, "The namespace")
        return Scope(self.namespace)

    def open(self) -> RagSage:
        """The engine over a store that may not be there yet."""
        if exists(self.store) and not os.path.isdir(self.store):
            raise StoreUnavailableError(f"{self.store} is a file, not a store's folder.")
        return RagSage.open(self.store, embedder=self.embedder)

    def open_existing(self) -> RagSage:
        """The engine over a store that must be there.

        Raises:
            StoreUnavailableError: if it is not.
        """
        sage = self.open()
        if not exists(self.store / "dalil.sqlite"):
            raise StoreUnavailableError(
                f"There is no store at {self.store}.", advice="Make one with: dalil add PATH --store " + str(self.store)
            )
        return sage

    def source_name(self, file: Path) -> str:
        """A file's POSIX path relative to the folder that holds the store, or its absolute path elsewhere.

        Bytes of a name that are no UTF-8 are written as escapes: the store holds Unicode.
        """
        absolute = Path(os.path.abspath(file))
        home = Path(os.path.abspath(self.store)).parent
        name = (absolute.relative_to(home) if absolute.is_relative_to(home) else absolute).as_posix()
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


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
    """The files named by `paths`, folders walked in order.

    Hidden files, links to folders, pipes and devices in folders, and the store itself are left out. A path that does
    not exist, or a folder that cannot be listed, is given back as it is: reading it will say why it failed.
    """
    own = Path(os.path.abspath(store))
    seen: set[Path] = set()
    for path in paths:
        for file in _walk(path, own) if os.path.isdir(path) else [path]:
            absolute = Path(os.path.abspath(file))
            if absolute not in seen and not absolute.is_relative_to(own):
                seen.add(absolute)
                yield file


def _walk(folder: Path, own: Path) -> Iterator[Path]:
    closed: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=closed.append):
        here = Path(parent)
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and Path(os.path.abspath(here / name)) != own
        )
        for name in sorted(names):
            if not name.startswith(".") and _may_hold_text(here / name):
                yield here / name
    for error in closed:
        yield Path(error.filename)


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


def _may_hold_text(file: Path) -> bool:
    """Whether it is a file, or something of which reading will say what is wrong; reading a pipe would never end."""
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except OSError:
        return True
