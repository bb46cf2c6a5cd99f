"""What an error means to whoever typed the command: one line, and an exit code."""

from __future__ import annotations

import os
import sys

from dalil.errors import ConfigurationError, DalilError, DocumentError, EmbeddingError, LLMError, StoreError

DONE = 0
SOME_FAILED = 1
USAGE = 2
STORE = 3
PROVIDER = 4
INTERRUPTED = 130

_CODES: tuple[tuple[type[Exception], int], ...] = (
    (ConfigurationError, USAGE),
    (StoreError, STORE),
    (EmbeddingError, STORE),
    (LLMError, PROVIDER),
    (DocumentError, SOME_FAILED),
)


def exit_code(error: Exception) -> int:
    """The exit code of an error that ended the command."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    return STORE


def explain(error: Exception) -> str:
    """One line for people, with the stable code for those who search for it."""
    if isinstance(error, DalilError):
        return f"{printable(' '.join(str(error).split()))} [{error.code}]"
    return f"something unexpected failed: {type(error).__name__}: {printable(' '.join(str(error).split()))}"


def printable(name: str) -> str:
    """A name on one line, with nothing in it that a terminal would obey: control characters as escapes."""
    return "".join(
        char if char.isprintable() or not (char < " " or "\x7f" <= char <= "\x9f") else f"\\x{ord(char):02x}"
        for char in name
    )


def silence_stdout() -> None:
    """Let what is still to be printed go nowhere: whoever read it has left."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
