"""Workers are started when needed, used again, replaced when in doubt, and leave nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes import eventually, is_alive, is_there

from dalil.errors import LoaderError
from dalil.models import RawSource
from dalil.parsing import HeuristicBackend, ParsingLimits
from dalil.parsing.worker.isolated import read_isolated
from dalil.parsing.worker.pool import WorkerPool

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="these tests look into /proc")


def read(pool: WorkerPool, text: str = "text") -> str:
    return read_isolated(text.encode(), RawSource("a.txt", content=b"x"), ParsingLimits(), pool=pool).pages[0].text


def pids(pool: WorkerPool) -> list[int]:
    return [worker.pid for worker in pool.workers()]


def test_the_next_document_gets_the_same_worker(pool):
    assert pids(pool) == []
    read(pool)
    first = pids(pool)
    read(pool)
    assert pids(pool) == first
    assert len(first) == 1


def test_threads_share_two_workers(pool):
    with ThreadPoolExecutor(8) as threads:
        texts = list(threads.map(lambda number: read(pool, f"text {number}"), range(60)))
    assert texts == [f"text {number}" for number in range(60)]
    assert 1 <= len(pids(pool)) <= 2


def test_two_event_loops_share_them_too(pool):
    async def several() -> list[str]:
        return await asyncio.gather(*(asyncio.to_thread(read, pool, f"text {number}") for number in range(10)))

    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(asyncio.run, several()) for _ in range(2)]:
            assert done.result() == [f"text {number}" for number in range(10)]
    assert len(pids(pool)) <= 2


def test_one_that_crashes_leaves_the_other_alone(pool, strange):
    with ThreadPoolExecutor(2) as threads:
        lasting = threads.submit(strange, "look look page")
        assert eventually(lambda: len(pids(pool)) == 1)
        with pytest.raises(LoaderError):
            strange("crash")
        assert len(lasting.result().pages) == 1


def test_a_worker_ends_when_it_was_idle():
    others = set(threading.enumerate())
    pool = WorkerPool(idle_seconds=0.2)
    read(pool)
    (pid,) = pids(pool)
    assert eventually(lambda: not is_there(pid))
    assert pids(pool) == []
    assert eventually(lambda: set(threading.enumerate()) <= others)
    assert read(pool) == "text"
    pool.close()


def test_a_worker_is_replaced_after_a_hundred_documents(pool):
    read(pool)
    first = pids(pool)
    for _ in range(99):
        read(pool)
    read(pool)
    assert pids(pool) != first
    assert eventually(lambda: not is_there(first[0]))


def test_a_worker_is_replaced_after_damage_but_not_after_a_refusal(pool):
    read(pool)
    first = pids(pool)
    with pytest.raises(LoaderError):
        read_isolated(b"\x1f\x8b" + bytes(50), RawSource("a", content=b""), ParsingLimits(), pool=pool)
    assert pids(pool) == first
    with pytest.raises(LoaderError):
        read_isolated(b"%PDF-1.7\n", RawSource("a.pdf", content=b""), ParsingLimits(), pool=pool)
    read(pool)
    assert pids(pool) != first


def test_a_worker_that_has_grown_is_replaced(pool, strange):
    strange("page")
    first = pids(pool)
    assert len(strange("page leak").pages) == 1
    strange("page")
    assert pids(pool) != first


def test_one_killed_while_it_was_idle_is_not_missed(pool):
    read(pool)
    (first,) = pids(pool)
    os.kill(first, signal.SIGKILL)
    assert read(pool) == "text"
    assert pids(pool) != [first]
    assert not is_there(first)


def test_one_killed_while_it_reads_its_first_document_costs_that(pool, strange):
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(strange, "page hang")
        assert eventually(lambda: [worker.served for worker in pool.workers()] == [1])
        (pid,) = pids(pool)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(LoaderError, match=r"stopped from outside .SIGKILL."):
            reading.result(timeout=5)
    assert not is_there(pid)


def test_what_fails_in_a_used_worker_is_tried_in_a_fresh_one(pool, strange):
    strange("page")
    (first,) = pids(pool)
    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(strange, "look look look page")
        assert eventually(lambda: [worker.served for worker in pool.workers()] == [2])
        os.kill(first, signal.SIGKILL)
        assert len(reading.result(timeout=20).pages) == 1
    assert pids(pool) != [first]


def test_a_failing_start_says_why(pool, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(LoaderError, match=r"could not be started.*isolated=False"):
        read(pool)
    monkeypatch.undo()
    assert read(pool) == "text"


def test_a_worker_that_cannot_import_says_why(pool, monkeypatch, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['dalil'] = None\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(LoaderError, match="dalil"):
        read(pool)
    assert pids(pool) == []


def run(script: str, **more: object) -> subprocess.CompletedProcess[str]:
    """A program of its own, without a `__main__` guard."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=60,
        **more,
    )


