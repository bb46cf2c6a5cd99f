"""Where turbovec has no wheel, numpy looks through the vectors and finds the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent

SCRIPT = """
import asyncio, json, sys
if sys.argv[2] == "numpy":
    sys.modules["turbovec"] = None  # importing it fails
from contract.engines import SCOPE, new_engine
from pathlib import Path

async def main():
    engine = new_engine("sqlite", Path(sys.argv[1]))
    if sys.argv[3] == "fill":
        async with engine.session() as stores:
            for n in range(120):
                await stores.add(f"{n:03}.txt", *(f"text {n} {m}" for m in range(20)), shop=n % 3)
            await stores.documents.delete(SCOPE, (await stores.documents.list(SCOPE))[7].id)
    found = []
    for query in ("one", "two", "three"):
        for scope in (SCOPE, SCOPE.with_filters(shop=[0, 2])):
            found.append(await engine.by_vector(query, scope))
    async with engine.session() as stores:
        await stores.add("050.txt", *(f"one {n}" for n in range(5)))
    found.append(await engine.by_vector("one 3"))
    kind = type(engine.database.vectors._scan).__name__
    await engine.database.dispose()
    print(json.dumps([kind, found]))

asyncio.run(main())
"""


def answers(folder: Path, scan: str, what: str) -> tuple[str, list[object]]:
    """What a process of its own finds with this scan, and which scan it used."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), scan, what],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    kind, found = json.loads(done.stdout)
    return kind, found


def test_numpy_finds_what_turbovec_finds(tmp_path: Path) -> None:
    pytest.importorskip("turbovec")
    quick = answers(tmp_path / "turbovec", "turbovec", "fill")
    plain = answers(tmp_path / "numpy", "numpy", "fill")
    assert (quick[0], plain[0]) == ("TurbovecScan", "NumpyScan")
    assert plain[1] == quick[1]


def test_a_store_may_move_between_the_two(tmp_path: Path) -> None:
    pytest.importorskip("turbovec")
    filled = answers(tmp_path, "turbovec", "fill")
    assert [*tmp_path.glob("vectors-*.index")]
    again = answers(tmp_path, "turbovec", "ask")
    plain = answers(tmp_path, "numpy", "ask")
    assert plain[0] == "NumpyScan"
    assert plain[1] == again[1]
    assert plain[1][-1] == filled[1][-1]
