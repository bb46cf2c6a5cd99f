"""A reader that misbehaves as it is told: one word after the other of `<html>page hang`."""

from __future__ import annotations

import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from dalil.errors import MissingExtraError
from dalil.models import Page, RawSource
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.progress import page_looked_at
from dalil.parsing.reading import Reading

OUT_OF_REACH = os.path.join(os.path.expanduser("~"), "dalil-readers-may-not-touch-this")  # not among temporary files


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    words = data.decode().removeprefix("<html>").split()
    warnings: list[str] = []
    metadata = {"password": source.password}
    attachments = [RawSource("inner.txt", content=b"inner \xff"), RawSource("note.txt", content="note \ud800")]
    return Reading(pages(words, warnings), "A title \ud800", metadata, warnings, attachments)


def pages(words: list[str], warnings: list[str]) -> Iterator[Page]:
    number = 0
    for word in words:
        if word == "page":
            number += 1
            warnings.append(f"page {number} was made")
            yield Page(number, f"text of page {number} by {os.getpid()}")
        elif word == "large":
            number += 1
            yield Page(number, "large " * 200_000)
        elif word == "look":
            time.sleep(0.4)
            page_looked_at(40)
        elif word == "environment":
            number += 1
            told = {"environ": dict(os.environ), "argv": sys.orig_argv, "cwd": os.getcwd()}
            yield Page(number, json.dumps(told))
        else:
            DEEDS[word]()


def spin() -> None:
    """Holds on to the interpreter: no other thread of Python runs."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def fill() -> None:
    kept = bytearray()
    while True:
        kept += b"x" * 10_000_000


def abort_full() -> None:
    """As a C library does that gets no more memory."""
    kept = []
    try:
        while True:
            kept.append(bytearray(b"x") * 10_000_000)
    except MemoryError:
        time.sleep(0.5)
        os.abort()


def leak() -> None:
    """Keeps memory, within what it may have."""
    LEAKED.append(bytearray(b"x") * 300_000_000)


def write() -> None:
    with open(OUT_OF_REACH, "w") as file:
        file.write("x")


def temporary() -> None:
    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
        file.write(b"x")
        with open(os.path.join(folder, "y"), "w") as other:
            other.write("y")


def babble() -> None:
    print("on standard output")
    print("on standard error", file=sys.stderr)
    os.write(1, b"past Python")
    os.write(2, b"past Python")


def lack() -> None:
    raise MissingExtraError("A part", "pip install part")


LEAKED: list[bytearray] = []
DEEDS = {
    "hang": lambda: time.sleep(1000),
    "spin": spin,
    "crash": lambda: ctypes.string_at(0),
    "abort": os.abort,
    "exit": lambda: os._exit(3),
    "stop": lambda: os.kill(os.getpid(), signal.SIGTERM),
    "fill": fill,
    "abort_full": abort_full,
    "leak": leak,
    "divide": lambda: 1 / 0,
    "recurse": lambda: (lambda f: f(f))(lambda f: f(f)),
    "connect": lambda: socket.create_connection(("127.0.0.1", 9), timeout=1),
    "resolve": lambda: socket.getaddrinfo("localhost", 80),
    "run": lambda: subprocess.run(["true"]),
    "fork": os.fork,
    "write": write,
    "remove": lambda: os.remove(OUT_OF_REACH),
    "temporary": temporary,
    "babble": babble,
    "lack": lack,
}
