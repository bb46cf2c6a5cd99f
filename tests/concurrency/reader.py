"""A process that reads a shared store for a while and says what it found torn."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from time import monotonic

from concurrency.reading import read_at_random
from crash.documents import open_sage


async def main(folder: str, seed: int, numbers: list[int], seconds: float) -> None:
    random = Random(seed)
    sage = open_sage(Path(folder))
    torn: list[str] = []
    rounds = 0
    slowest = 0.0
    end = monotonic() + seconds
    while (began := monotonic()) < end:
        torn += await read_at_random(sage, random, numbers)
        slowest = max(slowest, monotonic() - began)
        rounds += 1
        if random.random() < 0.02:
            await sage.dispose()  # and open again, beside the others
    await sage.dispose()
    print(json.dumps({"torn": torn[:10], "rounds": rounds, "slowest": slowest}))


if __name__ == "__main__":
    folder, seed, numbers, seconds = json.loads(sys.stdin.readline())
    asyncio.run(main(folder, seed, numbers, seconds))
