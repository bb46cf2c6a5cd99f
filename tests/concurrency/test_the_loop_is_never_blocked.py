"""Beside every asynchronous call, other tasks of the program go on: with slow parts, and with large inputs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from crash.documents import CONFIG, HashingEmbedder
from dalil import IngestionConfig, RawSource, Scope
from dalil.answering.extractive import ExtractiveAnswerer
from dalil.chunking import StructureChunker
from dalil.ingestion import HeadingWindowContextualizer
from dalil.models import Chunk, Document, Page, PageImage, PageRoute, ParsedDocument, ScoredChunk, Turn, Vector
from dalil.parsing import HeuristicBackend
from dalil.ports import Embedder
from dalil.sage import ComputeKit, RagSage, StoreKit
from dalil.stores.sqlite import SqliteDatabase

from .watchdog import assert_loop_stays_free, worst_gap

SCOPE = Scope("watched")
SLEEP = 0.2
QUESTION = "Where does lamp 7 stand?"


class BlockingParser:
    """Reads like the default one, and blocks its thread."""

    def parse(self, source: RawSource) -> ParsedDocument:
        time.sleep(SLEEP)
        return HeuristicBackend().parse(source)


class BlockingClassifier:
    def classify(self, page: Page) -> PageRoute:
        time.sleep(SLEEP)
        return PageRoute.TEXT


class BusyChunker:
    """Cuts like the default one, and counts for a while in pure Python."""

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        end = time.perf_counter() + SLEEP
        while time.perf_counter() < end:
            sum(range(1000))
        return StructureChunker().chunk(document, pages, size=size, overlap=overlap)


class ThreadedEmbedder(HashingEmbedder):
    """Blocks a thread of its own, as local models do."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await asyncio.to_thread(self._slowly, super().embed, texts)

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await asyncio.to_thread(self._slowly, super().embed_sentences, texts)

    def _slowly(self, embed: Any, texts: Sequence[str]) -> Sequence[Vector]:
        time.sleep(SLEEP)
        vectors: Sequence[Vector] = asyncio.run(embed(texts))
        return vectors


def an_engine(folder: Path, embedder: Embedder, ingestion: IngestionConfig = CONFIG, **parts: Any) -> RagSage:
    kit = replace(ComputeKit.local(embedder, ExtractiveAnswerer()), **parts)
    return RagSage(database=SqliteDatabase(folder), compute=kit, stores=StoreKit.sqlite(), ingestion=ingestion)


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[RagSage]:
    """An engine of slow parts, with one document."""
    sage = an_engine(
        tmp_path / "store",
        ThreadedEmbedder(),
        parser=BlockingParser(),
        classifier=BlockingClassifier(),
        chunker=BusyChunker(),
    )
    async with an_engine(tmp_path / "store", HashingEmbedder()) as quick:
        await quick.ingest(RawSource("lamps.txt", content=lamps(10)), SCOPE)
    yield sage
    await sage.dispose()


def lamps(number: int) -> str:
    return " ".join(f"Lamp {n} stands in room {n * 7 % 101} beside the window of house {n}." for n in range(number))


_numbers = count()


def fresh(lines: int = 3) -> RawSource:
    """A document that is not in the store yet."""
    number = next(_numbers)
    return RawSource(f"new{number}.txt", content=f"Chair {number} is new. {lamps(lines)}")


async def drain(items: Any) -> None:
    async for _ in items:
        pass


CALLS: dict[str, Callable[[RagSage], Awaitable[Any]]] = {
    "ingest": lambda sage: sage.ingest(fresh(), SCOPE),
    "ingest_many": lambda sage: drain(sage.ingest_many([fresh(), fresh()], SCOPE)),
    "query": lambda sage: sage.query(QUESTION, SCOPE, history=[Turn("Which lamps?", "All.")]),
    "stream": lambda sage: drain(sage.stream(QUESTION, SCOPE)),
    "search": lambda sage: sage.search(QUESTION, SCOPE),
    "search by words": lambda sage: sage.search(QUESTION, SCOPE, mode="words"),
    "documents": lambda sage: sage.documents(SCOPE),
    "records": lambda sage: sage.records(SCOPE),
    "pages": lambda sage: sage.pages(SCOPE, "0123456789abcdef"),
    "status": lambda sage: sage.status(),
    "delete_document": lambda sage: sage.delete_document(SCOPE, "0123456789abcdef"),
    "purge": lambda sage: sage.purge(Scope("another")),
    "migrate": lambda sage: sage.migrate(),
    "dispose": lambda sage: sage.dispose(),
}


@pytest.mark.parametrize("call", CALLS)
async def test_slow_parts(call: str, slow: RagSage) -> None:
    await assert_loop_stays_free(lambda: CALLS[call](slow))


async def test_the_watchdog_barks() -> None:
    async def block() -> None:
        time.sleep(SLEEP)  # noqa: ASYNC251

    assert await worst_gap(block) > SLEEP / 2


