"""Starting, ordering and killing the child."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent


class Child:
    """A child with everything imported, waiting for its orders."""

    def __init__(self) -> None:
        self._complaints = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed with the child)
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("child.py"))],
            env={**os.environ, "PYTHONPATH": str(TESTS)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
        )

    def order(self, **orders: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(orders, default=str) + "\n")
        self._process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next thing that the child says."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError(f"the child ended by itself: {self.errors}")
        said: dict[str, Any] = json.loads(line)
        return said

    def kill(self) -> list[dict[str, Any]]:
        """Ends the child at once; what it had said until then."""
        self._process.send_signal(signal.SIGKILL)
        return self.rest()

    def rest(self) -> list[dict[str, Any]]:
        """Waits for the child's end; what it has said since it was last read."""
        assert self._process.stdout is not None
        said = [json.loads(line) for line in self._process.stdout]
        self._process.wait()
        return said

    @property
    def was_killed(self) -> bool:
        return self._process.returncode == -signal.SIGKILL

    @property
    def errors(self) -> str:
        """What it has written to its standard error."""
        self._complaints.seek(0)
        return self._complaints.read()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._complaints):
            assert stream is not None
            with suppress(OSError):
                stream.close()


class Children:
    """Gives children, and keeps the next one warm: importing takes longer than dying."""

    def __init__(self) -> None:
        self._next = Child()
        self._given: list[Child] = []

    def take(self) -> Child:
        child, self._next = self._next, Child()
        self._given.append(child)
        return child

    def close(self) -> None:
        for child in (*self._given, self._next):
            child.close()
