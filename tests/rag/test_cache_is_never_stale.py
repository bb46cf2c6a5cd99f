"""Whatever changes the documents, no question is answered from what was there before."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from dalil.rag.documents import LoadedDocument
from dalil.rag.system import RAGSystem
from tests.rag.conftest import MemoryVectorDB, Piece, build_system


def texts(system: RAGSystem, query: str) -> list[str]:
    return [piece.text for piece, _ in system.retrieve(query)]


def test_adding_any_document_empties_the_cache(filled: RAGSystem):
    filled.retrieve("leave")
    filled.add_documents([LoadedDocument("nothing to do with it", doc_id="other")])
    assert filled.get_cache_stats()["size"] == 0
    filled.add_text("unpaid leave", doc_id="more")
    assert "unpaid leave" in texts(filled, "leave")


async def test_adding_asynchronously_empties_the_cache(filled: RAGSystem):
    filled.retrieve("leave")
    await filled.aadd_documents({"more": "unpaid leave"})
    assert "unpaid leave" in texts(filled, "leave")


def test_an_ingest_without_chunks_keeps_the_cache(filled: RAGSystem):
    filled.retrieve("leave")
    filled.add_documents([LoadedDocument(" ", doc_id="empty")])
    assert filled.get_cache_stats()["size"] == 1


def test_an_ingest_that_failed_half_way_empties_the_cache(filled: RAGSystem):
    class Torn(MemoryVectorDB):
        def add(self, chunks: list[Any]) -> None:
            super().add(chunks[:1])
            raise ConnectionError("torn")

    torn = Torn()
    torn.pieces = filled.vector_db.pieces
    filled.vector_db = torn
    filled.retrieve("leave")
    with pytest.raises(ConnectionError):
        filled.add_texts({"x": "unpaid leave\nshort leave"})
    assert "unpaid leave" in texts(filled, "leave")


def test_removing_a_document_empties_the_cache(filled: RAGSystem):
    assert len(texts(filled, "leave")) == 2
    filled.remove_document("leave")
    assert texts(filled, "leave") == []


def test_a_retrieval_that_began_before_a_change_is_not_remembered(filled: RAGSystem):
    searching, changed = threading.Event(), threading.Event()

    class Slow(MemoryVectorDB):
        def search(self, query: str, top_k: int, score_threshold: float) -> list[tuple[Any, float]]:
            found = super().search(query, top_k, score_threshold)
            searching.set()
            assert changed.wait(10)
            return found

    slow = Slow()
    slow.pieces = filled.vector_db.pieces
    filled.vector_db = slow
    with ThreadPoolExecutor(1) as pool:
        before = pool.submit(filled.retrieve, "leave")
        assert searching.wait(10)
        filled.remove_document("leave")
        changed.set()
        assert len(before.result()) == 2
    assert filled.retrieve("leave") == []


class Versioned(MemoryVectorDB):
    data_version: Any = (1, "a")


def test_a_moved_data_version_empties_the_cache():
    system = build_system(vector_db=Versioned())
    system.add_text("annual leave", doc_id="a")
    system.retrieve("leave")
    system.vector_db.pieces.append(Piece("unpaid leave", "b", "b:0"))  # by another hand
    assert texts(system, "leave") == ["annual leave"]
    system.vector_db.data_version = (2, "a")
    assert texts(system, "leave") == ["annual leave", "unpaid leave"]


def test_an_unmoved_data_version_keeps_the_cache():
    system = build_system(vector_db=Versioned())
    system.add_text("annual leave", doc_id="a")
    for _ in range(3):
        system.retrieve("leave")
    assert len(system.vector_db.searches) == 1


def test_a_data_version_that_cannot_be_read_is_a_retrieval_error():
    class Unreadable(MemoryVectorDB):
        @property
        def data_version(self) -> int:
            raise OSError("disk gone")

    assert build_system(vector_db=Unreadable()).generate("q") == "❌ Search error occurred."
