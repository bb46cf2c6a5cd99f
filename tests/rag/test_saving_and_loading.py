"""A system on disk: the vector database and the counters, whole or not at all."""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path
from typing import Any

import pytest

from dalil.errors import ConfigurationError, RAGInitializationError, VectorDBPersistenceError
from dalil.rag.config import RAGConfig
from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, EchoLLM, LineChunker, LinesContext, MemoryVectorDB


class Recording(MemoryVectorDB):
    def __init__(self) -> None:
        super().__init__()
        self.paths: list[tuple[str, Path]] = []

    def save(self, path: Path) -> None:
        self.paths.append(("save", path))
        super().save(path)

    def load(self, path: Path) -> None:
        self.paths.append(("load", path))
        super().load(path)


def parts(**changes: Any) -> dict[str, Any]:
    fresh = {"vector_db": Recording(), "llm": EchoLLM(), "chunker": LineChunker(), "context_manager": LinesContext()}
    return fresh | changes


def save_or_load(operation: str, path: Path, **changes: Any) -> None:
    if operation == "save":
        RAGSystem(**parts(**changes)).save(str(path))
    else:
        RAGSystem.load(str(path), **parts(**changes))


@pytest.fixture
def saved(tmp_path: Path, filled: RAGSystem) -> Path:
    """Where a system with three documents, two queries and four chunks was saved."""
    filled.generate("annual leave")
    filled.generate("volcano")
    filled.save(str(tmp_path / "deep" / "below"))
    return tmp_path / "deep" / "below"


def test_the_directory_and_its_parents_are_made(saved: Path):
    assert sorted(path.name for path in saved.iterdir()) == ["stats.json", "vector_db"]


def test_the_counters_are_pretty_printed_json(saved: Path):
    text = (saved / "stats.json").read_text(encoding="utf-8")
    assert json.loads(text) == {
        "total_queries": 2,
        "successful_queries": 1,
        "failed_queries": 1,
        "total_documents": 3,
        "total_chunks": 4,
    }
    assert len(text.splitlines()) == 7


def test_the_vector_database_saves_and_loads_below_the_path(tmp_path: Path):
    system = RAGSystem(**parts())
    system.save(str(tmp_path))
    other = parts()
    RAGSystem.load(str(tmp_path), **other)
    assert system.vector_db.paths == [("save", tmp_path / "vector_db")]
    assert other["vector_db"].paths == [("load", tmp_path / "vector_db")]


def test_saving_again_replaces(saved: Path, filled: RAGSystem):
    filled.add_text("more", doc_id="more")
    filled.save(str(saved))
    assert json.loads((saved / "stats.json").read_text())["total_documents"] == 4
    assert sorted(path.name for path in saved.iterdir()) == ["stats.json", "vector_db"]


def test_a_loaded_system_answers_from_what_was_saved(saved: Path):
    fresh = parts()
    system = RAGSystem.load(str(saved), **fresh, enable_query_expansion=False)
    assert {name: getattr(system, name) for name in fresh} == fresh
    assert [piece.text for piece, _ in system.retrieve("refunds")] == ["refunds take ten days"]


def test_the_counters_are_restored(saved: Path):
    system = RAGSystem.load(str(saved), **parts())
    assert list(system.stats.values()) == [2, 1, 1, 3, 4]


def test_config_and_query_expansion_can_be_given(saved: Path):
    config = RAGConfig(top_k=2)
    system = RAGSystem.load(str(saved), **parts(), config=config, enable_query_expansion=False)
    assert system.config is config
    assert system._query_expander is None
    assert RAGSystem.load(str(saved), **parts())._query_expander is not None


def test_a_subclass_loads_as_itself(saved: Path):
    class Mine(RAGSystem):
        pass

    assert type(Mine.load(str(saved), **parts())) is Mine


