"""The parent's side of one worker process: started, spoken to, killed, buried."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import dalil
from dalil.errors import LoaderError
from dalil.parsing.worker.frames import Frame, read_frame, write_frame
from dalil.parsing.worker.memory import Memory, peak_memory

_START_SECONDS = 60.0
_MEGABYTE = 1024 * 1024
_PASSED_ON = (
    "PATH LANG LC_ALL LC_CTYPE TZ TMPDIR TEMP TMP SYSTEMROOT PYTHONHOME PYTHONUTF8 LD_LIBRARY_PATH DYLD_LIBRARY_PATH"
).split()
_FROM_OUTSIDE = {"SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"}


class WorkerLostError(Exception):
    """A worker ended, or said what no worker says."""


@dataclass(frozen=True)
class Ending:
    """How a worker ended: because its time was up, by a signal ("SIGSEGV") or with an exit status.

    `peak_bytes` is the most memory that it was seen with, `peak_address_bytes` the most addresses beyond those that it
    began with; 0 where the system does not tell.
    """

    expired: bool
    signal: str
    status: int
    peak_bytes: int
    peak_address_bytes: int

    @property
    def from_outside(self) -> bool:
        """Whether someone else wanted it to end: a person, or a system without memory."""
        return not self.expired and self.signal in _FROM_OUTSIDE


class Worker:
    """One worker process. One thread at a time speaks with it; any thread may kill it.

    It is to be killed at `deadline`, on the monotonic clock. `served` counts its documents, `fit` says whether it may
    have another.
    """

    def __init__(self) -> None:
        self.deadline = time.monotonic() + _START_SECONDS
        self.served = 0
        self.fit = False
        self._peak = self._begun = Memory(0, 0)
        self._expired = False
        self._ending: Ending | None = None
        self._burying = threading.Lock()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed when it is ready or ends
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dalil.parsing.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                bufsize=0,
                cwd=tempfile.gettempdir(),
                env=worker_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            self._errors.close()
            raise _not_started(error.strerror or str(error)) from error

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        with self._burying:
            return self._ending is None and self._process.poll() is None

    def wait_until_ready(self) -> None:
        """Returns when it takes requests.

        Raises:
            LoaderError: it did not start.
        """
        try:
            self.receive()
        except WorkerLostError as error:
            self._errors.seek(0)
            complaints = self._errors.read(_MEGABYTE).decode("utf-8", "replace").strip().splitlines()
            self.end()
            raise _not_started(complaints[-1] if complaints else "it ended at once") from error
        self._errors.close()
        self._begun = peak_memory(self.pid)
        self.fit = True

    def send(self, header: Mapping[str, object], body: bytes) -> None:
        """Give it a document.

        Raises:
            WorkerLostError: it has ended.
        """
        self.fit = False
        self.served += 1
        try:
            write_frame(_opened(self._process.stdin), header, (body,))
        except OSError as error:
            raise WorkerLostError from error

    def receive(self, *, limit: int | None = None) -> Frame:
        """Its next frame, with no more than `limit` bytes.

        Raises:
            WorkerLostError: it has ended, or sent no frame.
        """
        try:
            frame = read_frame(_opened(self._process.stdout), limit=limit)
        except (OSError, EOFError, ValueError) as error:
            raise WorkerLostError from error
        if frame is None:
            raise WorkerLostError
        return frame

    def look(self) -> None:
        """Note how much memory it takes: nobody can tell that of the dead."""
        memory = peak_memory(self.pid)
        self._peak = Memory(*map(max, self._peak, memory))

    def expire(self) -> None:
        """Kill it because its time is up. Whoever waits for it notices."""
        with self._burying:
            if self._ending is None:
                self.look()
                self._expired = True
                self._kill()

    def kill(self) -> None:
        """Kill it. Whoever speaks with it notices."""
        with self._burying:
            if self._ending is None:
                self._kill()

    def end(self) -> Ending:
        """Kill it if it is alive, and tell how it ended. Nothing of it is left."""
        with self._burying:
            if self._ending is None:
                self.look()
                self._kill()
                self._ending = self._buried()
                self._close()
            return self._ending

    def abandon(self) -> None:
        """Forget it, in a process that was forked from its parent: it belongs to the parent alone."""
        self._process.returncode = 0
        self._close()

    def _kill(self) -> None:
        self._process.kill()

    def _buried(self) -> Ending:
        status = self._process.wait()
        name = ""
        if status < 0:
            name = signal.Signals(-status).name if -status in {*signal.Signals} else f"signal {-status}"
        addresses = max(0, self._peak.addresses - self._begun.addresses)
        return Ending(self._expired, name, status, self._peak.resident, addresses)

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                stream.close()


def worker_environment() -> dict[str, str]:
    """What a worker needs to find the same modules, and no more: no keys, no passwords."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    home = str(Path(dalil.__file__).resolve().parents[1])
    places = [os.path.abspath(place) for place in sys.path if isinstance(place, str)]
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([*places, home]))
    environment["MALLOC_ARENA_MAX"] = "2"  # each arena takes 64 megabytes of the addresses that are limited
    if sys.dont_write_bytecode:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return environment


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # Popen was asked for pipes
    return stream


def _not_started(reason: str) -> LoaderError:
    return LoaderError(
        f"The process that reads documents could not be started: {reason}.",
        advice="Where no process can be started, HeuristicBackend(isolated=False) reads in this one.",
    )
