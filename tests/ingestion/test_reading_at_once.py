"""Two documents are read at the same time, no more, and their results keep their order."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

from dalil import RawSource
from dalil.assembly import ComputeKit
from dalil.fakes import FakeDocumentParser, FakeLLMClient
from dalil.models import ParsedDocument
from dalil.sage import RagSage

from .conftest import SCOPE, CountingEmbedder


class Counting(FakeDocumentParser):
    """Counts how many documents are parsed at one moment; early ones take longest."""

    def __init__(self) -> None:
        self.now = self.most = self.begun = 0
        self._lock = threading.Lock()

    def parse(self, source: RawSource) -> ParsedDocument:
        with self._lock:
            self.now += 1
            self.begun += 1
            self.most = max(self.most, self.now)
        time.sleep(0.05 if int(source.name) % 2 == 0 else 0.01)
        with self._lock:
            self.now -= 1
        return super().parse(source)


async def test_two_at_once_in_order(tmp_path: Path, embedder: CountingEmbedder) -> None:
    parser = Counting()
    made = RagSage.open(tmp_path / "store", embedder=embedder)
    kit = replace(ComputeKit.local(embedder, FakeLLMClient()), parser=parser)
    async with RagSage(database=made.database, compute=kit, stores=made._stores) as sage:
        many = [RawSource(str(number), content=f"Lamp number {number}.") for number in range(20)]
        results = [result.source async for result in sage.ingest_many(many, SCOPE)]
    assert results == [str(number) for number in range(20)]
    assert parser.most == 2


async def test_who_leaves_stops_the_reading(tmp_path: Path, embedder: CountingEmbedder) -> None:
    parser = Counting()
    made = RagSage.open(tmp_path / "store", embedder=embedder)
    kit = replace(ComputeKit.local(embedder, FakeLLMClient()), parser=parser)
    async with RagSage(database=made.database, compute=kit, stores=made._stores) as sage:
        results = sage.ingest_many((RawSource(str(number), content=f"Lamp {number}.") for number in range(500)), SCOPE)
        async for _ in results:
            break
        await results.aclose()
        begun = parser.begun
        time.sleep(0.2)  # noqa: ASYNC251
        assert parser.begun == begun
    assert begun < 30
