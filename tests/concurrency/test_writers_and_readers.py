"""Two writing and four reading processes on one store: no torn read, no lost update, and everyone gets on."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from crash.checking import examine
from crash.documents import fill, open_sage

TESTS = Path(__file__).resolve().parent.parent
SECONDS = 10.0
DOCUMENTS = range(1, 101)
"""Enough chunks for both derived indexes to be used."""


def start(script: str, *orders: Any) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name(script))],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(orders) + "\n")
    process.stdin.flush()
    return process


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    try:
        said, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    result: dict[str, Any] = json.loads(said)
    return result


async def test_no_torn_reads_and_no_lost_updates(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    sage = open_sage(folder)
    await fill(sage, DOCUMENTS)
    await sage.dispose()

    shares = [[number for number in DOCUMENTS if number % 2 == turn] for turn in (0, 1)]
    writers = [start("writer.py", str(folder), seed, share, SECONDS) for seed, share in enumerate(shares)]
    readers = [start("reader.py", str(folder), seed, list(DOCUMENTS), SECONDS) for seed in range(4)]
    try:
        written = [await asyncio.to_thread(finish, writer) for writer in writers]
        read = [await asyncio.to_thread(finish, reader) for reader in readers]
    finally:
        for process in (*writers, *readers):
            process.kill()

    assert [torn for reader in read for torn in reader["torn"]] == []
    assert all(reader["rounds"] >= 5 for reader in read), read
    assert all(writer["commits"] >= 5 for writer in written), written
    latest = {number: {version} for writer in written for number, version in writer["versions"]}
    await examine(folder, latest)
