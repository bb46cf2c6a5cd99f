"""Where a model's files come from: a folder of this machine, or a model hub."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dalil.errors import ConfigurationError

FOLDER = "-folder"
"""Ends the provider's word in the identity of a model in a folder."""

_PATH_STARTS = ("/", "./", "../", "~", ".\\", "..\\")
_BLOCK = 65_536
_BLOCKS = 32


@dataclass(frozen=True)
class ModelPlace:
    """A model's files. With a folder there is nothing to fetch, and nothing is.

    `may_fetch` is False where nobody named the model just now: then only what was fetched before counts.
    """

    provider: str
    model: str
    folder: Path | None = None
    revision: str | None = None
    may_fetch: bool = True

    @classmethod
    def of(cls, provider: str, model: str, *, local_files_only: bool = False) -> ModelPlace:
        """A folder if `model` is one or is written as a path; else a name on the hub, MODEL or MODEL@REVISION.

        Raises:
            ConfigurationError: if it is written as a path and there is no folder, or is blank.
        """
        if not model.strip():
            raise ConfigurationError("The model's name is blank.")
        folder = Path(model).expanduser()
        if folder.is_dir():
            return cls(provider, model, folder.resolve(), may_fetch=False)
        if folder.is_absolute() or model.startswith(_PATH_STARTS):
            raise ConfigurationError(f"There is no folder {model}.", advice="Give a model's folder, or its hub name.")
        repository, _, revision = model.partition("@")
        return cls(provider, repository, revision=revision or None, may_fetch=not local_files_only)

    @property
    def source(self) -> str:
        """What the packages load from: the folder's path, or the hub's name."""
        return self.model if self.folder is None else str(self.folder)

    @property
    def shown(self) -> str:
        """The name as it was written, for messages."""
        return f"{self.provider}:{self.model}" + (f"@{self.revision}" if self.revision else "")

    @cached_property
    def identity(self) -> str:
        """The hub's name; for a folder what is in it, not where it lies: the same files elsewhere are the same model.

        Raises:
            ConfigurationError: if the folder's files cannot be read.
        """
        if self.folder is None:
            return self.shown
        try:
            return f"{self.provider}{FOLDER}:{_digest(self.folder)}"
        except OSError as error:
            raise ConfigurationError(f"The model in {self.model} cannot be read: {error}.") from error


def _digest(folder: Path) -> str:
    """The first 16 hex digits of SHA-256 over names, sizes and contents; of large files, evenly spread blocks."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder)
        if path.suffix.lower() == ".md" or any(part.startswith(".") for part in name.parts):
            continue
        size = path.stat().st_size
        digest.update(f"{name.as_posix()}\0{size}\0".encode("utf-8", "surrogatepass"))
        with path.open("rb") as file:
            for start in range(0, size, max(_BLOCK, size // _BLOCKS)):
                file.seek(start)
                digest.update(file.read(_BLOCK))
    return digest.hexdigest()[:16]
