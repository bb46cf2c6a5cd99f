"""Chunks of any make are read by the attributes they have."""

from __future__ import annotations

from types import SimpleNamespace

from dalil.rag.chunk_access import document_of, identity_of, text_of


class Unreadable:
    """Raises whatever is asked of it."""

    def __getattr__(self, name: str):
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError("str")


def test_text_is_text_then_content_then_page_content_then_str():
    assert text_of(SimpleNamespace(text="a", content="b", page_content="c")) == "a"
    assert text_of(SimpleNamespace(content="b", page_content="c")) == "b"
    assert text_of(SimpleNamespace(page_content="c")) == "c"
    assert text_of("a bare string") == "a bare string"
    assert text_of(7) == "7"


def test_an_empty_text_is_a_text():
    assert text_of(SimpleNamespace(text="")) == ""


def test_a_text_of_none_is_passed_over():
    assert text_of(SimpleNamespace(text=None, content="b")) == "b"


def test_document_is_doc_id_then_document_id_then_none():
    assert document_of(SimpleNamespace(doc_id="a", document_id="b")) == "a"
    assert document_of(SimpleNamespace(document_id="b")) == "b"
    assert document_of(SimpleNamespace(doc_id=3)) == "3"
    assert document_of("a bare string") is None


def test_identity_is_chunk_id_then_id_then_str():
    assert identity_of(SimpleNamespace(chunk_id="a", id="b")) == "a"
    assert identity_of(SimpleNamespace(id="b")) == "b"
    assert identity_of("a bare string") == "a bare string"


def test_chunks_that_raise_are_read_all_the_same():
    chunk = Unreadable()
    assert text_of(chunk) == text_of(chunk) != ""
    assert identity_of(chunk) != identity_of(Unreadable())
    assert document_of(chunk) is None
