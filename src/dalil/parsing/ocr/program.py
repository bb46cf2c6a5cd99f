"""Running a program that may hang or babble: never longer than it is given, never more output than is wanted."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from tempfile import TemporaryFile

from dalil.errors import DocumentTimeoutError, LoaderError

_REASON_BYTES = 2000
_PASSED_ON = "PATH LANG LC_ALL TMPDIR TEMP TMP SYSTEMROOT LD_LIBRARY_PATH DYLD_LIBRARY_PATH TESSDATA_PREFIX".split()


def run(arguments: Sequence[str], given: bytes, *, seconds: float, most_bytes: int) -> bytes:
    """What the program writes to stdout when it reads `given` from stdin. No shell is involved.

    Raises:
        DocumentTimeoutError: it was killed because it took longer than `seconds`.
        LoaderError: it cannot be started, failed, or wrote more than `most_bytes`.
    """
    name = os.path.basename(arguments[0])
    # Files instead of pipes: nothing has to be read while it runs, so one wait with a limit is enough.
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        stdin.write(given)
        stdin.seek(0)
        try:
            process = subprocess.Popen(arguments, stdin=stdin, stdout=stdout, stderr=stderr, env=_environment())
        except OSError as error:
            raise LoaderError(f"{name} cannot be started: {error.strerror or error}.") from error
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise DocumentTimeoutError(f"{name} took longer than {seconds:g} seconds for one page.") from None
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if code:
            stderr.seek(0)
            reason = " ".join(stderr.read(_REASON_BYTES).decode("utf-8", "replace").split())
            raise LoaderError(f"{name} failed (exit {code}): {reason or 'it gave no reason'}.")
        if stdout.seek(0, os.SEEK_END) > most_bytes:
            raise LoaderError(f"{name} wrote more than {most_bytes} bytes for one page.")
        stdout.seek(0)
        return stdout.read()


def _environment() -> dict[str, str]:
    """What the program needs, and no keys or passwords. A page on each core is faster than one page on all of them."""
    return {**{name: os.environ[name] for name in _PASSED_ON if name in os.environ}, "OMP_THREAD_LIMIT": "1"}