PROGRAM = """
    import os, sys, time
    from dalil import RawSource
    from dalil.parsing import HeuristicBackend
    from dalil.parsing.worker.pool import shared_pool
    backend = HeuristicBackend()
    def parsed():
        return backend.parse(RawSource("a.html", content="<html><body><p>text</p></body></html>")).pages[0].text
    print(parsed(), shared_pool().workers()[0].pid, flush=True)
"""


def test_a_program_ends_at_once_and_takes_its_workers_with_it():
    start = time.monotonic()
    done = run(PROGRAM)
    assert (done.returncode, done.stderr) == (0, "")
    text, pid = done.stdout.split()
    assert text == "text"
    assert not is_there(int(pid))
    assert time.monotonic() - start < 10


def test_a_forked_process_has_workers_of_its_own():
    done = run(
        PROGRAM
        + """
    mine = shared_pool().workers()[0].pid
    child = os.fork()
    if child == 0:
        print(parsed(), shared_pool().workers()[0].pid, flush=True)
        sys.exit(0)
    print(os.waitpid(child, 0)[1], parsed(), shared_pool().workers()[0].pid == mine)
    """
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, second, last = done.stdout.splitlines()
    assert second.startswith("text ")
    assert first != second
    assert last == "0 text True"
    assert not is_there(int(second.split()[1]))


@pytest.mark.parametrize("way", ["idle", "hang", "spin"])
def test_a_killed_program_leaves_no_worker_behind(way):
    strange = str(Path(__file__).with_name("strange"))
    script = f"""
    import sys, threading, time
    sys.path.insert(0, {strange!r})
    from dalil import RawSource
    from dalil.parsing import HeuristicBackend, ParsingLimits
    from dalil.parsing.worker.pool import shared_pool
    backend = HeuristicBackend(ParsingLimits(stall_seconds=1))
    backend.parse(RawSource("a.html", content="<html>page"))
    pid = shared_pool().workers()[0].pid
    if {way!r} != "idle":
        threading.Thread(target=backend.parse, args=[RawSource("a.html", content="<html>{way}")], daemon=True).start()
        time.sleep(0.3)
    print(pid, flush=True)
    time.sleep(100)
    """
    program = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True)
    with program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        assert is_alive(pid)
        program.kill()
    assert eventually(lambda: not is_alive(pid), 12)


def test_an_interrupt_at_the_terminal_ends_program_and_worker():
    strange = str(Path(__file__).with_name("strange"))
    script = f"""
    import sys
    sys.path.insert(0, {strange!r})
    from dalil import RawSource
    from dalil.parsing import HeuristicBackend
    print("go", flush=True)
    HeuristicBackend().parse(RawSource("a.html", content="<html>spin"))
    """
    program = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with program:
        assert program.stdout is not None
        program.stdout.readline()
        time.sleep(1)
        start = time.monotonic()
        os.killpg(program.pid, signal.SIGINT)
        program.wait(timeout=8)
        assert time.monotonic() - start < 5
    assert eventually(lambda: not _group(program.pid))


def _group(number: int) -> list[str]:
    """The living processes of a process group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[2] == str(number) and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def test_backends_use_the_pool_of_their_process(pool):
    HeuristicBackend().parse(RawSource("a.html", content="<html><body>text</body></html>"))
    assert len(pids(pool)) == 1
    HeuristicBackend(isolated=False).parse(RawSource("a.html", content="<html><body>text</body></html>"))
    assert pool.workers()[0].served == 1
