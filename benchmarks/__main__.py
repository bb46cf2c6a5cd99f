"""A short form of every benchmark: `make bench`, or `python -m benchmarks`. Minutes, not hours.

The whole forms are `python -m benchmarks.NAME` with NAME one of retrieval, answers, refusal, spans, ingest, query,
local, expansion, chunking, followups, parsing, postgres.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from benchmarks import answers, expansion, ingest, local, query, refusal, retrieval, spans


async def _show(name: str, rows: Awaitable[list[dict[str, Any]]]) -> None:
    print(f"\n{name}")
    for row in await rows:
        print("  " + "  ".join(f"{key} {value}" for key, value in row.items()), flush=True)


async def run() -> None:
    """The fast profile throughout, and the accurate one on the questions of XQuAD."""
    await _show("retrieval, xquad, accurate", retrieval.run("xquad-en-ar", "accurate", 200))
    await _show("retrieval, arcd, fast", retrieval.run("arcd", "fast", 200))
    await _show("answers, accurate", answers.run("accurate", 100))
    await _show("refusal, fast", refusal.run("fast", 100))
    await _show("spans, fast", spans.run("fast", 5, limit=100))
    await _show("the friendly face, fast", asyncio.to_thread(local.run, "arcd", "fast", 100))
    await _show("query expansion, fast", expansion.run("arcd", "fast", 100))
    await _show("ingest", ingest.run(500, 200, 2))
    await _show("query", query.run([10_000], 40))


if __name__ == "__main__":
    asyncio.run(run())
