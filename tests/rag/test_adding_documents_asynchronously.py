"""The asynchronous ingest: the same results, chunked a few documents at a time."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from dalil.errors import ConfigurationError
from dalil.rag.documents import LoadedDocument
from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, LineChunker, MemoryVectorDB, Piece, build_system

TEXTS = {"a": "one\ntwo", "empty": " ", "bad": "unchunkable", "d": "four"}


class Rendezvous:
    """A chunker that waits until `together` documents are in it at once."""

    def __init__(self, together: int) -> None:
        self.barrier = threading.Barrier(together, timeout=10)
        self.threads: set[int] = set()

    def chunk_text(self, text: str, doc_id: str) -> list[Piece]:
        self.threads.add(threading.get_ident())
        self.barrier.wait()
        return [Piece(text, doc_id)]


async def test_a_dict_of_texts_is_indexed_as_the_synchronous_method_does(system: RAGSystem):
    assert await system.aadd_documents(TEXTS) == {"a": 2, "empty": 0, "bad": 0, "d": 1}
    assert (system.stats["total_documents"], system.stats["total_chunks"]) == (2, 3)
    assert [[piece.text for piece in batch] for batch in system.vector_db.added] == [["one", "two", "four"]]


async def test_a_list_of_documents_is_accepted_too(system: RAGSystem):
    assert await system.aadd_documents([LoadedDocument("text", {"year": 2024}, "a")]) == {"a": 1}
    assert system.vector_db.pieces[0].metadata == {"year": 2024}


@pytest.mark.parametrize("nothing", [{}, []])
async def test_nothing_is_warned_about(system: RAGSystem, caplog: pytest.LogCaptureFixture, nothing: Any):
    assert await system.aadd_documents(nothing) == {}
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@pytest.mark.parametrize("given", ["text", ["text"], None])
async def test_anything_else_is_refused(system: RAGSystem, given: Any):
    with pytest.raises(ConfigurationError, match="aadd_documents"):
        await system.aadd_documents(given)


async def test_documents_are_chunked_concurrently_in_threads():
    chunker = Rendezvous(together=3)
    system = build_system(chunker=chunker)
    assert await system.aadd_documents({"a": "x", "b": "y", "c": "z"}) == {"a": 1, "b": 1, "c": 1}
    assert threading.get_ident() not in chunker.threads


async def test_at_most_ingest_batch_size_documents_at_a_time():
    class Held(LineChunker):
        def chunk_text(self, text: str, doc_id: str) -> list[Piece]:
            begun.release()
            may_end.wait(timeout=30)
            return super().chunk_text(text, doc_id)

    begun, may_end = threading.Semaphore(0), threading.Event()
    system = build_system(chunker=Held(), ingest_batch_size=2)
    adding = asyncio.create_task(system.aadd_documents({str(number): "x" for number in range(8)}))
    first_two = [await asyncio.to_thread(begun.acquire, timeout=30) for _ in range(2)]
    third = await asyncio.to_thread(begun.acquire, timeout=0.2)
    may_end.set()
    assert (first_two, third) == ([True, True], False)
    assert sum((await adding).values()) == 8


async def test_aadd_is_preferred():
    class Both(MemoryVectorDB):
        async def aadd(self, chunks: list[Any]) -> None:
            await asyncio.sleep(0)
            self.pieces += chunks

    system = build_system(vector_db=Both())
    assert await system.aadd_documents({"a": "one\ntwo"}) == {"a": 2}
    assert system.vector_db.added == []
    assert (system.vector_db.size, system.stats["total_chunks"]) == (2, 2)


async def test_add_runs_in_a_thread_where_there_is_no_aadd():
    class Placed(MemoryVectorDB):
        def add(self, chunks: list[Any]) -> None:
            self.thread = threading.get_ident()

    system = build_system(vector_db=Placed())
    await system.aadd_documents({"a": "one"})
    assert system.vector_db.thread != threading.get_ident()


@pytest.mark.parametrize("name", ["aadd", "add"])
async def test_a_failing_vector_database_raises_and_counts_nothing(name: str):
    class Failing(MemoryVectorDB):
        pass

    async def failing(self: Any, chunks: list[Any]) -> None:
        raise ConnectionError("db down")

    setattr(Failing, name, failing)
    system = build_system(vector_db=Failing())
    with pytest.raises(ConnectionError, match="db down"):
        await system.aadd_documents({"a": "one"})
    assert system.stats["total_chunks"] == 0


async def test_a_failing_synchronous_vector_database_raises_and_counts_nothing():
    system = build_system(vector_db=Broken())
    with pytest.raises(ConnectionError):
        await system.aadd_documents({"a": "one"})
    assert system.stats["total_chunks"] == 0


async def test_chunk_is_called_where_there_is_no_chunk_text():
    class Other:
        def chunk(self, text: str, doc_id: str) -> list[Piece]:
            return LineChunker().chunk_text(text, doc_id)

    assert await build_system(chunker=Other()).aadd_documents(TEXTS) == {"a": 2, "empty": 0, "bad": 0, "d": 1}


async def test_the_loop_goes_on_while_documents_are_chunked():
    moved = threading.Event()

    class Waiting(LineChunker):
        def chunk_text(self, text: str, doc_id: str) -> list[Piece]:
            assert moved.wait(10)
            return super().chunk_text(text, doc_id)

    async def move() -> None:
        moved.set()

    counts, _ = await asyncio.gather(build_system(chunker=Waiting()).aadd_documents({"a": "one"}), move())
    assert counts == {"a": 1}
