"""Documents that change: what is indexed, what is remembered, and what happens when indexing fails."""

from __future__ import annotations

import hashlib
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import ChunkingError, ConfigurationError, DalilError, EmptyDocumentError, VectorDBWriteError
from dalil.rag.documents import LoadedDocument
from dalil.rag.versions import ContentDiff, DocumentVersionManager, DocVersion


class Index:
    """A RAGSystem as far as the manager knows it: appends on adding, like a vector database does."""

    def __init__(self) -> None:
        self.chunks: list[tuple[str, str, dict[str, Any]]] = []
        self.calls: list[str] = []
        self.fail_adding: Exception | None = None
        self.fail_adding_once: Exception | None = None
        self.fail_removing: Exception | None = None

    def add_documents(self, docs: list[LoadedDocument]) -> dict[str, int]:
        self.calls.append("add")
        failure, self.fail_adding_once = self.fail_adding_once or self.fail_adding, None
        counts: dict[str, int] = {}
        for document in docs:
            lines = [line for line in document.page_content.splitlines() if "unchunkable" not in line]
            self.chunks += [(str(document.doc_id), line, document.metadata) for line in lines]
            counts[str(document.doc_id)] = len(lines)
            if failure is not None:
                raise failure
        return counts

    def remove_document(self, doc_id: str) -> int:
        self.calls.append("remove")
        if self.fail_removing is not None:
            raise self.fail_removing
        before = len(self.chunks)
        self.chunks = [chunk for chunk in self.chunks if chunk[0] != doc_id]
        return before - len(self.chunks)

    def texts(self, doc_id: str = "d") -> list[str]:
        return [text for name, text, _ in self.chunks if name == doc_id]


class QuietSystem(Index):
    """Reports a failed removal as 0, as RAGSystem does; the database behind it is less polite."""

    class Database:
        def __init__(self, failure: Exception | None):
            self.failure = failure

        async def remove_by_doc_id(self, doc_id: str) -> int:
            if self.failure is not None:
                raise self.failure
            return 0

    def __init__(self, failure: Exception | None) -> None:
        super().__init__()
        self.vector_db = self.Database(failure)

    def remove_document(self, doc_id: str) -> int:
        return 0


@pytest.fixture
def index() -> Index:
    return Index()


@pytest.fixture
def manager(index: Index) -> DocumentVersionManager:
    return DocumentVersionManager(index)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_new_document_is_indexed_as_version_one(manager: DocumentVersionManager, index: Index):
    diff = manager.add_or_update("d", "one\ntwo", {"by": "me"})
    assert diff == ContentDiff(
        doc_id="d",
        old_version=0,
        new_version=1,
        is_new=True,
        content_changed=True,
        added_chunks=[0],
        removed_chunks=[],
        unchanged_count=0,
        change_ratio=1.0,
    )
    assert index.chunks == [("d", "one", {"by": "me"}), ("d", "two", {"by": "me"})]
    assert index.calls == ["add"]


def test_what_a_version_holds(manager: DocumentVersionManager):
    text = "x" * 150 + "نص" * 50
    manager.add_or_update("d", text, {"by": "me"})
    version = manager.latest("d")
    assert isinstance(version, DocVersion)
    assert (version.doc_id, version.version, version.metadata) == ("d", 1, {"by": "me"})
    assert version.content_hash == sha256(text)
    assert version.chunk_hashes == [sha256(text)]
    assert version.text_preview == text[:200]
    assert datetime.fromisoformat(version.created_at).utcoffset() is not None


def test_unchanged_content_is_neither_indexed_nor_recorded(manager: DocumentVersionManager, index: Index):
    manager.add_or_update("d", "one", {"by": "me"})
    calls = list(index.calls)
    diff = manager.add_or_update("d", "one", {"by": "another"})
    assert index.calls == calls
    assert diff == ContentDiff("d", 1, 1, False, False, [], [], 1, 0.0)
    assert [version.metadata for version in manager.history("d")] == [{"by": "me"}]


def test_changed_content_replaces_the_old_chunks(manager: DocumentVersionManager, index: Index):
    manager.add_or_update("d", "one")
    manager.add_or_update("other", "else")
    diff = manager.add_or_update("d", "two")
    assert (diff.old_version, diff.new_version, diff.is_new, diff.content_changed) == (1, 2, False, True)
    assert index.texts() == ["two"]
    assert index.texts("other") == ["else"]


