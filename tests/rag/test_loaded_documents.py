"""Documents on their way in, and the ids of those that have none."""

from __future__ import annotations

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.rag.documents import LoadedDocument, text_id

SAME_PREFIX = ("note 47428", "note 83920")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch):
    """Sets the time of day, in seconds."""

    def at(second: float) -> None:
        monkeypatch.setattr(time, "time", lambda: second)

    at(1_700_000_000.9)
    return at


def test_fields_and_defaults():
    document = LoadedDocument("text")
    assert document.page_content == "text"
    assert document.metadata == {}
    assert LoadedDocument("text", {"year": 2024}, "mine").to_dict() == {
        "doc_id": "mine",
        "page_content": "text",
        "metadata": {"year": 2024},
    }


def test_metadata_is_not_shared():
    LoadedDocument("a").metadata["x"] = 1
    assert LoadedDocument("b").metadata == {}


def test_a_given_id_is_kept():
    assert LoadedDocument("text", doc_id="handbook").doc_id == "handbook"


@pytest.mark.parametrize("falsy", [None, ""])
def test_an_automatic_id_is_the_md5_of_the_content_and_the_second(clock, falsy):
    clock(1_700_000_100.9)
    expected = hashlib.md5("مرحبا".encode()).hexdigest()[:8]
    assert LoadedDocument("مرحبا", doc_id=falsy).doc_id == f"doc_{expected}_1700000100"


def test_the_same_content_in_the_same_second_has_the_same_id(clock):
    clock(1_700_000_200.1)
    first = LoadedDocument("twice").doc_id
    clock(1_700_000_200.8)
    assert LoadedDocument("twice").doc_id == first
    clock(1_700_000_201.0)
    assert LoadedDocument("twice").doc_id != first


def test_other_content_with_the_same_hash_prefix_has_another_id(clock):
    clock(1_700_000_300)
    prefixes = {hashlib.md5(text.encode()).hexdigest()[:8] for text in SAME_PREFIX}
    assert len(prefixes) == 1
    ids = [LoadedDocument(text).doc_id for text in SAME_PREFIX]
    prefix = prefixes.pop()
    assert ids == [f"doc_{prefix}_1700000300", f"doc_{prefix}_1700000301"]
    assert [LoadedDocument(text).doc_id for text in SAME_PREFIX] == ids


def test_texts_in_the_same_second_count_the_seconds_up(clock):
    clock(1_700_000_400.5)
    assert [text_id() for _ in range(3)] == ["text_1700000400", "text_1700000401", "text_1700000402"]
    clock(1_700_000_401.0)
    assert text_id() == "text_1700000403"


@pytest.mark.usefixtures("hasty_threads")
def test_text_ids_are_unique_under_threads():
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: text_id(), range(20_000)))
    assert len(set(ids)) == 20_000


@given(st.text())
def test_any_content_has_an_id_and_a_repr_of_one_line(content: str):
    document = LoadedDocument(content)
    assert document.doc_id is not None
    assert document.doc_id.startswith("doc_")
    assert "\n" not in repr(document)


def test_content_with_lone_surrogates_has_an_id():
    assert LoadedDocument("broken \udc80").doc_id


def test_repr_shows_the_id_and_the_first_80_characters_without_newlines():
    document = LoadedDocument("first line\nsecond line " + "x" * 100, doc_id="a")
    preview = ("first line second line " + "x" * 100)[:80]
    assert repr(document) == f"LoadedDocument(doc_id='a', preview='{preview}'...)"
