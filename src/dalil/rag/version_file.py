"""Version histories in a JSON file that is replaced as a whole, so that a crash leaves the old one or the new one."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dalil.errors import StoreCorruptError, StoreReadOnlyError, StoreUnavailableError, StoreVersionError
from dalil.rag.version_records import DocVersion

FORMAT = 1


@dataclass
class History:
    """A document's versions, from 1; and whether the index holds the latest of them, as far as is known."""

    versions: list[DocVersion] = field(default_factory=list)
    indexed: bool = True


def read_histories(path: Path) -> dict[str, History]:
    """The histories by document id; none for a file that does not exist.

    Raises:
        StoreCorruptError: if the file is damaged, or no file of histories. It is left as it is.
        StoreVersionError: if a newer dalil wrote it.
        StoreUnavailableError: if it cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise _damaged(path, error) from error
    except OSError as error:
        raise StoreUnavailableError(f"The version file {path} cannot be read: {error}.") from error
    try:
        content = json.loads(text)
        written_format = content["format"]
        if isinstance(written_format, int) and written_format > FORMAT:
            raise StoreVersionError(f"The version file {path} has format {written_format}; this dalil reads {FORMAT}.")
        return {doc_id: _history(doc_id, kept) for doc_id, kept in content["documents"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged(path, error) from error


def write_histories(path: Path, histories: Mapping[str, History]) -> None:
    """Replace the file, which holds either what it held or all of `histories`, whatever happens.

    Raises:
        StoreReadOnlyError: if it cannot be written.
    """
    content = {"format": FORMAT, "documents": {doc_id: asdict(history) for doc_id, history in histories.items()}}
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(content, file)  # ASCII, so lone surrogates survive
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise StoreReadOnlyError(f"The version file {path} cannot be written: {error}.") from error
    finally:
        if temporary is not None:
            with suppress(FileNotFoundError):
                os.unlink(temporary)


def _history(doc_id: str, kept: dict[str, Any]) -> History:
    versions = [DocVersion(**fields) for fields in kept["versions"]]
    for number, version in enumerate(versions, start=1):
        if (version.doc_id, version.version) != (doc_id, number):
            raise ValueError(f"version {number} of {doc_id!r} is missing")
        if not isinstance(version.content_hash, str) or not isinstance(version.metadata, dict):
            raise ValueError(f"version {number} of {doc_id!r} is incomplete")
        if not version.chunk_hashes or not all(isinstance(chunk_hash, str) for chunk_hash in version.chunk_hashes):
            raise ValueError(f"version {number} of {doc_id!r} has no chunks")
    if not versions:
        raise ValueError(f"{doc_id!r} has no versions")
    return History(versions, bool(kept["indexed"]))


def _damaged(path: Path, error: Exception) -> StoreCorruptError:
    return StoreCorruptError(
        f"The version file {path} is damaged: {error}.",
        advice="Restore it from a backup, or move it away to begin a new history.",
    )
