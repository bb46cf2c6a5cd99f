"""Synchronous code waits for asynchronous work on one lasting loop."""

from __future__ import annotations

import asyncio
import contextvars
import os
import subprocess
import sys
import threading

import pytest

from dalil.errors import RAGError
from dalil.rag.loop import BackgroundLoop, run_blocking, settled


async def where() -> tuple[asyncio.AbstractEventLoop, int]:
    await asyncio.sleep(0)
    return asyncio.get_running_loop(), threading.get_ident()


def test_one_lasting_loop_in_another_thread():
    first, second = run_blocking(where()), run_blocking(where())
    assert first == second
    assert first[1] != threading.get_ident()


async def test_it_works_inside_a_running_loop():
    loop, thread = run_blocking(where())
    assert loop is not asyncio.get_running_loop()
    assert thread != threading.get_ident()


def test_any_awaitable_can_be_run():
    class Awaitable:
        def __await__(self):
            return where().__await__()

    assert run_blocking(Awaitable()) == run_blocking(where())


def test_errors_come_through():
    async def failing() -> None:
        raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        run_blocking(failing())


def test_context_variables_come_along():
    variable = contextvars.ContextVar("variable", default="unset")
    variable.set("mine")

    async def read() -> str:
        return variable.get()

    assert run_blocking(read()) == "mine"


def test_waiting_for_itself_is_an_error_and_no_deadlock():
    async def nested() -> None:
        run_blocking(where())

    with pytest.raises(RAGError, match="wait for itself"):
        run_blocking(nested())


async def test_asynchronous_callers_wait_without_blocking_their_loop():
    background = BackgroundLoop("test")
    moved = threading.Event()

    async def wait() -> asyncio.AbstractEventLoop:
        await asyncio.to_thread(moved.wait, 10)
        return asyncio.get_running_loop()

    async def move() -> None:
        moved.set()

    loop, _ = await asyncio.gather(background.arun(wait()), move())
    assert loop is not asyncio.get_running_loop()
    assert loop is background.run(where())[0]


def test_loops_are_apart():
    assert BackgroundLoop("test").run(where())[0] is not run_blocking(where())[0]


def test_what_is_no_awaitable_is_settled_as_it_is():
    assert settled("text") == "text"
    assert settled(None) is None
    assert settled(where()) == run_blocking(where())


def test_no_thread_is_started_before_it_is_needed():
    script = "import threading, dalil.rag.system; print([t.name for t in threading.enumerate()])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.strip() == "['MainThread']"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_starts_its_own():
    script = (
        "import asyncio, os, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "from dalil.rag.loop import run_blocking\n"
        "async def one(): return 1\n"
        "run_blocking(one())\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(run_blocking(one()) + 6)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert run.stdout.strip() == "7"


def test_importing_the_room_loads_nothing():
    script = "import sys, dalil.rag; print([name for name in sys.modules if name.startswith('dalil.rag.')])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.strip() == "[]"