def test_the_history_is_in_order_from_one(manager: DocumentVersionManager):
    for text in ("one", "two", "three"):
        manager.add_or_update("d", text)
    assert [(version.version, version.text_preview) for version in manager.history("d")] == [
        (1, "one"),
        (2, "two"),
        (3, "three"),
    ]
    assert manager.latest("d") == manager.history("d")[-1]


def test_an_unknown_document_has_no_history(manager: DocumentVersionManager):
    assert manager.history("unknown") == []
    assert manager.latest("unknown") is None
    assert manager.delete("unknown") is False
    assert manager.summary() == {}


def test_pieces_are_cut_by_characters_with_their_overlap(index: Index):
    manager = DocumentVersionManager(index, chunk_size=4, chunk_overlap=1)
    manager.add_or_update("d", "abcdefghij")
    manager.add_or_update("short", "abc")
    manager.add_or_update("exact", "abcd")
    assert manager.history("d")[0].chunk_hashes == [sha256(piece) for piece in ("abcd", "defg", "ghij")]
    assert manager.history("short")[0].chunk_hashes == [sha256("abc")]
    assert manager.history("exact")[0].chunk_hashes == [sha256("abcd")]


def test_the_default_pieces_are_512_characters_that_share_128(manager: DocumentVersionManager):
    text = "".join(chr(0x4E00 + place) for place in range(896))
    manager.add_or_update("d", text)
    assert manager.history("d")[0].chunk_hashes == [sha256(text[:512]), sha256(text[384:])]


def test_the_difference_is_by_positions_of_pieces(index: Index):
    manager = DocumentVersionManager(index, chunk_size=1, chunk_overlap=0)
    manager.add_or_update("d", "abcd")
    diff = manager.add_or_update("d", "abxyzd")
    assert (diff.added_chunks, diff.removed_chunks, diff.unchanged_count) == ([2, 3, 4], [2], 3)
    assert diff.change_ratio == pytest.approx(1 - 3 / 6)


def test_pieces_that_repeat_are_counted_as_often_as_both_have_them(index: Index):
    manager = DocumentVersionManager(index, chunk_size=1, chunk_overlap=0)
    manager.add_or_update("d", "aaab")
    diff = manager.add_or_update("d", "aba")
    assert (diff.added_chunks, diff.removed_chunks, diff.unchanged_count) == ([], [2], 3)
    assert diff.content_changed


@given(st.text("abc", min_size=1, max_size=12), st.text("abc", min_size=1, max_size=12), st.integers(1, 4), st.data())
def test_differences_add_up(old: str, new: str, size: int, data: st.DataObject):
    overlap = data.draw(st.integers(0, size - 1))
    manager = DocumentVersionManager(Index(), chunk_size=size, chunk_overlap=overlap)
    manager.add_or_update("d", old)
    diff = manager.add_or_update("d", new)
    before, after = len(manager.history("d")[0].chunk_hashes), len(manager.history("d")[-1].chunk_hashes)
    assert len(diff.added_chunks) + diff.unchanged_count == after
    assert len(diff.removed_chunks) + diff.unchanged_count == before
    assert diff.change_ratio == 1 - diff.unchanged_count / max(before, after)
    assert 0 <= diff.change_ratio <= 1
    assert diff.content_changed == (old != new)
    assert all(position < after for position in diff.added_chunks)
    assert all(position < before for position in diff.removed_chunks)


def test_rollback_appends_a_version_with_the_old_text_and_metadata(manager: DocumentVersionManager, index: Index):
    manager.add_or_update("d", "one", {"number": 1})
    manager.add_or_update("d", "two", {"number": 2})
    diff = manager.rollback("d", 1, {"d": "one"})
    assert (diff.old_version, diff.new_version, diff.content_changed) == (2, 3, True)
    assert index.chunks == [("d", "one", {"number": 1})]
    history = manager.history("d")
    assert [version.version for version in history] == [1, 2, 3]
    assert (history[2].content_hash, history[2].metadata) == (history[0].content_hash, {"number": 1})


