"""What the published description shows by example, run as it is shown."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dalil import (
    DocumentVersionManager,
    LoadedDocument,
    QueryExpander,
    RAGRetrievalError,
    RAGSystem,
    merge_retrieval_results,
)
from dalil.text.synonyms import synonym_table
from tests.rag.conftest import (
    Broken,
    EchoLLM,
    LineChunker,
    LinesContext,
    MemoryVectorDB,
    StreamingLLM,
    build_system,
    query_counts,
)

# Adding


def test_a_handbook_excerpt_is_added(system: RAGSystem):
    assert system.add_text("Employee handbook excerpt...", doc_id="emp_1") == 1
    assert [piece.doc_id for piece in system.vector_db.pieces] == ["emp_1"]


def test_two_documents_give_two_numbers(system: RAGSystem):
    docs = [
        LoadedDocument(page_content="one\ntwo\nthree\nfour", doc_id="a"),
        LoadedDocument(page_content="five\nsix", doc_id="b"),
    ]
    assert system.add_documents(docs) == {"a": 4, "b": 2}


def test_a_document_without_content_is_warned_about_and_no_error(system: RAGSystem, caplog: pytest.LogCaptureFixture):
    assert system.add_documents([LoadedDocument(page_content="   ", doc_id="empty")]) == {"empty": 0}
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_failed_write_can_be_caught_by_its_own_kind():
    class BrokenVectorDB:
        def add(self, chunks: list[Any]) -> None:
            raise ConnectionError("db down")

    rag = RAGSystem(vector_db=BrokenVectorDB(), llm=EchoLLM(), chunker=LineChunker(), context_manager=LinesContext())
    with pytest.raises(ConnectionError, match="db down"):
        rag.add_documents([LoadedDocument(page_content="text", doc_id="x")])


def test_what_came_to_nothing_can_be_told_from_the_result(system: RAGSystem):
    docs = [LoadedDocument("text", doc_id="good"), LoadedDocument(" ", doc_id="blank")]
    results = system.add_documents([*docs, LoadedDocument("unchunkable", doc_id="hard")])
    assert [doc_id for doc_id, number in results.items() if number == 0] == ["blank", "hard"]


def test_each_document_is_cut_once_and_all_are_written_at_once(system: RAGSystem):
    system.add_texts({str(number): "text" for number in range(20)})
    assert len(system.chunker.calls) == 20
    assert len(system.vector_db.added) == 1


def test_versions_spare_a_system_the_indexing_of_unchanged_text(system: RAGSystem):
    manager = DocumentVersionManager(system)
    manager.add_or_update("policy", "refunds take ten days")
    manager.add_or_update("policy", "refunds take ten days")
    assert len(system.vector_db.added) == 1
    manager.add_or_update("policy", "refunds take nine days")
    assert [piece.text for piece in system.vector_db.pieces] == ["refunds take nine days"]


# Retrieving


def test_results_are_pairs_of_a_chunk_and_its_score(filled: RAGSystem):
    shown = [(score, chunk.text[:60]) for chunk, score in filled.retrieve("annual leave")]
    assert shown == [(1.0, "annual leave is thirty days"), (0.5, "sick leave needs a note")]


def test_ten_results_can_be_asked_for(system: RAGSystem):
    system.add_text("\n".join(f"refund policy {number}" for number in range(12)))
    assert len(system.retrieve("refund policy")) == 5
    assert len(system.retrieve("refund policy", top_k=10)) == 10


def test_the_same_question_is_a_hit_the_second_time(filled: RAGSystem):
    filled.retrieve("same leave")
    filled.retrieve("same leave")
    assert filled.get_cache_stats() == {
        "size": 1,
        "maxsize": 256,
        "ttl": 300.0,
        "hits": 1,
        "misses": 1,
        "hit_rate": 0.5,
    }


def test_a_failed_search_is_told_from_one_that_finds_nothing(filled: RAGSystem):
    assert filled.retrieve("volcano") == []
    filled.vector_db = Broken()
    with pytest.raises(RAGRetrievalError, match="it is down") as caught:
        filled.retrieve("volcano")
    assert caught.value.query == "volcano"


def test_what_another_process_changes_is_seen_once_the_cache_is_invalidated(filled: RAGSystem):
    filled.retrieve("refunds")
    filled.vector_db.pieces.clear()
    assert len(filled.retrieve("refunds")) == 1
    filled.invalidate_cache()
    assert filled.retrieve("refunds") == []


# Answering


def test_sources_stand_below_an_empty_line(filled: RAGSystem):
    answer = filled.generate("annual leave", include_sources=True)
    assert answer == "the answer\n\n📚 Sources:\n• leave (score: 1.00)"


def test_a_language_can_be_forced(filled: RAGSystem):
    filled.generate("annual leave", language="ar")
    assert filled.llm.prompts[0].endswith("السؤال: annual leave\n\nالإجابة:")


def test_settings_of_the_llm_are_handed_on(filled: RAGSystem):
    filled.generate("annual leave", temperature=0.2, max_tokens=200)
    assert filled.llm.settings == [{"temperature": 0.2, "max_tokens": 200}]


def test_errors_nothing_found_and_answers_can_be_told_apart(filled: RAGSystem):
    def state(answer: str) -> str:
        if answer.startswith("❌"):
            return "error"
        return "nothing" if answer == "No relevant information found." else "answer"

    states = [state(filled.generate(question)) for question in ("annual leave", "volcano")]
    filled.llm = Broken()
    states.append(state(filled.generate("annual leave")))
    filled.vector_db = Broken()
    states.append(state(filled.generate("sick leave")))
    assert states == ["answer", "nothing", "error", "error"]
    assert query_counts(filled) == (4, 1, 3)


def test_a_template_can_be_set_and_taken_back(filled: RAGSystem):
    @dataclass
    class SimpleTemplate:
        template: str

        def format(self, context: str, question: str) -> str:
            return self.template.format(context=context, question=question)

    filled.generate("refunds")
    filled.set_prompt(SimpleTemplate("Context:\n{context}\n\nQ: {question}\nA:"))
    filled.generate("refunds")
    filled.set_prompt(None)
    filled.generate("refunds")
    first, second, third = filled.llm.prompts
    assert second == "Context:\nrefunds take ten days\n\nQ: refunds\nA:"
    assert first == third != second


@pytest.mark.parametrize(
    "prompt",
    [
        SimpleNamespace(format=lambda context, question: f"{context} {question}"),
        lambda context, question: f"{context} {question}",
        "{context} {question}",
    ],
    ids=["template", "function", "string"],
)
def test_a_prompt_is_a_template_a_function_or_a_string(prompt: Any):
    system = build_system(prompt=prompt)
    system.add_text("refunds take ten days")
    system.generate("refunds")
    assert system.llm.prompts == ["refunds take ten days refunds"]


async def test_a_stream_can_be_printed_as_it_comes(capsys: pytest.CaptureFixture[str]):
    rag = build_system(llm=StreamingLLM(lambda prompt: iter(["within ", "ten ", "days"])))
    rag.add_text("the refund policy")
    async for token in rag.astream("Explain the refund policy."):
        print(token, end="", flush=True)
    assert capsys.readouterr().out == "within ten days"


# Keeping


def test_a_system_is_saved_and_loaded_with_live_components(filled: RAGSystem, tmp_path: Path):
    filled.save(str(tmp_path / "kept"))
    parts = {"llm": EchoLLM("from the new one"), "chunker": LineChunker(), "context_manager": LinesContext()}
    with RAGSystem.load(str(tmp_path / "kept"), vector_db=MemoryVectorDB(), **parts) as loaded:
        assert loaded.ask("refunds") == "from the new one"
        assert loaded.stats["total_documents"] == 3


# Expanding and merging


def test_a_question_is_expanded_by_an_llm():
    expander = QueryExpander(llm=EchoLLM("رقم الهاتف\nرقم الجوال"))
    assert expander.expand("رقم التليفون")[:3] == ["رقم التليفون", "رقم الهاتف", "رقم الجوال"]


def test_a_question_is_expanded_by_the_table_alone():
    variants = QueryExpander(llm=None).expand("phone number")
    assert variants[0] == "phone number"
    assert len(variants) > 1


def test_one_variant_makes_two_questions():
    llm = EchoLLM("How are refunds made?\nWhen is money given back?")
    expanded = QueryExpander(llm=llm, max_variants=1).expand("What is the refund policy?")
    assert expanded == ["What is the refund policy?", "How are refunds made?"]


def test_without_llm_and_table_a_question_passes_through():
    assert QueryExpander(llm=None, fallback_synonyms=False).expand("anything") == ["anything"]


def test_a_flaky_llm_is_no_error():
    class FlakyLLM:
        def generate(self, prompt: str, **kw: Any) -> str:
            raise TimeoutError("slow")

    expander = QueryExpander(llm=FlakyLLM())
    assert expander.expand("query text")[0] == "query text"
    assert expander.expand("phone number") == QueryExpander().expand("phone number")


def test_of_two_known_words_only_the_first_of_the_table_is_replaced():
    keywords = list(synonym_table())
    stays = max("phone", "email", key=keywords.index)
    variants = QueryExpander().expand("phone or email")[1:]
    assert variants
    assert all(stays in variant.split() for variant in variants)


def test_an_expansion_costs_one_call_of_the_llm():
    llm = EchoLLM("another way")
    QueryExpander(llm).expand("phone number")
    assert len(llm.prompts) == 1


def test_an_expander_does_not_change_by_being_used():
    expander = QueryExpander(EchoLLM("another way"))
    before = dict(vars(expander))
    expander.expand("phone number")
    assert vars(expander) == before


def test_lists_of_two_variants_are_merged():
    chunk_a, chunk_b, chunk_c = (SimpleNamespace(chunk_id=name) for name in "abc")
    per_variant = [[(chunk_a, 0.7), (chunk_b, 0.5)], [(chunk_a, 0.9), (chunk_c, 0.6)]]
    assert merge_retrieval_results(per_variant, top_k=2) == [(chunk_a, 0.9), (chunk_c, 0.6)]


def test_strings_are_merged_by_what_they_say():
    lists = [[("raw string chunk", 0.8)], [("raw string chunk", 0.9)]]
    assert merge_retrieval_results(lists[:1], top_k=5) == [("raw string chunk", 0.8)]
    assert merge_retrieval_results(lists, top_k=5) == [("raw string chunk", 0.9)]


def test_a_loop_of_ones_own_finds_what_the_system_finds(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.CRITICAL, "dalil.rag")
    system = build_system(enable_query_expansion=True, llm=EchoLLM("telephone digits\nnumber to call"))
    system.add_text("our phone number is 5505\nthe telephone is in the hall\na number to call at night")
    expander = QueryExpander(llm=system.llm, max_variants=3, use_llm=True, fallback_synonyms=True)
    found = [
        system.vector_db.search(variant, top_k=5, score_threshold=0.0) for variant in expander.expand("phone number")
    ]
    assert len(found) == 4
    assert merge_retrieval_results(found, top_k=5) == system.retrieve("phone number")
