"""The workers of this process: started when they are needed, lent to threads, ended when they are idle."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from dalil.parsing.worker.process import Worker

_MOST_AT_ONCE = 2
_IDLE_SECONDS = 60.0
_CLOSING_SECONDS = 2.0
_LOOK_SECONDS = 0.1


class WorkerPool:
    """At most `size` workers at once (2, or 1 on a machine with one processor). Threads wait for their turn.

    One thread watches over all of them while there are any: it notes how much memory they take, kills those whose
    deadline has passed, and ends those that were idle for `idle_seconds`.
    """

    def __init__(self, size: int | None = None, *, idle_seconds: float = _IDLE_SECONDS) -> None:
        self._size = size or min(_MOST_AT_ONCE, os.cpu_count() or 1)
        self._idle_seconds = idle_seconds
        self._changed = threading.Condition()
        self._idle: list[Worker] = []  # the one that was used last is at the end
        self._busy: set[Worker] = set()
        self._starting = 0
        self._watching = False

    @contextmanager
    def borrowed(self, *, fresh: bool = False) -> Iterator[Worker]:
        """A worker that is ready, for this thread alone; a `fresh` one has had no document yet.

        Afterwards it is kept if it is `fit` for another document, else ended.

        Raises:
            LoaderError: no worker can be started.
        """
        worker = self._taken(fresh)
        try:
            if worker.served == 0 and not worker.fit:
                worker.wait_until_ready()
            yield worker
        finally:
            worker.deadline = float("inf")
            if not worker.fit:
                worker.end()
            with self._changed:
                self._busy.remove(worker)
                if worker.fit:
                    worker.deadline = time.monotonic() + self._idle_seconds
                    self._idle.append(worker)
                self._changed.notify_all()

    def workers(self) -> list[Worker]:
        """Those that are alive or starting to be, busy ones first."""
        with self._changed:
            return [*self._busy, *self._idle]

    def close(self) -> None:
        """End every worker at once; documents that are being read fail."""
        with self._changed:
            idle, self._idle = self._idle, []
            for worker in idle:
                worker.end()
            for worker in self._busy:
                worker.kill()
            # The threads that speak with them bury them, unless the interpreter has stopped those already.
            self._changed.wait_for(lambda: not self._busy, timeout=_CLOSING_SECONDS)
            self._changed.notify_all()

    def abandon(self) -> None:
        """Forget every worker, in a process that was forked from the one that started them."""
        for worker in [*self._busy, *self._idle]:
            worker.abandon()

    def _taken(self, fresh: bool) -> Worker:
        dead: list[Worker] = []
        try:
            with self._changed:
                while len(self._busy) + self._starting >= self._size:
                    self._changed.wait()
                while self._idle:
                    worker = self._idle.pop(0 if fresh else -1)
                    if not fresh and worker.is_running:
                        worker.deadline = float("inf")
                        self._busy.add(worker)
                        return worker
                    dead.append(worker)
                    if fresh:
                        break  # one makes room for one
                self._starting += 1
        finally:
            for worker in dead:
                worker.end()
        return self._started()

    def _started(self) -> Worker:
        worker = None
        try:
            worker = Worker()
        finally:
            with self._changed:
                self._starting -= 1
                if worker is not None:
                    self._busy.add(worker)
                    if not self._watching:
                        self._watching = True
                        threading.Thread(target=self._watch, name="dalil-workers", daemon=True).start()
                self._changed.notify_all()
        return worker

    def _watch(self) -> None:
        while True:
            with self._changed:
                now = time.monotonic()
                for worker in self._busy:
                    worker.look()
                    if worker.deadline <= now:
                        worker.deadline = float("inf")
                        worker.expire()
                tired = [worker for worker in self._idle if worker.deadline <= now]
                self._idle = [worker for worker in self._idle if worker not in tired]
                for worker in tired:
                    worker.end()
                if not (self._busy or self._idle or self._starting):
                    self._watching = False
                    return
                next_deadline = min((worker.deadline for worker in [*self._busy, *self._idle]), default=now)
                next_look = _LOOK_SECONDS if self._busy else threading.TIMEOUT_MAX
                self._changed.wait(min(max(0.0, next_deadline - now), next_look))

    def wake(self) -> None:
        """To be called where a busy worker got an earlier deadline."""
        with self._changed:
            self._changed.notify_all()


_shared: WorkerPool | None = None
_making = threading.Lock()


def shared_pool() -> WorkerPool:
    """The pool of this process."""
    global _shared
    with _making:
        if _shared is None:
            _shared = WorkerPool()
        return _shared


def _close_shared() -> None:
    if _shared is not None:
        _shared.close()


def _forget_shared() -> None:
    """A forked child starts its own workers; those of its parent are not its children."""
    global _shared, _making
    if _shared is not None:
        _shared.abandon()
    _shared, _making = None, threading.Lock()


atexit.register(_close_shared)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_shared)
