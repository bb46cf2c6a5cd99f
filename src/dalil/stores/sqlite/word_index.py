"""The derived word index: tantivy over our own tokens, brought in step after a commit, never before.

It only proposes chunks. Its order is steered by the namespace's own idf, the scores that count are computed from
the store. How far it has come stands in a small file beside it; what it has not heard of yet is scored directly.
"""

from __future__ import annotations

import json
import logging
import math
import os
import shutil
import sqlite3
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from dalil.stores.sqlite import changes
from dalil.stores.sqlite.changes import Position
from dalil.stores.sqlite.rows import select_in

_LOG = logging.getLogger("dalil.stores")

_FORMAT = 1
_DATA = frozenset({".idx", ".term", ".pos", ".fast", ".fieldnorm", ".store"})
_HEAP = 15_000_000  # tantivy's smallest; a writer is opened for one commit and dropped, which frees its lock
BEHIND = 512
"""Chunks that the index may be behind before it is brought in step; so many are scored directly."""


@dataclass(frozen=True)
class View:
    """One unchanging state of the index and the position that it has certainly reached."""

    position: Position
    searcher: Any
    schema: Any


class WordIndex:
    """Proposes chunks that share words with a query. Safe to use from several threads and processes."""

    def __init__(self, folder: Path):
        self._folder = folder / "words"
        self._description = folder / "words.json"
        self._folder_path, self._description_path = str(self._folder), str(self._description)  # looked at often
        self._lock = threading.Lock()
        self._writing = threading.Lock()  # not the same: who reads never waits for who writes
        self.writable = True
        self._index: Any = None
        self._view: View | None = None
        self._read: tuple[tuple[int, int, int], Position | None, dict[str, int]] = ((0, 0, 0), None, {})

    def view(self) -> View | None:
        """The newest state, to be taken *before* the snapshot it is used with; None while there is no index."""
        with self._lock:
            position, checksums = self._describe()
            if position is None:
                self._index = self._view = None
                return None
            if self._view is not None and self._view.position == position:
                return self._view
            try:
                if self._index is None:
                    _check(self._folder, checksums)
                    self._index = _open(self._folder)
                self._index.reload()
                self._view = View(position, self._index.searcher(), self._index.schema)
            except Exception as error:
                if self.writable:
                    _LOG.warning("The word index cannot be read (%s); it will be built again.", error)
                    self._discard()
                return None  # tantivy cannot read without a lock file of its own
            return self._view

    def propose(self, view: View, namespace: int, weights: dict[str, float], count: int) -> list[int]:
        """Keys of up to `count` chunks of the namespace that share the most weight of words with the query."""
        import tantivy

        schema = view.schema
        total = _documents_in(view.searcher)
        parts = []
        for term, weight in weights.items():
            containing = view.searcher.doc_freq("tokens", term)
            if not containing:
                continue
            theirs = math.log(1.0 + (total - containing + 0.5) / (containing + 0.5))
            query = tantivy.Query.term_query(schema, "tokens", term, "freq")
            parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, weight / max(theirs, 1e-6))))
        if not parts:
            return []
        inside = tantivy.Query.const_score_query(
            tantivy.Query.term_query(schema, "namespace", str(namespace), "basic"), 0.0
        )
        query = tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, tantivy.Query.boolean_query(parts)), (tantivy.Occur.Must, inside)]
        )
        hits = view.searcher.search(query, limit=max(1, min(count, total)), count=False).hits
        addresses = [address for _, address in hits]
        return [int(key) for key in view.searcher.fast_field_values("key", addresses)] if addresses else []

    def catch_up(self, connection: sqlite3.Connection, *, at_least: int = 1) -> None:
        """Bring the index in step when it is `at_least` so many chunks behind; leaves it if another one does.

        The caller's connection must not be inside a writing transaction. Failure only costs time later.
        """
        try:
            with self._writing:
                self._catch_up(connection, at_least)
        except Exception as error:
            if "LockBusy" in str(error):
                return
            _LOG.warning("The word index could not be written: %s.", error)
            if "FileAlreadyExists" in str(error):  # what a killed writer left would be in the way for ever
                with self._lock:
                    self._discard()

    def _catch_up(self, connection: sqlite3.Connection, at_least: int) -> None:
        position, checksums = self._describe()
        if position is not None and not (
            changes.known(connection, position) and position.seq <= changes.latest(connection).seq
        ):
            _LOG.warning("The word index belongs to another state of the store; building it again.")
            position = None
        if position is None:
            if not connection.execute("SELECT EXISTS (SELECT 1 FROM words)").fetchone()[0]:
                return
            self._rebuild(connection)
            return
        if changes.keys_since(connection, position, "words") < at_least:
            return
        now = changes.latest(connection)
        pending = list(changes.since(connection, position, "words"))
        if self._index is None:  # nobody has read it yet
            _check(self._folder, checksums)
        index = _open(self._folder)
        coming: dict[int, None] = {}
        leaving: list[int] = []
        for change in pending:
            if change.came:
                coming.update(dict.fromkeys(change.keys))
            else:
                leaving += change.keys
                for key in change.keys:
                    coming.pop(key, None)
        writer = index.writer(heap_size=_HEAP, num_threads=1)
        writer.garbage_collect_files()  # what a killed writer left may have the names that ours will have
        # Another process may have been here since: deleting first makes adding the same key twice harmless.
        for key in (*leaving, *coming):
            writer.delete_documents_by_term("key", key)
        _add(writer, select_in(connection, f"{_ROWS} WHERE w.chunk IN", list(coming)))
        self._commit(writer, now)

    def _rebuild(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            self._discard()
        self._folder.mkdir(parents=True, exist_ok=True)
        now = changes.latest(connection)
        writer = _open(self._folder, new=True).writer(heap_size=_HEAP * 4, num_threads=1)
        writer.delete_all_documents()
        _add(writer, connection.execute(_ROWS))
        self._commit(writer, now)
        _LOG.info("Built the word index from the store.")

    def _commit(self, writer: Any, position: Position) -> None:
        writer.commit()
        writer.wait_merging_threads()
        temporary = self._description.with_suffix(f".{os.getpid()}.part")
        described = {"format": _FORMAT, "position": list(position), "files": self._checksums()}
        temporary.write_text(json.dumps(described), "utf-8")
        os.replace(temporary, self._description)

    def _checksums(self) -> dict[str, int]:
        """The checksum of every file of the index; files are never changed, so what is known is not read again."""
        _, known = self._describe()
        paths = (path for path in self._folder.iterdir() if path.suffix in _DATA)
        return {path.name: known[path.name] if path.name in known else _checksum(path) for path in paths}

    def _describe(self) -> tuple[Position | None, dict[str, int]]:
        """How far the index has come, and the checksums of its files; None when there is none to be used."""
        try:
            status = os.stat(self._description_path)  # replaced as a whole, so a new state is a new file
            state = (status.st_ino, status.st_mtime_ns, status.st_size)
            if state != self._read[0]:
                described = json.loads(self._description.read_text("utf-8"))
                known = Position(*described["position"]) if described["format"] == _FORMAT else None
                self._read = (state, known, dict(described.get("files", {})))
            if os.path.isdir(self._folder_path):
                return self._read[1:]
        except FileNotFoundError:
            return None, {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            _LOG.warning("The word index cannot be read (%s); it will be built again.", error)
        return None, {}

    def _discard(self) -> None:
        self._index = self._view = None
        self._description.unlink(missing_ok=True)
        shutil.rmtree(self._folder, ignore_errors=True)


def _check(folder: Path, checksums: dict[str, int]) -> None:
    """Refuse damaged files; those that are gone were merged into others, or tantivy will miss them itself."""
    for name, checksum in checksums.items():
        with suppress(FileNotFoundError):
            if _checksum(folder / name) != checksum:
                raise ValueError(f"{name} is damaged")


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            checksum = crc32(part, checksum)
    return checksum


_ROWS = "SELECT w.chunk, c.namespace, w.tokens FROM words AS w JOIN chunk AS c ON c.key = w.chunk"


def _add(writer: Any, rows: Any) -> None:
    import tantivy

    for key, namespace, tokens in rows:
        document = tantivy.Document()
        document.add_integer("key", key)
        document.add_text("namespace", str(namespace))
        document.add_text("tokens", tokens)
        writer.add_document(document)


def _open(folder: Path, *, new: bool = False) -> Any:
    import tantivy

    if not new and not (folder / "meta.json").is_file():
        raise FileNotFoundError("its meta.json is missing")  # tantivy would begin an empty index
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("key", stored=False, indexed=True, fast=True)
    builder.add_text_field("namespace", stored=False, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("tokens", stored=False, tokenizer_name="blanks", index_option="freq")
    index = tantivy.Index(builder.build(), path=str(folder))
    index.register_tokenizer("blanks", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    index.config_reader("manual", 1)
    return index


def _documents_in(searcher: Any) -> int:
    return int(searcher.num_docs)
