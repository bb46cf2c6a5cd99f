"""Documents go in: what is chunked, counted and forgotten."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

from dalil.errors import ConfigurationError
from dalil.rag.documents import LoadedDocument
from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, LineChunker, MemoryVectorDB, Piece, build_system


def documents(**texts: str) -> list[LoadedDocument]:
    return [LoadedDocument(text, doc_id=doc_id) for doc_id, text in texts.items()]


def logged(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == level and record.name == "dalil.rag"]


def test_the_result_gives_the_number_of_chunks_by_document(system: RAGSystem):
    assert system.add_documents(documents(a="one\ntwo", b="three")) == {"a": 2, "b": 1}


def test_all_chunks_go_to_the_vector_database_at_once_and_in_order(system: RAGSystem):
    system.add_documents(documents(a="one\ntwo", b="three"))
    assert [[piece.text for piece in batch] for batch in system.vector_db.added] == [["one", "two", "three"]]


def test_an_empty_list_is_warned_about(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    assert system.add_documents([]) == {}
    assert logged(caplog, logging.WARNING)
    assert system.vector_db.added == []


@pytest.mark.parametrize("content", ["", "   ", "\n\t ", None])
def test_a_blank_document_has_no_chunks_and_is_warned_about(
    system: RAGSystem, caplog: pytest.LogCaptureFixture, content: Any
):
    assert system.add_documents([LoadedDocument(content, doc_id="empty"), *documents(b="text")]) == {
        "empty": 0,
        "b": 1,
    }
    assert len(logged(caplog, logging.WARNING)) == 1
    assert "empty" in logged(caplog, logging.WARNING)[0]
    assert logged(caplog, logging.ERROR) == []
    assert system.chunker.calls == [("text", "b")]


def test_chunk_text_is_called_with_content_and_id(system: RAGSystem):
    system.add_documents(documents(a="text"))
    assert system.chunker.calls == [("text", "a")]


def test_chunk_text_is_preferred_to_chunk():
    class Both(LineChunker):
        def chunk(self, text: str, doc_id: str) -> list[Piece]:
            raise AssertionError("chunk_text is there")

    assert build_system(chunker=Both()).add_documents(documents(a="text")) == {"a": 1}


def test_chunk_is_called_where_there_is_no_chunk_text():
    class Other:
        def chunk(self, text: str, doc_id: str) -> list[Piece]:
            return [Piece(text, doc_id), Piece(text, doc_id)]

    assert build_system(chunker=Other()).add_documents(documents(a="text")) == {"a": 2}


def test_the_chunks_of_each_document_are_logged_for_debugging(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG, "dalil.rag")
    system.add_text("One sentence.", doc_id="note")
    assert any("note" in line for line in logged(caplog, logging.DEBUG))


def test_a_chunker_that_raises_costs_only_its_document(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    assert system.add_documents(documents(a="one", bad="unchunkable", c="three")) == {"a": 1, "bad": 0, "c": 1}
    (message,) = logged(caplog, logging.ERROR)
    assert "bad" in message
    assert "too hard to cut" in message
    assert [piece.doc_id for piece in system.vector_db.pieces] == ["a", "c"]


def test_counters_grow_by_documents_with_chunks_and_by_chunks(system: RAGSystem):
    system.add_documents(documents(a="one\ntwo", empty=" ", bad="unchunkable"))
    system.add_documents(documents(d="four"))
    assert system.stats["total_documents"] == 2
    assert system.stats["total_chunks"] == 3


def test_without_any_chunk_the_vector_database_is_left_alone():
    system = build_system(vector_db=Broken())
    assert system.add_documents(documents(empty=" ", bad="unchunkable")) == {"empty": 0, "bad": 0}
    assert system.stats["total_documents"] == 0


def test_a_vector_database_that_raises_is_logged_and_raised_again(caplog: pytest.LogCaptureFixture):
    error = ConnectionError("db down")
    system = build_system(vector_db=Broken(error))
    with pytest.raises(ConnectionError) as caught:
        system.add_documents(documents(x="text"))
    assert caught.value is error
    assert any("db down" in message for message in logged(caplog, logging.ERROR))


def test_counters_stay_when_the_vector_database_raises():
    system = build_system(vector_db=Broken())
    with pytest.raises(ConnectionError):
        system.add_documents(documents(x="text"))
    assert system.stats["total_documents"] == 0
    assert system.stats["total_chunks"] == 0


def test_documents_that_share_an_id_are_added_up_as_one(system: RAGSystem):
    assert system.add_documents([LoadedDocument("one\ntwo", doc_id="a"), LoadedDocument("three", doc_id="a")]) == {
        "a": 3
    }
    assert (system.stats["total_documents"], system.stats["total_chunks"]) == (1, 3)


@pytest.mark.parametrize("given", [{"a": "text"}, {}, ["text"], [{"page_content": "text"}], "text", 7, None])
def test_anything_but_a_list_of_documents_is_refused_with_advice(system: RAGSystem, given: Any):
    with pytest.raises(ConfigurationError, match=r"add_texts.*aadd_documents"):
        system.add_documents(given)
    assert system.chunker.calls == []


def test_metadata_goes_to_chunks_that_have_room_for_it(system: RAGSystem):
    system.add_documents([LoadedDocument("text", {"year": 2024}, "a")])
    assert system.vector_db.pieces[0].metadata == {"year": 2024}


def test_a_chunks_own_metadata_is_not_overwritten():
    class Dated(LineChunker):
        def chunk_text(self, text: str, doc_id: str) -> list[Piece]:
            return [Piece(text, doc_id, metadata={"year": 1999})]

    system = build_system(chunker=Dated())
    system.add_documents([LoadedDocument("text", {"year": 2024, "kind": "law"}, "a")])
    assert system.vector_db.pieces[0].metadata == {"year": 1999, "kind": "law"}


def test_chunks_without_metadata_are_taken_as_they_are():
    class Plain:
        def chunk_text(self, text: str, doc_id: str) -> Any:
            return iter([f"{doc_id}: {text}"])

    system = build_system(chunker=Plain())
    assert system.add_documents([LoadedDocument("text", {"year": 2024}, "a")]) == {"a": 1}
    assert system.vector_db.pieces == ["a: text"]


# The friendly methods


def test_add_text_gives_the_number_of_chunks(system: RAGSystem):
    assert system.add_text("one\ntwo", doc_id="a", metadata={"year": 2024}) == 2
    assert {piece.doc_id for piece in system.vector_db.pieces} == {"a"}
    assert system.vector_db.pieces[0].metadata == {"year": 2024}


@pytest.mark.parametrize("text", ["", "  ", "unchunkable"])
def test_add_text_gives_0_for_what_is_blank_or_failed(system: RAGSystem, text: str):
    assert system.add_text(text) == 0


def test_add_text_without_an_id_makes_one_from_the_second(system: RAGSystem, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(time, "time", lambda: 1_600_000_000.7)
    system.add_text("one")
    system.add_text("one")
    assert [piece.doc_id for piece in system.vector_db.pieces] == ["text_1600000000", "text_1600000001"]


def test_add_text_goes_through_add_documents():
    class Counting(RAGSystem):
        seen: list[LoadedDocument]

        def add_documents(self, docs: list[LoadedDocument]) -> dict[str, int]:  # type: ignore[override]
            self.seen = docs
            return {"a": 9}

    plain = build_system()
    system = Counting(plain.vector_db, plain.llm, plain.chunker, plain.context_manager)
    assert system.add_text("text", "a", {"x": 1}) == 9
    assert system.seen == [LoadedDocument("text", {"x": 1}, "a")]
    system.add_texts({"b": "text", "c": "more"}, {"c": {"x": 2}})
    assert system.seen == [LoadedDocument("text", {}, "b"), LoadedDocument("more", {"x": 2}, "c")]


def test_add_texts_gives_the_number_of_chunks_by_document(system: RAGSystem):
    assert system.add_texts({"a": "one\ntwo", "b": "three"}, {"b": {"year": 2024}}) == {"a": 2, "b": 1}
    assert [piece.metadata for piece in system.vector_db.pieces] == [{}, {}, {"year": 2024}]


def test_removing_gives_the_number_of_chunks_and_counts_down(system: RAGSystem):
    system.add_documents(documents(a="one\ntwo", b="three"))
    assert system.remove_document("a") == 2
    assert (system.stats["total_documents"], system.stats["total_chunks"]) == (1, 1)


def test_removing_an_unknown_document_changes_no_counter(system: RAGSystem):
    system.add_documents(documents(a="one"))
    assert system.remove_document("zzz") == 0
    assert (system.stats["total_documents"], system.stats["total_chunks"]) == (1, 1)


def test_counters_do_not_fall_below_zero(system: RAGSystem):
    system.vector_db.add([Piece("one", "a"), Piece("two", "a")])
    assert system.remove_document("a") == 2
    assert (system.stats["total_documents"], system.stats["total_chunks"]) == (0, 0)


def test_an_error_while_removing_is_logged_and_gives_0(caplog: pytest.LogCaptureFixture):
    assert build_system(vector_db=Broken()).remove_document("a") == 0
    assert any("it is down" in message for message in logged(caplog, logging.ERROR))


def test_removing_where_the_vector_database_cannot_is_logged_and_gives_0(caplog: pytest.LogCaptureFixture):
    class NoRemoval:
        add = MemoryVectorDB.add
        search = MemoryVectorDB.search

    assert build_system(vector_db=NoRemoval()).remove_document("a") == 0
    assert any("remove_by_doc_id" in message for message in logged(caplog, logging.ERROR))


def test_what_is_indexed_empty_or_failed_is_logged_by_its_level(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "dalil.rag"):
        system.add_texts({"good": "text", "blank": " ", "hard": "unchunkable"})
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR", "INFO"]
