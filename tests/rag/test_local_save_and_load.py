"""Saving a local system: a whole, portable copy; loading: all of it or nothing."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from dalil import RAGSystem, VectorDBPersistenceError
from dalil.rag.local import LocalRAGSystem

LEASE = "The deposit of the flat is 740 dinars."
LEAVE = "Employees get 30 days of annual leave."


def local(folder: Path) -> LocalRAGSystem:
    return RAGSystem.local(folder, embedder="fast")


def restored(saved: Path, into: LocalRAGSystem) -> LocalRAGSystem:
    return LocalRAGSystem.load(str(saved), into.vector_db, into.llm, into.chunker, into.context_manager)


def test_a_saved_system_opens_where_it_was_saved(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.ask("How much is the deposit of the flat?")
        rag.save(str(tmp_path / "saved"))
    shutil.rmtree(tmp_path / "store")
    shutil.move(tmp_path / "saved", tmp_path / "moved")
    with LocalRAGSystem.load(str(tmp_path / "moved")) as rag:
        assert "740" in rag.ask("How much is the deposit of the flat?")
        assert rag.stats["total_documents"] == 1
        assert rag.stats["total_queries"] == 2  # one of them before it was saved


def test_loading_puts_the_copy_in_the_place_of_what_was_there(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.save(str(tmp_path / "saved"))
        rag.remove_document("lease")
        rag.add_text(LEAVE, doc_id="leave")
        assert rag.retrieve("deposit of the flat")[0][0].doc_id == "leave"
        again = restored(tmp_path / "saved", rag)
        assert "740" in again.ask("How much is the deposit of the flat?")
        assert [chunk.doc_id for chunk, _ in again.retrieve("annual leave")] == ["lease"]
        assert again.stats["total_documents"] == 1
        assert [chunk.doc_id for chunk, _ in rag.retrieve("deposit of the flat")] == ["lease"]


@pytest.mark.parametrize("harm", ["missing", "empty", "cut", "foreign"])
def test_a_damaged_copy_changes_nothing(tmp_path: Path, harm: str) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.save(str(tmp_path / "saved"))
        rag.add_text(LEAVE, doc_id="leave")
        file = tmp_path / "saved" / "vector_db" / "dalil.sqlite"
        data = file.read_bytes()
        if harm == "missing":
            file.unlink()
        else:
            file.write_bytes({"empty": b"", "cut": data[: len(data) // 2], "foreign": b"something else" * 99}[harm])
        with pytest.raises(VectorDBPersistenceError, match="load"):
            restored(tmp_path / "saved", rag)
        assert {chunk.doc_id for chunk, _ in rag.retrieve("deposit and leave")} == {"lease", "leave"}


def test_vectors_of_another_embedder_are_not_loaded(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.save(str(tmp_path / "saved"))
    with (
        RAGSystem.local(tmp_path / "other", embedder="accurate") as other,
        pytest.raises(VectorDBPersistenceError, match="were made by"),
    ):
        restored(tmp_path / "saved", other)


def test_saving_over_an_older_copy_replaces_it(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="lease")
        rag.save(str(tmp_path / "saved"))
        rag.remove_document("lease")
        rag.add_text(LEAVE, doc_id="leave")
        rag.save(str(tmp_path / "saved"))
    with LocalRAGSystem.load(str(tmp_path / "saved")) as rag:
        assert [chunk.doc_id for chunk, _ in rag.retrieve("deposit of the flat")] == ["leave"]


def test_a_store_cannot_be_saved_onto_itself(tmp_path: Path) -> None:
    with RAGSystem.local(tmp_path / "vector_db", embedder="fast") as rag:
        rag.add_text(LEASE, doc_id="lease")
        with pytest.raises(VectorDBPersistenceError, match="itself"):
            rag.save(str(tmp_path))
        assert rag.retrieve("deposit")


def test_a_copy_taken_while_others_write_is_one_state(tmp_path: Path) -> None:
    with local(tmp_path / "store") as rag:
        rag.add_text(LEASE, doc_id="first")
        writing = threading.Thread(
            target=lambda: [rag.add_texts({f"a{n}": f"{LEASE} {n}", f"b{n}": f"{LEAVE} {n}"}) for n in range(12)]
        )
        writing.start()
        rag.save(str(tmp_path / "saved"))
        writing.join()
    with LocalRAGSystem.load(str(tmp_path / "saved")) as rag:
        held = {chunk.doc_id for chunk, _ in rag.retrieve("deposit or leave", top_k=40)}
        assert "first" in held
        assert {name[1:] for name in held if name[0] == "a"} == {name[1:] for name in held if name[0] == "b"}


def test_nothing_saved_there_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LocalRAGSystem.load(str(tmp_path / "nowhere"))
    assert not (tmp_path / "nowhere").exists()
