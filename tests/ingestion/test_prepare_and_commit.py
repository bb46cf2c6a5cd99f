"""Preparing takes long and writes nothing; committing is short and looks again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Any

from dalil import RawSource
from dalil.errors import DalilError
from dalil.fakes import FakeDocumentParser, FakeEngineKit, FakeTracer
from dalil.ingestion import IngestionPipeline, IngestStatus, ingest_many
from dalil.ingestion.prepared import IngestionResult, PreparedDocument
from dalil.models import PageRoute, ParsedDocument

from .conftest import SCOPE, CountingEmbedder

LAMP = RawSource("a.txt", content="The lamp is green.")
CHAIR = RawSource("a.txt", content="The chair is red.")


def pipeline_of(kit: FakeEngineKit) -> IngestionPipeline:
    return IngestionPipeline(
        parser=kit.parser,
        classifier=kit.classifier,
        chunker=kit.chunker,
        contextualizer=kit.contextualizer,
        embedder=kit.embedder,
        vector_store=kit.vector_store,
        lexical_store=kit.lexical_store,
        document_store=kit.document_store,
        llm=kit.llm,
        cache=kit.cache,
        tracer=kit.tracer,
    )


async def stored(kit: FakeEngineKit) -> list[str]:
    return [document.source for document in await kit.document_store.list(SCOPE)]


async def test_preparing_writes_nothing() -> None:
    kit = FakeEngineKit()
    pipeline = pipeline_of(kit)
    prepared = await pipeline.prepare(LAMP, SCOPE)
    assert await stored(kit) == []
    assert len(prepared.vectors) == len(prepared.draft.chunks) == 1
    result = await pipeline.commit(prepared, SCOPE)
    assert (result.status, result.chunk_count) == (IngestStatus.ADDED, 1)
    assert await stored(kit) == ["a.txt"]


async def test_what_another_writer_stored_meanwhile_is_unchanged() -> None:
    kit = FakeEngineKit()
    pipeline = pipeline_of(kit)
    prepared = await pipeline.prepare(LAMP, SCOPE)
    await pipeline.ingest(LAMP, SCOPE)
    result = await pipeline.commit(prepared, SCOPE)
    assert (result.status, result.deduplicated, result.chunk_count) == (IngestStatus.UNCHANGED, True, 0)


async def test_other_content_that_came_meanwhile_is_replaced() -> None:
    kit = FakeEngineKit()
    pipeline = pipeline_of(kit)
    prepared = await pipeline.prepare(LAMP, SCOPE)
    await pipeline.ingest(CHAIR, SCOPE)
    assert (await pipeline.commit(prepared, SCOPE)).status is IngestStatus.REPLACED
    assert await stored(kit) == ["a.txt"]
    assert [found.chunk.text for found in await kit.lexical_store.search(SCOPE, "lamp chair", k=9)] == [LAMP.content]


async def test_a_document_that_went_away_meanwhile_is_never_called_unchanged() -> None:
    kit = FakeEngineKit()
    pipeline = pipeline_of(kit)
    added = await pipeline.ingest(LAMP, SCOPE)
    prepared = await pipeline.prepare(LAMP, SCOPE)
    await kit.document_store.delete(SCOPE, added.document.id)
    with suppress(DalilError):  # saying that it failed is honest too
        result = await pipeline.commit(prepared, SCOPE)
        assert result.status is IngestStatus.FAILED or await stored(kit) == ["a.txt"]


async def test_every_step_is_traced() -> None:
    kit = FakeEngineKit()
    pipeline = pipeline_of(kit)
    await pipeline.ingest(LAMP, SCOPE)
    await pipeline.ingest(LAMP, SCOPE)
    assert isinstance(kit.tracer, FakeTracer)
    assert kit.tracer.names() == ["parsed", "page_routed", "chunked", "contextualized", "stored", "deduplicated"]


async def test_pages_without_text_are_seen_and_counted() -> None:
    kit = FakeEngineKit()
    result = await pipeline_of(kit).ingest(RawSource("scan.png", content=b"The lamp is green."), SCOPE)
    assert result.route_counts == {PageRoute.TEXT: 0, PageRoute.VISION: 1}
    assert [found.chunk.text for found in await kit.lexical_store.search(SCOPE, "lamp", k=9)] == ["The lamp is green."]


class BrokenCache:
    async def get(self, key: str) -> Any:
        raise ConnectionError("no cache today")

    async def set(self, key: str, value: Any) -> None:
        raise ConnectionError("no cache today")


async def test_a_broken_cache_is_only_a_slow_path() -> None:
    kit = FakeEngineKit(cache=BrokenCache())
    pipeline = pipeline_of(kit)
    assert (await pipeline.ingest(LAMP, SCOPE)).status is IngestStatus.ADDED
    assert (await pipeline.ingest(CHAIR, SCOPE)).status is IngestStatus.REPLACED
    assert isinstance(kit.tracer, FakeTracer)
    assert kit.tracer.names().count("parsed") == 2


async def test_what_a_cache_knows_is_not_parsed_again() -> None:
    kit = FakeEngineKit()
    pipeline = pipeline_of(kit)
    await pipeline.ingest(LAMP, SCOPE)
    await pipeline.ingest(CHAIR, SCOPE)
    await pipeline.ingest(LAMP, SCOPE)
    assert isinstance(kit.tracer, FakeTracer)
    assert kit.tracer.names().count("parsed") == 2


class SlowParser(FakeDocumentParser):
    def parse(self, source: RawSource) -> ParsedDocument:
        time.sleep(0.1)
        return super().parse(source)


async def ticks() -> AsyncIterator[float]:
    """How long the event loop kept us waiting, again and again."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        yield time.perf_counter() - before


async def test_a_parser_that_blocks_does_not_block_the_loop() -> None:
    gaps: list[float] = []

    async def listen() -> None:
        async for gap in ticks():
            gaps.append(gap)

    pipeline = pipeline_of(FakeEngineKit(parser=SlowParser(), embedder=CountingEmbedder()))

    async def commit(prepared: Sequence[PreparedDocument]) -> Sequence[IngestionResult]:
        return [await pipeline.commit(document, SCOPE) for document in prepared]

    for _ in range(3):  # a busy machine gets a second chance
        gaps.clear()
        ticker = asyncio.create_task(listen())
        documents = [RawSource(f"{number}.txt", content=f"Lamp {number}") for number in range(10)]
        results = [result async for result in ingest_many(documents, SCOPE, pipeline=pipeline, commit=commit)]
        ticker.cancel()
        assert len(results) == 10
        if max(gaps) < 0.05:
            break
    assert max(gaps) < 0.05
    assert len(gaps) > 50
