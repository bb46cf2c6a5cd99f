"""The embedded database: a folder with one SQLite file and what derives from it."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import time
from typing import Any, TypeVar

from dalil.errors import StoreReadOnlyError, StoreUnavailableError
from dalil.scope import Scope
from dalil.stores.sqlite import schema
from dalil.stores.sqlite.connections import begin_writing, connect, explained, is_refused
from dalil.stores.sqlite.session import SqliteSession, finished
from dalil.stores.sqlite.vector_index import VectorIndex
from dalil.stores.sqlite.word_index import BEHIND, WordIndex

_Result = TypeVar("_Result")
_LOG = logging.getLogger("dalil.stores")

FILE_NAME = "dalil.sqlite"
ABANDONED_AFTER = 3600.0
"""Seconds after which a half-written index file is nobody's any more."""


class SqliteDatabase:
    """Opens nothing until it is first used; then the folder and the file are made when they are missing.

    `embedder` is the identity of the embedder whose vectors will come and be searched; None skips that check.
    """

    def __init__(self, folder: str | os.PathLike[str], *, embedder: str | None = None):
        self.folder = Path(folder)
        self.file = self.folder / FILE_NAME
        self.embedder = embedder
        self.vectors = VectorIndex(self.folder)
        self.words = WordIndex(self.folder)
        self.writable = True
        self._opened = False
        self._idle: list[sqlite3.Connection] = []
        self._executor: ThreadPoolExecutor | None = None
        self._opening = asyncio.Lock()
        self._writing = asyncio.Lock()
        self._local = threading.local()
        self._loops: list[asyncio.AbstractEventLoop] = []
        self._watch: sqlite3.Connection | None = None
        self._watches = 0
        self._watch_lock = threading.Lock()

    @asynccontextmanager
    async def session(self, scope: Scope, *, read_only: bool = False) -> AsyncIterator[SqliteSession]:
        """A session in one transaction: committed when the block ends, rolled back when it raises.

        Raises:
            StoreError: if the store cannot be opened, read or written.
        """
        del scope  # every store call brings its own; other engines bind it to the session
        await self._open()
        if read_only:
            async with self._transaction(read_only=True) as session:
                yield session
            return
        async with self._writing:  # one waiting thread a process; SQLite puts the processes in turn
            async with self._transaction(read_only=False) as session:
                yield session
            await self._run(lambda: self._with_connection(lambda c: self.words.catch_up(c, at_least=BEHIND)))

    async def transact(
        self,
        scope: Scope,
        work: Callable[[SqliteSession], Coroutine[Any, Any, _Result]],
        *,
        read_only: bool = False,
    ) -> _Result:
        """`work(session)` in a session, all of it in one thread with an event loop of its own.

        What `session` does, without a hand-off between threads for every store call.
        """
        del scope
        await self._open()
        gave_up = threading.Event()

        def whole() -> _Result:
            session = self._begin(read_only=read_only, gave_up=gave_up)
            session.executor = None
            try:
                result = self._thread_loop().run_until_complete(work(session))
                session.word_counts.write(session.connection)
            except BaseException:
                self._end(session.connection, "ROLLBACK")
                raise
            self._end(session.connection, "COMMIT")
            if not read_only:
                self._with_connection(lambda connection: self.words.catch_up(connection, at_least=BEHIND))
            return result

        if read_only:
            return await self._run(whole, gave_up)
        async with self._writing:
            return await self._run(whole, gave_up)

    def _thread_loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of this worker thread, kept for the next unit of work."""
        loop: asyncio.AbstractEventLoop | None = getattr(self._local, "loop", None)
        if loop is None or loop.is_closed():
            loop = self._local.loop = asyncio.new_event_loop()
            self._loops.append(loop)
        return loop

    async def migrate(self) -> None:
        """Make the store, or bring an older one up to date. Does nothing when there is nothing to do.

        Raises:
            StoreVersionError: if a newer dalil wrote it.
        """
        await self._open()

    async def dispose(self) -> None:
        """Bring the derived indexes in step, write them, and close every connection."""
        if not self._opened:
            await self._run(self._close)
            return
        if self.writable:
            await self._run(self._settle)
        executor, self._executor = self._executor, None
        self._opened = False
        if executor is not None:
            await asyncio.to_thread(executor.shutdown)  # waits for what still runs, but not on the loop
        while self._loops:
            self._loops.pop().close()
        await self._run(self._close)

    @property
    def label(self) -> str:
        """Where the store is."""
        return str(self.folder)

    @property
    def schema(self) -> int:
        """The version of the tables."""
        return schema.VERSION

    async def meta(self) -> dict[str, str]:
        """What is noted about the store: the embedder's identity and the width of its vectors."""
        await self._open()
        return await self._run(lambda: self._with_connection(lambda c: dict(c.execute("SELECT name, value FROM meta"))))

    async def namespaces(self) -> list[tuple[str, int, int]]:
        """Each namespace that holds documents: its name, documents and chunks."""
        query = (
            "SELECT n.name, (SELECT count(*) FROM document d WHERE d.namespace = n.key AND d.saved), "
            "(SELECT count(*) FROM chunk c WHERE c.namespace = n.key) FROM namespace n ORDER BY n.name"
        )
        await self._open()
        rows = await self._run(lambda: self._with_connection(lambda c: c.execute(query).fetchall()))
        return [row for row in rows if row[1] or row[2]]

    def data_version(self) -> tuple[int, int]:
        """A value that moves whenever anyone, in any process, has changed the store. It means nothing by itself.

        Quick, and safe to call from any thread.
        """
        with self._watch_lock, explained(self.file):
            if self._watch is None:
                if not self.file.exists():
                    return self._watches, 0
                self._watch = connect(self.file, writable=self.writable)
                self._watches += 1  # SQLite's number only compares within one connection
            return self._watches, int(self._watch.execute("PRAGMA data_version").fetchone()[0])

    # --- sessions ----------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _transaction(self, *, read_only: bool) -> AsyncIterator[SqliteSession]:
        begun: list[SqliteSession] = []  # also when the caller is cancelled while it begins
        gave_up = threading.Event()
        how = "ROLLBACK"
        try:
            await self._run(lambda: begun.append(self._begin(read_only, gave_up)), gave_up)
            yield begun[0]
            await begun[0].run(begun[0].word_counts.write)
            how = "COMMIT"
        finally:  # ended once: afterwards the connection may be another session's
            if begun:
                await self._run(lambda: self._end(begun[0].connection, how))

    def _begin(self, read_only: bool, gave_up: threading.Event) -> SqliteSession:
        assert self._executor is not None
        if not read_only and not self.writable:
            raise StoreReadOnlyError(f"The store at {self.folder} cannot be written.")
        connection = self._connection()
        try:
            view = self.words.view()  # before the snapshot: see WordIndex.view
            if read_only:
                connection.execute("BEGIN")
            else:
                begin_writing(connection, gave_up.is_set)
            connection.execute("SELECT 1 FROM meta LIMIT 1").fetchone()  # takes the snapshot
        except BaseException:
            connection.close()
            raise
        return SqliteSession(self, connection, self._executor, read_only=read_only, words=view)

    def _end(self, connection: sqlite3.Connection, how: str) -> None:
        try:
            if connection.in_transaction:
                connection.execute(how)
        except BaseException:
            connection.close()
            raise
        self._release(connection)

    def _release(self, connection: sqlite3.Connection) -> None:
        if self._opened:
            self._idle.append(connection)
        else:  # disposed meanwhile
            connection.close()

    def _connection(self) -> sqlite3.Connection:
        with suppress(IndexError):
            return self._idle.pop()
        return connect(self.file, writable=self.writable)

    def _with_connection(self, work: Callable[[sqlite3.Connection], _Result]) -> _Result:
        connection = self._connection()
        try:
            return work(connection)
        finally:
            self._release(connection)

    async def _run(self, work: Callable[[], _Result], gave_up: threading.Event | None = None) -> _Result:
        def guarded() -> _Result:
            with explained(self.file):
                return work()

        # Shielded: a cancelled caller must not leave a transaction half begun or half ended. A session that outlives
        # `dispose` (a stream that was left early) is ended in another thread.
        future = asyncio.get_running_loop().run_in_executor(self._executor, guarded)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if gave_up is not None:
                gave_up.set()
            await finished(future)
            raise

    # --- opening and closing -----------------------------------------------------------------------------

    async def _open(self) -> None:
        if self._opened:
            return
        async with self._opening:
            if self._opened:
                return
            self._executor = ThreadPoolExecutor(max_workers=8, thread_name_prefix="dalil-store")
            try:
                await self._run(self._open_file)
            except BaseException:
                self._executor.shutdown(wait=False)
                self._executor = None
                raise
            self._opened = True

    def _open_file(self) -> None:
        self.writable = self.words.writable = True
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            schema.check_file(self.file)
            connection = connect(self.file)
            try:
                schema.migrate(connection)
            except BaseException:
                connection.close()
                raise
        except OSError as error:
            raise StoreUnavailableError(f"The store's folder {self.folder} cannot be made: {error}.") from error
        except sqlite3.OperationalError as error:
            if not self.file.exists() or not is_refused(error):
                raise
            self.writable = self.words.writable = False
            connection = connect(self.file, writable=False)
            schema.check_version(connection)
            if schema.read_version(connection) < schema.VERSION:
                connection.close()
                raise StoreReadOnlyError(
                    f"The store at {self.folder} is of an older version, and cannot be brought up to date there.",
                    advice="Open it once where it may be written, or copy it to such a place.",
                ) from error
            _LOG.info("The store at %s can only be read.", self.folder)
        if self.writable:
            self.words.catch_up(connection, at_least=BEHIND)
            _sweep(self.folder)
        self._idle.append(connection)

    def _settle(self) -> None:
        self._with_connection(self.words.catch_up)
        self.vectors.write()

    def _close(self) -> None:
        with self._watch_lock:
            if self._watch is not None:
                self._watch.close()
                self._watch = None
        while self._idle:
            self._idle.pop().close()


def _sweep(folder: Path) -> None:
    """Remove what processes that died while they wrote an index left behind."""
    for part in folder.glob("*.part"):
        with suppress(OSError):
            if part.stat().st_mtime < time() - ABANDONED_AFTER:
                part.unlink()
