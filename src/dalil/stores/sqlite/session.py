"""One session: a connection, its transaction, and the thread hand-off."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from dalil.errors import EmbedderMismatchError, StoreReadOnlyError
from dalil.models import Chunk
from dalil.scope import Scope
from dalil.stores.sqlite import changes
from dalil.stores.sqlite.connections import explained, is_encodable
from dalil.stores.sqlite.filters import allowed_documents
from dalil.stores.sqlite.rows import ensure_chunks
from dalil.stores.sqlite.word_counts import WordCounts
from dalil.stores.sqlite.word_index import View

if TYPE_CHECKING:
    from dalil.stores.sqlite.database import SqliteDatabase

_Result = TypeVar("_Result")


async def finished(future: asyncio.Future[Any]) -> None:
    """Wait until a thread has let go of its connection, however often the caller is cancelled meanwhile."""
    while not future.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([future])
    if not future.cancelled():
        future.exception()


class SqliteSession:
    """What the three stores share: every statement of a session runs in its one transaction."""

    def __init__(
        self,
        database: SqliteDatabase,
        connection: sqlite3.Connection,
        executor: Executor,
        *,
        read_only: bool,
        words: View | None,
    ):
        self.database = database
        self.connection = connection
        self.read_only = read_only
        self.words = words
        self.word_counts = WordCounts()
        self._namespaces: dict[str, int] = {}
        self._saved: dict[tuple[int, int], tuple[Chunk, int]] = {}  # by namespace and `id()`: rows just written
        self._began_at = changes.latest(connection)
        self.executor: Executor | None = executor  # None: the caller is in a thread of its own already

    async def run(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """`work(connection)` in a thread. A cancelled caller waits until the thread has let go of the connection."""

        def guarded() -> _Result:
            with explained(self.database.file):
                return work(self.connection)

        if self.executor is None:
            return guarded()
        future = asyncio.get_running_loop().run_in_executor(self.executor, guarded)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self.connection.interrupt()
            await finished(future)
            raise

    @property
    def has_written(self) -> bool:
        """Whether there are words or vectors that only this session sees; shared indexes must not hear of them."""
        return not self.read_only and changes.latest(self.connection) != self._began_at

    def check_writable(self) -> None:
        """Refuse to write in a session that was opened to read.

        Raises:
            StoreReadOnlyError: if it was.
        """
        if self.read_only:
            raise StoreReadOnlyError("This session was opened to read only.", advice="Open it without read_only=True.")

    def namespace(self, scope: Scope) -> int | None:
        """The key of the scope's namespace; None when nothing was ever stored in it."""
        key = self._namespaces.get(scope.namespace)
        if key is None and is_encodable(scope.namespace):
            query = "SELECT key FROM namespace WHERE name = ?"
            row = self.connection.execute(query, (scope.namespace,)).fetchone()
            if row is not None:
                key = self._namespaces[scope.namespace] = row[0]
        return key

    def ensure_namespace(self, scope: Scope) -> int:
        """The key of the scope's namespace, which is made when it is missing."""
        key = self.namespace(scope)
        if key is None:
            key = self.connection.execute("INSERT INTO namespace (name) VALUES (?)", (scope.namespace,)).lastrowid
            assert key is not None
            self._namespaces[scope.namespace] = key
        return key

    def forget_namespace(self, scope: Scope) -> None:
        """Let go of what is known about a namespace that was removed as a whole."""
        self.forget_saved()
        key = self._namespaces.pop(scope.namespace, None)
        if key is not None:
            self.word_counts.forget(key)

    def remember_saved(self, namespace: int, chunk: Chunk, key: int) -> None:
        """Note that the row of this very chunk was just written."""
        self._saved[namespace, id(chunk)] = (chunk, key)

    def forget_saved(self) -> None:
        """Forget those rows: some of them may be gone."""
        self._saved.clear()

    def chunk_keys(self, namespace: int, chunks: Sequence[Chunk]) -> list[int]:
        """The keys of these chunks' rows, which are made or brought up to date unless they were just written."""
        known = [self._saved.get((namespace, id(chunk))) for chunk in chunks]
        keys = [found[1] for found, chunk in zip(known, chunks, strict=True) if found is not None and found[0] is chunk]
        return keys if len(keys) == len(chunks) else ensure_chunks(self.connection, namespace, chunks)

    def allowed(self, namespace: int, scope: Scope) -> set[int] | None:
        """The keys of the documents that the scope's filters admit; None for all."""
        return allowed_documents(self.connection, namespace, scope)

    # --- the embedder that the vectors come from ---------------------------------------------------------

    def pin_embedder(self, dimension: int) -> None:
        """Note whose vectors these are when they are the first, refuse them when they are another embedder's.

        Raises:
            EmbedderMismatchError: if the stored vectors have another origin or width.
        """
        self.check_embedder(dimension)
        values = {"dimension": str(dimension)}
        if self.database.embedder is not None:
            values["embedder"] = self.database.embedder
        self.connection.executemany("INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)", values.items())

    def check_embedder(self, dimension: int | None = None) -> None:
        """Refuse vectors of another embedder.

        Raises:
            EmbedderMismatchError: if the stored vectors have another origin or width.
        """
        pinned = dict(self.connection.execute("SELECT name, value FROM meta"))
        theirs = pinned.get("embedder")
        ours = self.database.embedder
        if theirs is not None and ours is not None and theirs != ours:
            raise EmbedderMismatchError(
                f"The store's vectors were made by [{theirs}], not by [{ours}].",
                details={"stored": theirs, "given": ours},
            )
        width = pinned.get("dimension")
        if width is not None and dimension is not None and int(width) != dimension:
            raise EmbedderMismatchError(
                f"The store's vectors have {width} dimensions, these have {dimension}.",
                details={"stored": int(width), "given": dimension},
            )
