"""Several processes on one store: writers take turns, readers are never held up, nothing is lost."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from contract.engines import SCOPE

from .conftest import Open

TESTS = Path(__file__).resolve().parent.parent

WRITER = """
import asyncio, sys
from pathlib import Path
from contract.engines import new_engine

async def main():
    engine = new_engine("sqlite", Path(sys.argv[1]))
    for n in range(int(sys.argv[3])):
        await engine.add(f"{sys.argv[2]}{n}.txt", *(f"tea {sys.argv[2]} {n} {m}" for m in range(20)))
    await engine.database.dispose()

asyncio.run(main())
"""
HOLDER = """
import asyncio, sys
from pathlib import Path
from contract.engines import new_engine

async def main():
    engine = new_engine("sqlite", Path(sys.argv[1]))
    async with engine.session() as stores:
        await stores.add("held.txt", "tea held back")
        print("writing", flush=True)
        sys.stdin.readline()
    await engine.database.dispose()

asyncio.run(main())
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], message: str = "") -> None:
    _, errors = process.communicate(message, timeout=60)
    assert process.returncode == 0, errors


async def test_processes_that_fill_a_new_store_at_once_lose_nothing(open_store: Open, tmp_path: Path) -> None:
    writers = [start(WRITER, tmp_path / "store", name, 12) for name in "abcd"]
    for writer in writers:
        await asyncio.to_thread(finish, writer)
    engine = open_store()
    assert await engine.sources() == sorted(f"{name}{n}.txt" for name in "abcd" for n in range(12))
    assert len(await engine.by_words("tea", k=2000)) == len(await engine.by_vector("tea", k=2000)) == 4 * 12 * 20
    for name in "abcd":
        assert [place[0] for place in await engine.by_words(f"{name} 11 19", k=1)] == [f"{name}11.txt"]
        assert [place[:2] for place in await engine.by_vector(f"tea {name} 5 7", k=1)] == [(f"{name}5.txt", 7)]


async def test_a_second_writer_waits_and_a_reader_does_not(open_store: Open, tmp_path: Path) -> None:
    engine = open_store()
    await engine.add("first.txt", "tea first")
    holder = start(HOLDER, tmp_path / "store")
    assert holder.stdout is not None
    assert (await asyncio.to_thread(holder.stdout.readline)).strip() == "writing"
    assert await asyncio.wait_for(engine.sources(), 5) == ["first.txt"]
    assert len(await asyncio.wait_for(engine.by_words("tea"), 5)) == 1
    waiting = asyncio.create_task(engine.add("second.txt", "tea second"))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await asyncio.to_thread(finish, holder, "go on\n")
    await asyncio.wait_for(waiting, 30)
    assert await engine.sources() == ["first.txt", "held.txt", "second.txt"]
    assert len(await engine.by_words("tea")) == len(await engine.by_vector("tea")) == 3


async def test_a_killed_writer_leaves_the_store_as_it_was(open_store: Open, tmp_path: Path) -> None:
    engine = open_store()
    await engine.add("first.txt", "tea first")
    holder = start(HOLDER, tmp_path / "store")
    assert holder.stdout is not None
    await asyncio.to_thread(holder.stdout.readline)
    holder.kill()
    await asyncio.to_thread(holder.communicate)
    await asyncio.wait_for(engine.add("second.txt", "tea second"), 30)
    assert await engine.sources() == ["first.txt", "second.txt"]
    assert len(await engine.by_words("tea")) == 2


async def test_a_reader_hears_of_what_another_process_wrote(open_store: Open, tmp_path: Path) -> None:
    engine = open_store()
    await engine.add("first.txt", *(f"tea first {n}" for n in range(600)))
    assert len(await engine.by_vector("tea", k=900)) == 600
    await asyncio.to_thread(finish, start(WRITER, tmp_path / "store", "x", 40))
    assert [place[:2] for place in await engine.by_vector("tea x 39 19", k=1)] == [("x39.txt", 19)]
    assert {place[0] for place in await engine.by_words("x 39", k=20)} == {"x39.txt"}
    async with engine.session(read_only=True) as stores:
        assert len(await stores.words.search(SCOPE, "tea", k=2000)) == 600 + 800