def test_rollback_to_the_text_that_is_indexed_is_recorded_and_indexes_nothing(
    manager: DocumentVersionManager, index: Index
):
    manager.add_or_update("d", "one")
    calls = list(index.calls)
    diff = manager.rollback("d", 1, {"d": "one"})
    assert (diff.new_version, diff.content_changed, diff.change_ratio) == (2, False, 0.0)
    assert index.calls == calls
    assert len(manager.history("d")) == 2


@pytest.mark.parametrize(("doc_id", "version"), [("d", 3), ("d", 0), ("d", -1), ("unknown", 1)])
def test_rollback_to_an_unknown_version_is_a_key_error(manager: DocumentVersionManager, doc_id: str, version: int):
    manager.add_or_update("d", "one")
    manager.add_or_update("d", "two")
    with pytest.raises(KeyError, match=str(version)):
        manager.rollback(doc_id, version, {doc_id: "one"})


@pytest.mark.parametrize("texts", [{}, {"other": "one"}, {"d": "two"}])
def test_rollback_without_the_right_text_is_a_value_error(manager: DocumentVersionManager, index: Index, texts: dict):
    manager.add_or_update("d", "one")
    manager.add_or_update("d", "two")
    with pytest.raises(ValueError, match="'d'"):
        manager.rollback("d", 1, texts)
    assert index.texts() == ["two"]
    assert len(manager.history("d")) == 2


def test_delete_takes_the_document_out_and_forgets_it(manager: DocumentVersionManager, index: Index):
    manager.add_or_update("d", "one")
    manager.add_or_update("d", "two")
    assert manager.delete("d") is True
    assert index.chunks == []
    assert manager.history("d") == []
    assert manager.delete("d") is False
    assert manager.add_or_update("d", "three").new_version == 1


def test_the_summary(manager: DocumentVersionManager):
    manager.add_or_update("d", "one")
    manager.add_or_update("d", "two")
    manager.add_or_update("other", "else")
    summary = manager.summary()
    assert list(summary) == ["d", "other"]
    first, last = manager.history("d")
    assert summary["d"] == {
        "versions": 2,
        "latest_version": 2,
        "content_hash": sha256("two"),
        "chunks": 1,
        "created_at": first.created_at,
        "updated_at": last.created_at,
    }


def test_what_is_handed_out_can_be_changed_without_harm(manager: DocumentVersionManager, index: Index):
    metadata = {"tags": ["a"]}
    manager.add_or_update("d", "one", metadata)
    metadata["tags"].append("b")
    manager.history("d").clear()
    manager.history("d")[0].metadata["tags"].append("c")
    index.chunks[0][2]["tags"].append("d")
    latest = manager.latest("d")
    assert latest is not None
    latest.chunk_hashes.clear()
    manager.summary().clear()
    assert manager.history("d")[0].metadata == {"tags": ["a"]}
    assert len(manager.history("d")[0].chunk_hashes) == 1


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-1, 0), (4, 4), (4, 5), (4, -1)])
def test_sizes_that_cannot_work_are_refused(index: Index, size: int, overlap: int):
    with pytest.raises(ConfigurationError, match="chunk_"):
        DocumentVersionManager(index, chunk_size=size, chunk_overlap=overlap)


def test_a_blank_document_id_is_refused(manager: DocumentVersionManager):
    with pytest.raises(ConfigurationError, match="doc_id"):
        manager.add_or_update(" ", "text")


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_text_leaves_the_old_version_in_place(manager: DocumentVersionManager, index: Index, text: str):
    manager.add_or_update("d", "one")
    with pytest.raises(EmptyDocumentError, match="'d'"):
        manager.add_or_update("d", text)
    assert index.calls == ["add"]
    assert len(manager.history("d")) == 1


def test_a_new_document_that_cannot_be_indexed_is_not_recorded(manager: DocumentVersionManager, index: Index):
    index.fail_adding = ConnectionError("down")
    with pytest.raises(VectorDBWriteError, match=r"Version 1 of 'd'.*down.*not indexed") as caught:
        manager.add_or_update("d", "one")
    assert isinstance(caught.value.__cause__, ConnectionError)
    assert manager.history("d") == []
    assert index.chunks == []  # what had come in is taken out again
    index.fail_adding = None
    assert manager.add_or_update("d", "one").new_version == 1


