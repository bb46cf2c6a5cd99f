"""Documents that change: index only what is new, remember every version, and go back to an earlier one."""

from __future__ import annotations

import copy
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from dalil.errors import ChunkingError, ConfigurationError, EmptyDocumentError, VectorDBWriteError
from dalil.rag.components import call
from dalil.rag.documents import LoadedDocument
from dalil.rag.version_file import History, read_histories, write_histories
from dalil.rag.version_records import ContentDiff, DocVersion, difference, hash_of, version_of

__all__ = ["ContentDiff", "DocVersion", "DocumentVersionManager"]

_TEXTS_KEPT = 1000


class DocumentVersionManager:
    """Keeps a RAGSystem's documents and their histories in step. Any number of threads may use it, one at a time.

    A version's chunks are taken out of the index before those of the next come in, because both carry the same
    document id. If the next ones then fail to come, the old text is put back where it is still in memory.

    Args:
        rag_system: anything with `add_documents([LoadedDocument])` -> {doc_id: chunks} and `remove_document(doc_id)`.
        persist_path: a JSON file for the histories, which one manager at a time may use; None: in memory only.
        chunk_size, chunk_overlap: of the pieces that versions are compared by, in characters.

    Raises:
        ConfigurationError: unless chunk_size > 0 and 0 <= chunk_overlap < chunk_size.
        StoreCorruptError: if the file is damaged. It is left as it is.
        StoreUnavailableError, StoreVersionError: if the file cannot be read.
    """

    def __init__(
        self,
        rag_system: Any,
        persist_path: str | Path | None = None,
        chunk_size: int = 512,
        chunk_overlap: int = 128,
    ) -> None:
        if chunk_size <= 0:
            raise ConfigurationError(f"chunk_size must be positive, not {chunk_size}.")
        if not 0 <= chunk_overlap < chunk_size:
            raise ConfigurationError(
                f"chunk_overlap must be at least 0 and below chunk_size ({chunk_size}), not {chunk_overlap}."
            )
        self._rag_system = rag_system
        self._path = None if persist_path is None else Path(persist_path)
        self._sizes = {"chunk_size": chunk_size, "chunk_overlap": chunk_overlap}
        self._lock = threading.RLock()
        self._histories = {} if self._path is None else read_histories(self._path)
        self._texts: OrderedDict[str, str] = OrderedDict()

    def add_or_update(self, doc_id: str, text: str, metadata: Mapping[str, Any] | None = None) -> ContentDiff:
        """Index `text` as the next version of `doc_id`, and say what it changed.

        Text that equals the latest version is neither indexed nor recorded, whatever its metadata.

        Raises:
            EmptyDocumentError: for a blank text. The old version stays.
            ChunkingError, VectorDBWriteError: if the index did not take it. The history does not grow; the message
                says what the index now holds.
            StoreReadOnlyError: if the file of histories cannot be written; what was asked can be asked again.
            ConfigurationError: for a blank doc_id, or for metadata that the file cannot hold.
        """
        if not doc_id.strip():
            raise ConfigurationError("doc_id must not be blank.")
        with self._lock:
            latest = self._latest(doc_id)
            if latest is None or latest.content_hash != hash_of(text):
                return self._append(doc_id, text, dict(metadata or {}))
            if not self._histories[doc_id].indexed:
                self._index(latest, text)
                self._save()
            self._remember(doc_id, text)
            return difference(latest, latest)

    def history(self, doc_id: str) -> list[DocVersion]:
        """Every version, the oldest first; [] for an unknown document."""
        with self._lock:
            history = self._histories.get(doc_id)
            return copy.deepcopy(history.versions) if history else []

    def latest(self, doc_id: str) -> DocVersion | None:
        """The last version, or None."""
        with self._lock:
            return copy.deepcopy(self._latest(doc_id))

    def rollback(self, doc_id: str, version: int, original_texts: Mapping[str, str]) -> ContentDiff:
        """Make an earlier text the current one, as a new version with the earlier one's metadata.

        Args:
            doc_id: the document.
            version: the number to go back to.
            original_texts: the text of that version under `doc_id`; histories hold no texts.

        Raises:
            KeyError: for a version, or a document, that is unknown.
            ConfigurationError: a ValueError; if the text is missing, or is not that version's.
            ChunkingError, VectorDBWriteError, StoreReadOnlyError: as `add_or_update`.
        """
        with self._lock:
            target = next((kept for kept in self.history(doc_id) if kept.version == version), None)
            if target is None:
                raise KeyError(f"There is no version {version} of {doc_id!r}.")
            text = original_texts.get(doc_id)
            if text is None:
                raise ConfigurationError(f"original_texts holds no text for {doc_id!r}.")
            if hash_of(text) != target.content_hash:
                raise ConfigurationError(f"The text given for {doc_id!r} is not that of its version {version}.")
            return self._append(doc_id, text, target.metadata)

    def delete(self, doc_id: str) -> bool:
        """Take the document out of the index and forget its history; whether it was known.

        Raises:
            VectorDBWriteError: if it could not be taken out. The history stays.
        """
        with self._lock:
            if doc_id not in self._histories:
                return False
            self._remove(doc_id)
            del self._histories[doc_id]
            self._texts.pop(doc_id, None)
            self._save()
            return True

    def summary(self) -> dict[str, dict[str, Any]]:
        """By document: versions, latest_version, content_hash, chunks, created_at (of the first) and updated_at."""
        with self._lock:
            return {
                doc_id: {
                    "versions": len(history.versions),
                    "latest_version": history.versions[-1].version,
                    "content_hash": history.versions[-1].content_hash,
                    "chunks": len(history.versions[-1].chunk_hashes),
                    "created_at": history.versions[0].created_at,
                    "updated_at": history.versions[-1].created_at,
                }
                for doc_id, history in self._histories.items()
            }

    def _latest(self, doc_id: str) -> DocVersion | None:
        history = self._histories.get(doc_id)
        return history.versions[-1] if history else None

    def _append(self, doc_id: str, text: str, metadata: dict[str, Any]) -> ContentDiff:
        """Index and record a further version; text that is indexed already is only recorded."""
        if not text.strip():
            raise EmptyDocumentError(f"The text given for {doc_id!r} is blank; nothing was changed.")
        old = self._latest(doc_id)
        number = old.version + 1 if old else 1
        new = version_of(doc_id, number, text, self._recordable(metadata), **self._sizes)
        changes = difference(old, new)
        if changes.content_changed or not self._histories[doc_id].indexed:
            self._index(new, text)
        self._histories.setdefault(doc_id, History()).versions.append(new)
        self._remember(doc_id, text)
        self._save()
        return changes

    def _recordable(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """A copy of `metadata`, as it will be after a restart."""
        if self._path is None:
            return copy.deepcopy(metadata)
        try:
            copied: dict[str, Any] = json.loads(json.dumps(metadata))
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"The version file cannot hold this metadata: {error}.") from error
        return copied

    def _index(self, version: DocVersion, text: str) -> None:
        """Put `version` into the index in place of what it holds of the document."""
        doc_id = version.doc_id
        history = self._histories.get(doc_id)
        if history is not None:
            # Written down first: after a crash between the two, the same text is not taken for indexed.
            history.indexed = False
            self._save()
            self._remove(doc_id)
        try:
            added = self._add(version, text)
        except Exception as error:
            raise VectorDBWriteError(
                f"Version {version.version} of {doc_id!r} could not be indexed: {error}. {self._put_back(doc_id)}"
            ) from error
        if not added:
            raise ChunkingError(f"No chunks came of version {version.version} of {doc_id!r}. {self._put_back(doc_id)}")
        if history is not None:
            history.indexed = True

    def _put_back(self, doc_id: str) -> str:
        """Try to index the latest version again, after the next one failed; what the index now holds, in a sentence."""
        with suppress(VectorDBWriteError):
            self._remove(doc_id)  # of a failed attempt, a part may have come in
        history, text = self._histories.get(doc_id), self._texts.get(doc_id)
        if history is None:
            return "The document is not indexed."
        latest = history.versions[-1]
        if text is not None:
            with suppress(Exception):
                history.indexed = self._add(latest, text) > 0
                self._save()
        if history.indexed:
            return f"Version {latest.version} is indexed again."
        return f"Version {latest.version} is out of the index: add its text again."

    def _add(self, version: DocVersion, text: str) -> int:
        """The number of chunks that came of it."""
        document = LoadedDocument(page_content=text, metadata=copy.deepcopy(version.metadata), doc_id=version.doc_id)
        return int(self._rag_system.add_documents([document]).get(version.doc_id, 0))

    def _remove(self, doc_id: str) -> None:
        try:
            removed = self._rag_system.remove_document(doc_id)
            database = getattr(self._rag_system, "vector_db", None)
            if not removed and database is not None:
                # RAGSystem gives 0 for an absent document and for a failure; only the database tells which.
                call(database.remove_by_doc_id, doc_id)
        except Exception as error:
            raise VectorDBWriteError(
                f"The chunks of {doc_id!r} could not be taken out of the index: {error}. Its history is as it was."
            ) from error

    def _remember(self, doc_id: str, text: str) -> None:
        self._texts[doc_id] = text
        self._texts.move_to_end(doc_id)
        while len(self._texts) > _TEXTS_KEPT:
            self._texts.popitem(last=False)

    def _save(self) -> None:
        if self._path is not None:
            write_histories(self._path, self._histories)
