"""A process that replaces documents of a shared store for a while, then says what it wrote last."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from time import monotonic

from crash.documents import open_sage, scope_of, source_of
from dalil.ingestion import IngestStatus


async def main(folder: str, seed: int, numbers: list[int], seconds: float) -> None:
    """Only this process writes `numbers`, so each of its writes must replace the one before it."""
    random = Random(seed)
    sage = open_sage(Path(folder))
    versions = dict.fromkeys(numbers, 1)
    commits = 0
    end = monotonic() + seconds
    while monotonic() < end:
        for scope in {scope_of(number) for number in numbers}:
            chosen = random.sample([number for number in numbers if scope_of(number) == scope], random.randint(1, 4))
            for number in chosen:
                versions[number] += 1
            results = sage.ingest_many([source_of(number, versions[number]) for number in chosen], scope)
            async for result in results:
                assert result.status is IngestStatus.REPLACED, result
            commits += 1
        await asyncio.sleep(random.uniform(0.0, 0.01))
    await sage.dispose()
    print(json.dumps({"versions": list(versions.items()), "commits": commits}))


if __name__ == "__main__":
    folder, seed, numbers, seconds = json.loads(sys.stdin.readline())
    asyncio.run(main(folder, seed, numbers, seconds))
