"""What a worker may not do, and when it must end: set up by the worker for itself."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

FILE_BYTES = 1024 * 1024 * 1024
_ENDLESS_BYTES = 1 << 62  # more than that the system does not take for a number
_ENDLESS_SECONDS = 1e8
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = frozenset(
    f"os.{name}" for name in "remove rename rmdir mkdir link symlink truncate chmod chown".split()
) | {"shutil.rmtree"}
_PROCESSES = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "pty.spawn"}
)
_NETWORK = frozenset(
    f"socket.{name}" for name in "connect bind sendto sendmsg getaddrinfo gethostbyname gethostbyaddr".split()
)


def limit_files() -> None:
    """No core dumps, no file longer than a gigabyte; where the system knows such limits."""
    if sys.platform != "win32":
        import resource

        for kind, limit in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, FILE_BYTES)):
            hard = resource.getrlimit(kind)[1]
            if hard == resource.RLIM_INFINITY or hard > limit:
                resource.setrlimit(kind, (limit, limit))


def limit_memory(size: int) -> None:
    """From now on the process's addresses may take `size` bytes in all.

    Elsewhere than on Linux addresses say nothing about memory, and the limit may not exist.
    """
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        size = min(size, _ENDLESS_BYTES)
        if hard == resource.RLIM_INFINITY or size < hard:
            resource.setrlimit(resource.RLIMIT_AS, (size, hard))


def lift_memory_limit() -> None:
    """Addresses are as free as the system lets them be."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def forbid_side_effects() -> None:
    """No network, no other processes, nothing written but temporary files and compiled modules.

    This is no cage for hostile code. It keeps a library from doing what reading a document never needs.
    """
    temporary = os.path.realpath(tempfile.gettempdir())

    def check(event: str, given: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = given
            if isinstance(flags, int) and flags & _WRITING and not _may_be_written(path, temporary):
                raise PermissionError(f"a reader of documents may not write {path!r}")
        elif event in _NETWORK or event in _PROCESSES:
            raise PermissionError(f"a reader of documents may not call {event}")
        elif event in _CHANGING and not _may_be_written(given[0], temporary):
            raise PermissionError(f"a reader of documents may not call {event} on {given[0]!r}")

    sys.addaudithook(check)


def _may_be_written(path: object, temporary: str) -> bool:
    if isinstance(path, int) or path is None:
        return True  # a file that is open already
    try:
        place = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    parts = Path(place).parts
    return place in (temporary, os.devnull) or place.startswith(temporary + os.sep) or "__pycache__" in parts


def end_with_parent(seconds: float = 1.0) -> None:
    """Ends this process soon after its parent did, even while a library that releases the interpreter hangs."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os._exit(1)

    threading.Thread(target=watch, name="dalil-parent", daemon=True).start()


def end_unless_called_again(seconds: float) -> None:
    """Ends this process in `seconds`, whatever hangs, unless it is called again before; 0 lets it live.

    The system's own timer does it, where there is one: no thread of Python runs while a library holds on to the
    interpreter.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, min(seconds, _ENDLESS_SECONDS))


def reset_signals() -> None:
    """Signals do what they do by default, even within a library, whatever the parent had in mind for itself."""
    if sys.platform != "win32":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
