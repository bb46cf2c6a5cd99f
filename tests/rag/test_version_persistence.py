"""Version histories survive a restart, and a damaged file is neither read nor overwritten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dalil.errors import (
    ConfigurationError,
    StoreCorruptError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
    VectorDBWriteError,
)
from dalil.rag.documents import LoadedDocument
from dalil.rag.versions import DocumentVersionManager


class Index:
    """A vector database that outlives the manager."""

    def __init__(self) -> None:
        self.documents: dict[str, str] = {}
        self.adding = True
        self.on_adding: Any = None

    def add_documents(self, docs: list[LoadedDocument]) -> dict[str, int]:
        if self.on_adding is not None:
            self.on_adding()
        if not self.adding:
            raise ConnectionError("down")
        self.documents |= {str(document.doc_id): document.page_content for document in docs}
        return {str(document.doc_id): 1 for document in docs}

    def remove_document(self, doc_id: str) -> int:
        return int(self.documents.pop(doc_id, None) is not None)


@pytest.fixture
def index() -> Index:
    return Index()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "versions.json"


def written(index: Index, path: Path) -> DocumentVersionManager:
    manager = DocumentVersionManager(index, path)
    manager.add_or_update("d", "one", {"by": "me"})
    manager.add_or_update("d", "two نص \ud800")
    manager.add_or_update("e", "else")
    return manager


def test_a_restart_keeps_the_histories(index: Index, path: Path):
    before = written(index, path)
    after = DocumentVersionManager(index, str(path))
    assert after.history("d") == before.history("d")
    assert after.summary() == before.summary()
    assert not after.add_or_update("e", "else").content_changed
    assert after.add_or_update("d", "three").new_version == 3
    assert after.rollback("d", 1, {"d": "one"}).new_version == 4
    assert DocumentVersionManager(index, path).history("d") == after.history("d")


def test_a_deletion_survives_a_restart(index: Index, path: Path):
    written(index, path).delete("d")
    after = DocumentVersionManager(index, path)
    assert after.history("d") == []
    assert list(after.summary()) == ["e"]


def test_without_a_path_nothing_is_written(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    DocumentVersionManager(index).add_or_update("d", "one")
    assert list(tmp_path.iterdir()) == []


def test_the_folder_holds_the_file_and_nothing_else(index: Index, path: Path):
    written(index, path)
    assert list(path.parent.iterdir()) == [path]


def test_the_file_holds_no_texts_beyond_the_preview(index: Index, path: Path):
    DocumentVersionManager(index, path).add_or_update("d", "a" * 200 + "secret")
    assert "secret" not in path.read_text()


GOOD = {"format": 1, "documents": {}}
VERSION = {
    "doc_id": "d",
    "version": 1,
    "content_hash": "0" * 64,
    "chunk_hashes": ["0" * 64],
    "created_at": "2026-01-01T00:00:00+00:00",
    "metadata": {},
    "text_preview": "one",
}


def document(**changes: Any) -> dict[str, Any]:
    return {"format": 1, "documents": {"d": {"versions": [VERSION | changes], "indexed": True}}}


def test_the_file_that_the_damaged_ones_below_are_made_from_is_good(index: Index, path: Path):
    path.parent.mkdir()
    path.write_text(json.dumps(document()))
    assert DocumentVersionManager(index, path).history("d")[0].text_preview == "one"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        json.dumps(document())[:-9],
        "[]",
        "null",
        "7",
        "{}",
        '{"format": 1}',
        '{"format": 1, "documents": []}',
        '{"format": 1, "documents": {"d": []}}',
        '{"format": 1, "documents": {"d": {"versions": [], "indexed": true}}}',
        '{"format": 1, "documents": {"d": {"versions": [{}], "indexed": true}}}',
        json.dumps(document(version=2)),
        json.dumps(document(doc_id="another")),
        json.dumps(document(chunk_hashes=[])),
        json.dumps(document(chunk_hashes=[1])),
        json.dumps(document(content_hash=None)),
        json.dumps(document(metadata=None)),
        json.dumps(document(unknown=1)),
        "\udcff\udcfe",
        "[" * 100_000,
    ],
    ids=range(21),
)
def test_a_damaged_file_is_a_clear_error_and_stays_as_it_is(index: Index, path: Path, content: str):
    path.parent.mkdir()
    damaged = content.encode("utf-8", "surrogateescape")
    path.write_bytes(damaged)
    with pytest.raises(StoreCorruptError, match=r"versions\.json is damaged"):
        DocumentVersionManager(index, path)
    assert path.read_bytes() == damaged


def test_a_file_of_a_newer_format_is_refused(index: Index, path: Path):
    path.parent.mkdir()
    path.write_text('{"format": 2, "documents": {}}')
    with pytest.raises(StoreVersionError, match="format 2"):
        DocumentVersionManager(index, path)


def test_a_path_that_is_a_folder_is_refused(index: Index, tmp_path: Path):
    with pytest.raises(StoreUnavailableError, match="cannot be read"):
        DocumentVersionManager(index, tmp_path)


def test_metadata_that_the_file_cannot_hold_is_refused_before_anything_is_indexed(index: Index, path: Path):
    manager = DocumentVersionManager(index, path)
    with pytest.raises(ConfigurationError, match="metadata"):
        manager.add_or_update("d", "one", {"when": object()})
    assert index.documents == {}
    assert manager.history("d") == []


def test_metadata_is_the_same_before_and_after_a_restart(index: Index, path: Path):
    manager = DocumentVersionManager(index, path)
    manager.add_or_update("d", "one", {"pages": (1, 2)})
    assert manager.history("d")[0].metadata == {"pages": [1, 2]}
    assert DocumentVersionManager(index, path).history("d") == manager.history("d")


def test_a_file_that_cannot_be_written_stops_a_change_before_the_index_is_touched(index: Index, path: Path):
    manager = written(index, path)
    path.unlink()
    path.parent.rmdir()
    path.parent.write_text("a file where the folder was")
    with pytest.raises(StoreReadOnlyError, match="cannot be written"):
        manager.add_or_update("e", "changed")
    assert index.documents["e"] == "else"
    path.parent.unlink()
    manager.add_or_update("e", "changed")
    assert DocumentVersionManager(index, path).summary() == manager.summary()


def test_a_failed_write_leaves_nothing_behind(index: Index, path: Path):
    manager = written(index, path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreReadOnlyError, match="cannot be written"):
        manager.add_or_update("e", "changed")
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_change_is_known_after_a_restart(index: Index, path: Path):
    manager = written(index, path)
    index.adding = False
    with pytest.raises(VectorDBWriteError, match="out of the index"):
        manager.add_or_update("e", "changed")
    index.adding = True
    after = DocumentVersionManager(index, path)
    assert [version.text_preview for version in after.history("e")] == ["else"]
    assert not after.add_or_update("e", "else").content_changed
    assert index.documents["e"] == "else"


def test_a_crash_between_removing_and_adding_is_mended_by_adding_the_same_text(index: Index, path: Path):
    def crash() -> None:
        raise KeyboardInterrupt

    manager = written(index, path)
    index.on_adding = crash
    with pytest.raises(KeyboardInterrupt):
        manager.add_or_update("e", "changed")
    assert "e" not in index.documents
    index.on_adding = None
    after = DocumentVersionManager(index, path)
    after.add_or_update("e", "else")
    assert index.documents["e"] == "else"
    assert len(after.history("e")) == 1
    assert DocumentVersionManager(index, path).summary() == after.summary()


def test_after_a_restart_a_failed_change_says_that_the_old_text_is_needed(index: Index, path: Path):
    written(index, path)
    after = DocumentVersionManager(index, path)
    index.adding = False
    with pytest.raises(VectorDBWriteError, match="Version 1 is out of the index: add its text again"):
        after.add_or_update("e", "changed")