def test_a_missing_path_is_not_found(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        RAGSystem.load(str(tmp_path / "nowhere"), **parts(vector_db=Broken()))


def test_without_counters_they_start_at_zero(saved: Path):
    (saved / "stats.json").unlink()
    assert set(RAGSystem.load(str(saved), **parts()).stats.values()) == {0}


@pytest.mark.parametrize("operation", ["save", "load"])
def test_a_failing_vector_database_is_a_persistence_error(tmp_path: Path, operation: str):
    error = OSError("disk full")
    with pytest.raises(VectorDBPersistenceError) as caught:
        save_or_load(operation, tmp_path, vector_db=Broken(error))
    assert caught.value.__cause__ is error
    assert (caught.value.operation, caught.value.path, caught.value.reason) == (operation, str(tmp_path), "disk full")


@pytest.mark.parametrize("operation", ["save", "load"])
def test_a_vector_database_that_cannot_is_a_persistence_error(tmp_path: Path, operation: str):
    class Neither:
        add = MemoryVectorDB.add
        search = MemoryVectorDB.search

    with pytest.raises(VectorDBPersistenceError, match=operation):
        save_or_load(operation, tmp_path, vector_db=Neither())


def test_a_place_that_cannot_be_written_is_a_persistence_error(tmp_path: Path, filled: RAGSystem):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(VectorDBPersistenceError, match="save"):
        filled.save(str(tmp_path / "file"))


def test_counters_that_cannot_be_written_leave_the_old_ones(saved: Path, filled: RAGSystem):
    before = (saved / "stats.json").read_text()
    filled.stats["strange"] = object()  # type: ignore[assignment]
    with pytest.raises(VectorDBPersistenceError):
        filled.save(str(saved))
    assert (saved / "stats.json").read_text() == before
    assert sorted(path.name for path in saved.iterdir()) == ["stats.json", "vector_db"]


def test_counters_are_replaced_in_one_step(saved: Path, filled: RAGSystem):
    before = (saved / "stats.json").read_text()
    os.link(saved / "stats.json", saved / "old")
    filled.generate("leave")
    filled.save(str(saved))
    assert (saved / "old").read_text() == before != (saved / "stats.json").read_text()


@pytest.mark.parametrize(
    "damaged", [b"", b"{", b"[1]", b"7", b'{"total_queries": "many"}', b'{"total_chunks": null}', b"\xff\xfe"]
)
def test_damaged_counters_stop_the_load_before_anything_is_loaded(saved: Path, damaged: bytes):
    (saved / "stats.json").write_bytes(damaged)
    fresh = parts()
    with pytest.raises(VectorDBPersistenceError) as caught:
        RAGSystem.load(str(saved), **fresh)
    assert caught.value.operation == "load"
    assert fresh["vector_db"].paths == []


def test_further_entries_of_the_counters_survive(saved: Path, filled: RAGSystem):
    filled.stats["mine"] = "kept"  # type: ignore[assignment]
    filled.save(str(saved))
    assert RAGSystem.load(str(saved), **parts()).stats["mine"] == "kept"


def test_a_missing_component_stops_the_load_before_anything_is_loaded(saved: Path):
    fresh = parts(llm=None)
    with pytest.raises(RAGInitializationError, match="llm"):
        RAGSystem.load(str(saved), **fresh)
    with pytest.raises(RAGInitializationError, match="vector_db"):
        RAGSystem.load(str(saved), **parts(vector_db=None))
    assert fresh["vector_db"].paths == []


def test_a_config_that_cannot_work_stops_the_load_before_anything_is_loaded(saved: Path):
    fresh = parts()
    with pytest.raises(ConfigurationError):
        RAGSystem.load(str(saved), **fresh, config=RAGConfig(top_k=0))
    assert fresh["vector_db"].paths == []


def test_the_signatures():
    assert list(inspect.signature(RAGSystem.save).parameters) == ["self", "path"]
    parameters = inspect.signature(RAGSystem.load).parameters
    assert [(name, parameter.default) for name, parameter in parameters.items()] == [
        *((name, inspect.Parameter.empty) for name in ("path", *parts())),
        ("config", None),
        ("enable_query_expansion", True),
    ]
