"""The list of sources under an answer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dalil.rag.system import RAGSystem


def chunk(**attributes: Any) -> Any:
    return SimpleNamespace(text="text", **attributes)


def test_a_line_for_each_document_with_its_score_to_two_places(system: RAGSystem):
    chunks = [(chunk(doc_id="policy_1"), 0.866), (chunk(doc_id="policy_2"), 1)]
    assert system._format_sources(chunks) == "📚 Sources:\n• policy_1 (score: 0.87)\n• policy_2 (score: 1.00)"


def test_a_document_is_listed_once_with_its_first_score(system: RAGSystem):
    chunks = [(chunk(doc_id="a"), 0.9), (chunk(doc_id="b"), 0.8), (chunk(doc_id="a"), 0.7)]
    assert system._format_sources(chunks) == "📚 Sources:\n• a (score: 0.90)\n• b (score: 0.80)"


def test_document_id_is_used_where_there_is_no_doc_id(system: RAGSystem):
    assert "• d (score: 0.50)" in system._format_sources([(chunk(document_id="d"), 0.5)])


def test_a_chunk_without_a_document_is_unknown(system: RAGSystem):
    assert system._format_sources([(chunk(), 0.5), ("bare", 0.4)]) == "📚 Sources:\n• unknown (score: 0.50)"


def test_at_most_three_sources_after_removing_repeats(system: RAGSystem):
    chunks = [(chunk(doc_id=name), 0.5) for name in "aabcde"]
    assert system._format_sources(chunks).count("•") == 3
    assert "• c" in system._format_sources(chunks)


def test_another_number_can_be_asked_for(system: RAGSystem):
    chunks = [(chunk(doc_id=name), 0.5) for name in "abcde"]
    assert system._format_sources(chunks, max_sources=4).count("•") == 4


def test_nothing_without_chunks(system: RAGSystem):
    assert system._format_sources([]) == ""
    assert system._format_sources([(chunk(doc_id="a"), 0.5)], max_sources=0) == ""