def test_a_document_that_yields_no_chunks_is_not_recorded(manager: DocumentVersionManager):
    with pytest.raises(ChunkingError, match="No chunks came of version 1"):
        manager.add_or_update("d", "unchunkable")
    assert manager.latest("d") is None


@pytest.mark.parametrize(("text", "failure"), [("two", ConnectionError("down")), ("unchunkable", None)])
def test_when_the_next_version_does_not_come_the_old_text_is_put_back(
    manager: DocumentVersionManager, index: Index, text: str, failure: Exception | None
):
    manager.add_or_update("d", "one", {"number": 1})
    index.fail_adding_once = failure
    with pytest.raises(DalilError, match="Version 1 is indexed again"):
        manager.add_or_update("d", text)
    assert index.chunks == [("d", "one", {"number": 1})]
    assert [version.version for version in manager.history("d")] == [1]
    calls = list(index.calls)
    assert not manager.add_or_update("d", "one").content_changed
    assert index.calls == calls


def test_when_it_cannot_be_put_back_this_is_said_and_the_same_text_is_indexed_again(
    manager: DocumentVersionManager, index: Index
):
    manager.add_or_update("d", "one")
    index.fail_adding = ConnectionError("down")
    with pytest.raises(VectorDBWriteError, match="Version 1 is out of the index: add its text again"):
        manager.add_or_update("d", "two")
    index.fail_adding = None
    diff = manager.add_or_update("d", "one")
    assert (diff.content_changed, diff.new_version) == (False, 1)
    assert index.texts() == ["one"]
    assert len(manager.history("d")) == 1


def test_a_rollback_after_a_failure_indexes_the_text(manager: DocumentVersionManager, index: Index):
    manager.add_or_update("d", "one")
    index.fail_adding = ConnectionError("down")
    with pytest.raises(VectorDBWriteError):
        manager.add_or_update("d", "two")
    index.fail_adding = None
    manager.rollback("d", 1, {"d": "one"})
    assert index.texts() == ["one"]


def test_when_the_old_chunks_cannot_be_removed_nothing_is_added(manager: DocumentVersionManager, index: Index):
    manager.add_or_update("d", "one")
    index.fail_removing = PermissionError("locked")
    with pytest.raises(VectorDBWriteError, match=r"could not be taken out.*locked"):
        manager.add_or_update("d", "two")
    with pytest.raises(VectorDBWriteError, match="history is as it was"):
        manager.delete("d")
    assert index.texts() == ["one"]
    assert [version.version for version in manager.history("d")] == [1]
    index.fail_removing = None
    manager.add_or_update("d", "two")
    assert index.texts() == ["two"]


def test_a_removal_that_failed_quietly_is_found_out():
    manager = DocumentVersionManager(QuietSystem(PermissionError("locked")))
    manager.add_or_update("d", "one")
    with pytest.raises(VectorDBWriteError, match="locked"):
        manager.add_or_update("d", "two")
    assert [version.version for version in manager.history("d")] == [1]


def test_a_system_whose_database_cannot_remove_is_told_of():
    index = QuietSystem(None)
    index.vector_db = object()
    manager = DocumentVersionManager(index)
    manager.add_or_update("d", "one")
    with pytest.raises(VectorDBWriteError, match="remove_by_doc_id"):
        manager.add_or_update("d", "two")
    assert index.texts() == ["one"]


def test_an_index_that_has_lost_the_document_takes_the_next_version():
    index = QuietSystem(None)
    manager = DocumentVersionManager(index)
    manager.add_or_update("d", "one")
    index.chunks.clear()
    assert manager.add_or_update("d", "two").new_version == 2
    assert index.texts() == ["two"]


def test_threads_lose_no_version(manager: DocumentVersionManager, index: Index):
    ready = threading.Barrier(8)

    def work(thread: int) -> None:
        ready.wait()
        for number in range(20):
            manager.add_or_update("shared", f"text {thread} {number}")
            manager.add_or_update(f"own {thread}", f"text {number}")
            assert re.fullmatch(r"text \d+ \d+", manager.history("shared")[-1].text_preview)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert [version.version for version in manager.history("shared")] == list(range(1, 161))
    assert len(index.texts("shared")) == 1
    assert all(manager.summary()[f"own {thread}"]["versions"] == 20 for thread in range(8))
