"""Many threads, one system: no counter is lost and nothing is raised."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dalil.rag.system import RAGSystem
from tests.rag.conftest import build_system

THREADS, OPERATIONS = 8, 10_000


def mixed(system: RAGSystem, thread: int) -> None:
    for number in range(OPERATIONS):
        match number % 5:
            case 0:
                assert system.add_text("annual leave", doc_id=f"{thread}-{number}") == 1
            case 1:
                assert system.generate("leave") == "the answer"
            case 2:
                assert system.generate("volcano") == "No relevant information found."
            case 3:
                assert system.generate(" ")
            case _:
                assert system.remove_document(f"{thread}-{number - 4}") == 1


class Safe:
    """A vector database that keeps one chunk for everybody, and knows whose document is there."""

    def __init__(self) -> None:
        self.held: dict[str, object] = {}

    def add(self, chunks: list) -> None:
        for chunk in chunks:
            self.held[chunk.doc_id] = chunk

    def search(self, query: str, top_k: int, score_threshold: float) -> list:
        return [(chunk, 1.0) for chunk in list(self.held.values())[:top_k]] if query == "leave" else []

    def remove_by_doc_id(self, doc_id: str) -> int:
        return 0 if self.held.pop(doc_id, None) is None else 1


def test_no_counter_is_lost_in_ten_thousand_mixed_operations_of_each_thread():
    system = build_system(vector_db=Safe())
    system.add_text("annual leave", doc_id="always")
    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(mixed, system, thread) for thread in range(THREADS)]:
            done.result()
    each = THREADS * OPERATIONS // 5
    assert list(system.stats.values()) == [3 * each, each, each, 1, 1]


@pytest.mark.usefixtures("hasty_threads")
def test_every_question_is_counted_as_it_is_asked():
    system = build_system()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: system.generate(""), range(20_000)))
    assert system.stats["total_queries"] == 20_000