async def test_disposing_while_another_process_writes(slow: RagSage, tmp_path: Path) -> None:
    """The writer that still waits is waited for, but not on the loop."""
    import sqlite3

    other = sqlite3.connect(tmp_path / "store" / "dalil.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def dispose() -> None:
        writing = asyncio.create_task(slow.delete_document(SCOPE, "0123456789abcdef"))
        await asyncio.sleep(0.05)
        asyncio.get_running_loop().call_later(SLEEP, other.execute, "ROLLBACK")
        await slow.dispose()
        await writing

    gap = await worst_gap(dispose)
    other.close()
    assert gap < SLEEP / 2


# --- large inputs ----------------------------------------------------------------------------------------------

LARGE = 52_000  # lamps in three million bytes


@pytest.fixture(scope="module")
def large() -> str:
    lines = lamps(LARGE).split(". ")
    text = ".\n\n".join(". ".join(lines[start : start + 8]) for start in range(0, len(lines), 8))
    assert len(text) > 2_500_000
    return text


class QuickEmbedder(HashingEmbedder):
    """Costs next to nothing, and nothing on the loop."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [[1.0, float(len(text)), float(hash(text) % 97)] for text in texts]

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [[1.0, 2.0]] * len(texts)


async def test_a_file_of_three_megabytes(large: str, tmp_path: Path) -> None:
    sage = an_engine(tmp_path / "store", QuickEmbedder(), IngestionConfig())
    turn = count()
    await sage.migrate()

    async def ingest() -> None:
        result = await sage.ingest(RawSource(f"{next(turn)}.txt", content=large), SCOPE)
        assert result.chunk_count > 1000

    await assert_loop_stays_free(ingest)
    await sage.dispose()


async def test_many_files_of_a_megabyte(large: str, tmp_path: Path) -> None:
    sage = an_engine(tmp_path / "store", QuickEmbedder(), IngestionConfig())
    turn = count()
    await sage.migrate()
    await assert_loop_stays_free(
        lambda: drain(
            sage.ingest_many([RawSource(f"{next(turn)}.txt", content=large[:1_000_000]) for _ in range(3)], SCOPE)
        )
    )
    await sage.dispose()


async def test_two_thousand_chunks(tmp_path: Path) -> None:
    """Their context is made, they are stored, and asked."""
    sage = an_engine(tmp_path / "store", QuickEmbedder(), contextualizer=HeadingWindowContextualizer())
    turn = count()
    await sage.migrate()

    async def ingest() -> None:
        text = "\n\n".join(lamps(4000).split(". "))
        result = await sage.ingest(RawSource(f"{next(turn)}.txt", content=text), SCOPE)
        assert result.chunk_count > 1500

    await assert_loop_stays_free(ingest)
    await assert_loop_stays_free(lambda: sage.query(QUESTION, SCOPE))
    await assert_loop_stays_free(lambda: drain(sage.stream(QUESTION, SCOPE)))
    await assert_loop_stays_free(lambda: sage.search(QUESTION, SCOPE, k=100))
    await assert_loop_stays_free(sage.dispose)


# --- parts whose coroutines block ------------------------------------------------------------------------------


class SelfishEmbedder(HashingEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        time.sleep(SLEEP)  # noqa: ASYNC251
        return await super().embed(texts)


class SelfishSentenceEmbedder(HashingEmbedder):
    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        time.sleep(SLEEP)  # noqa: ASYNC251
        return await super().embed_sentences(texts)


class SelfishReranker:
    async def rerank(self, query: str, candidates: Sequence[ScoredChunk], *, top_k: int) -> Sequence[ScoredChunk]:
        time.sleep(SLEEP)  # noqa: ASYNC251
        return candidates[:top_k]


class SelfishRewriter:
    async def rewrite(self, question: str, history: Sequence[Turn]) -> str:
        time.sleep(SLEEP)  # noqa: ASYNC251
        return question


class SelfishContextualizer:
    async def contextualize(self, document: Document, chunk: Chunk, *, full_text: str) -> str:
        time.sleep(SLEEP)  # noqa: ASYNC251
        return chunk.text


class SelfishModel(ExtractiveAnswerer):
    async def generate(self, prompt: str) -> AsyncIterator[str]:
        time.sleep(SLEEP)  # noqa: ASYNC251
        async for fragment in super().generate(prompt):
            yield fragment

    async def transcribe(self, image: PageImage) -> str:
        time.sleep(SLEEP)  # noqa: ASYNC251
        return "A lamp."


class PictureParser:
    def parse(self, source: RawSource) -> ParsedDocument:
        parsed = HeuristicBackend().parse(source)
        return replace(parsed, pages=[Page(1, image=PageImage("1", b"lamp"))])


class PictureClassifier:
    def classify(self, page: Page) -> PageRoute:
        return PageRoute.VISION


SELFISH: dict[str, tuple[dict[str, Any], str]] = {
    "embedder while ingesting": ({"embedder": SelfishEmbedder()}, "ingest"),
    "embedder while ingesting many": ({"embedder": SelfishEmbedder()}, "ingest_many"),
    "embedder while searching": ({"embedder": SelfishEmbedder()}, "search"),
    "sentence embedder while ingesting": ({"embedder": SelfishSentenceEmbedder()}, "ingest"),
    "sentence embedder while searching": ({"embedder": SelfishSentenceEmbedder()}, "search"),
    "reranker while searching": ({"reranker": SelfishReranker()}, "search"),
    "reranker while asking": ({"reranker": SelfishReranker()}, "query"),
    "rewriter": ({"rewriter": SelfishRewriter()}, "query"),
    "contextualizer": ({"contextualizer": SelfishContextualizer()}, "ingest"),
    "model while answering": ({"llm": SelfishModel()}, "stream"),
    "model while transcribing": (
        {"llm": SelfishModel(), "parser": PictureParser(), "classifier": PictureClassifier()},
        "ingest",
    ),
}


@pytest.mark.parametrize("part", SELFISH)
async def test_parts_whose_coroutines_block(part: str, tmp_path: Path) -> None:
    parts, call = SELFISH[part]
    sage = an_engine(tmp_path / "store", **{"embedder": HashingEmbedder(), **parts})
    try:
        if call != "ingest":
            await sage.ingest(RawSource("lamps.txt", content=lamps(4)), SCOPE)
        await assert_loop_stays_free(lambda: CALLS[call](sage), attempts=2)
    finally:
        await sage.dispose()
