"""RAGSystem.local: dalil's own engine behind the friendly face."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dalil import (
    ConfigurationError,
    EmbedderMismatchError,
    LoadedDocument,
    Outcome,
    RAGConfig,
    RagSage,
    RAGSystem,
    RawSource,
    Scope,
)
from dalil.rag.local import LocalRAGSystem

LEASE = "The deposit of the flat is 740 dinars. It is paid back within 30 days after the keys are returned."
LEAVE = "Employees get 30 days of annual leave. A request is made two weeks before the leave begins."
ARABIC = "تبلغ مدة الإجازة السنوية ثلاثين يومًا. يقدم الطلب قبل أسبوعين من بداية الإجازة."


@pytest.fixture
def rag(tmp_path: Path) -> Iterator[LocalRAGSystem]:
    with RAGSystem.local(tmp_path / ".dalil", embedder="fast") as system:
        yield system


def test_it_answers_in_both_languages_with_nothing_to_set_up(rag: LocalRAGSystem) -> None:
    assert rag.add_texts({"lease": LEASE, "leave": LEAVE, "إجازات": ARABIC}) == {"lease": 1, "leave": 1, "إجازات": 1}
    assert "740" in rag.ask("How much is the deposit of the flat?")
    assert "ثلاثين" in rag.ask("كم مدة الإجازة السنوية؟")
    shown = rag.ask("How much is the deposit of the flat?", include_sources=True).splitlines()
    assert shown[shown.index("📚 Sources:") + 1].startswith("• lease")


def test_what_the_documents_do_not_hold_is_not_answered(rag: LocalRAGSystem) -> None:
    rag.add_text(LEASE, doc_id="lease")
    assert rag.ask("Who composed the ninth symphony?") == "No relevant information found."
    assert rag.answer("Who composed the ninth symphony?").outcome is Outcome.NOT_FOUND
    assert rag.stats["failed_queries"] == 2


def test_an_answer_proves_itself(rag: LocalRAGSystem) -> None:
    rag.add_text(LEASE, doc_id="lease")
    answer = rag.answer("How much is the deposit of the flat?")
    assert answer.grounded
    citation = answer.citations[0]
    assert citation.verified
    assert citation.source == "lease"
    assert LEASE[citation.start : citation.end] == citation.quote
    assert "740" in citation.quote


def test_small_talk_is_talked_back_to(rag: LocalRAGSystem) -> None:
    rag.add_text(LEASE, doc_id="lease")
    assert rag.answer("hello").outcome is Outcome.CONVERSATIONAL


def test_query_gives_the_answer_and_its_passages(rag: LocalRAGSystem) -> None:
    rag.add_texts({"lease": LEASE, "leave": LEAVE})
    found = rag.query("How much is the deposit of the flat?", k=1)
    assert set(found) == {"answer", "sources"}
    assert "740" in found["answer"]
    (source,) = found["sources"]
    assert source["text"] == LEASE
    assert 0.0 <= source["score"] <= 1.0
    assert source["metadata"]["source"] == "lease"
    assert (source["metadata"]["start"], source["metadata"]["end"]) == (0, len(LEASE))


def test_scores_lie_between_0_and_1_and_a_threshold_can_use_them(rag: LocalRAGSystem) -> None:
    rag.add_texts({"lease": LEASE, "leave": LEAVE, "other": "Penguins breed on the ice of Antarctica in winter."})
    scores = {chunk.doc_id: score for chunk, score in rag.retrieve("How much is the deposit of the flat?")}
    assert all(0.0 <= score <= 1.0 for score in scores.values())
    assert scores["lease"] > 0.5 > scores["other"]
    rag.config.min_score = 0.5
    rag.invalidate_cache()
    assert "other" not in {chunk.doc_id for chunk, _ in rag.retrieve("How much is the deposit of the flat?")}


def test_a_document_added_again_leaves_nothing_of_its_older_version(rag: LocalRAGSystem) -> None:
    rag.add_text(LEASE, doc_id="lease")
    rag.add_text(LEASE.replace("740", "910"), doc_id="lease")
    assert rag.stats["total_documents"] == 1
    texts = [chunk.text for chunk, _ in rag.retrieve("How much is the deposit?")]
    assert len(texts) == 1
    assert "910" in texts[0]


def test_the_same_text_cut_otherwise_is_indexed_anew(tmp_path: Path) -> None:
    text = " ".join(f"Sentence number {number} speaks of a deposit of {number} dinars." for number in range(60))
    for size, more_than in ((400, 1), (50, 10)):
        with RAGSystem.local(tmp_path, embedder="fast", config=RAGConfig(chunk_size=size, overlap=0)) as rag:
            chunks = rag.add_text(text, doc_id="list")
            assert chunks > more_than
            assert rag.vector_db.size == chunks == rag.stats["total_chunks"]


def test_removing_a_document_removes_it_for_everyone(rag: LocalRAGSystem) -> None:
    rag.add_texts({"lease": LEASE, "leave": LEAVE})
    assert rag.retrieve("deposit of the flat")
    assert rag.remove_document("lease") == 1
    assert rag.remove_document("lease") == 0
    assert [chunk.doc_id for chunk, _ in rag.retrieve("deposit of the flat")] == ["leave"]
    assert rag.stats["total_documents"] == rag.stats["total_chunks"] == 1


async def test_the_command_and_the_face_share_one_index(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(LEASE, "utf-8")
    async with RagSage.open(tmp_path / ".dalil", embedder="fast") as sage:
        await sage.ingest(RawSource("note.txt", path=note), Scope("default"))
    rag = RAGSystem.local(tmp_path / ".dalil")
    assert "740" in await rag.agenerate("How much is the deposit of the flat?")
    assert await rag.aadd_files([note]) == {"note.txt": 1}  # the same name and bytes: nothing was done again
    await rag.aadd_documents({"leave": LEAVE})
    rag.cleanup()
    async with RagSage.open(tmp_path / ".dalil") as sage:
        assert [document.source for document in await sage.documents(Scope("default"))] == ["leave", "note.txt"]
        assert "30 days" in (await sage.query("How many days of annual leave?", Scope("default"))).text


async def test_what_another_engine_adds_is_seen_at_once(tmp_path: Path) -> None:
    rag = RAGSystem.local(tmp_path, embedder="fast")
    rag.add_text(LEAVE, doc_id="leave")
    question = "How much is the deposit of the flat?"
    assert [chunk.doc_id for chunk, _ in rag.retrieve(question)] == ["leave"]
    assert rag.retrieve(question)
    assert rag.get_cache_stats()["hits"] == 1
    async with RagSage.open(tmp_path) as sage:
        await sage.ingest(RawSource("lease", content=LEASE), Scope("default"))
    assert rag.retrieve(question)[0][0].doc_id == "lease"
    rag.cleanup()


def test_files_of_every_format_are_read_and_bad_ones_stop_nothing(rag: LocalRAGSystem, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"# Lease\n\n{LEASE}", "utf-8")
    (tmp_path / "b.html").write_text(f"<html><body><p>{LEAVE}</p></body></html>", "utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.7 broken")
    counts = rag.add_files([tmp_path / "a.md", tmp_path / "b.html", tmp_path / "c.pdf", tmp_path / "missing.txt"])
    assert counts == {"a.md": 1, "b.html": 1, "c.pdf": 0, "missing.txt": 0}
    assert "740" in rag.ask("How much is the deposit of the flat?")
    assert rag.index_documents([str(tmp_path / "a.md")]) == {"a.md": 1}
    assert rag.stats["total_documents"] == 2


def test_filters_narrow_what_is_seen(rag: LocalRAGSystem) -> None:
    rag.add_documents(
        [
            LoadedDocument(LEASE, {"team": "housing", "source": "archive"}, "lease"),
            LoadedDocument(LEAVE, {"team": "people"}, "leave"),
        ]
    )
    housing = rag.where(team="housing")
    assert [chunk.doc_id for chunk, _ in housing.retrieve("annual leave")] == ["lease"]
    assert [chunk.doc_id for chunk, _ in rag.where(source="archive").retrieve("annual leave")] == ["lease"]
    assert rag.where(team=["housing", "people"]).retrieve("annual leave")[0][0].doc_id == "leave"
    assert rag.where(team="people").where(team="housing").retrieve("annual leave") == []
    assert "740" in housing.ask("How much is the deposit of the flat?")
    assert housing.ask("How many days of annual leave do employees get?") == "No relevant information found."
    assert "30 days" in rag.ask("How many days of annual leave do employees get?")


def test_namespaces_are_private(tmp_path: Path) -> None:
    with (
        RAGSystem.local(tmp_path, embedder="fast", namespace="a") as first,
        RAGSystem.local(tmp_path, embedder="fast", namespace="b") as second,
    ):
        first.add_text(LEASE, doc_id="lease")
        assert second.retrieve("deposit") == []
        assert second.remove_document("lease") == 0
        assert first.vector_db.size == 1
        assert second.vector_db.size == 0


class CharacterChunk:
    def __init__(self, text: str, doc_id: str) -> None:
        self.text = text
        self.doc_id = doc_id
        self.metadata: dict[str, Any] = {}


class CharacterChunker:
    def chunk(self, text: str, doc_id: str) -> list[CharacterChunk]:
        return [CharacterChunk(text[start : start + 60], doc_id) for start in range(0, len(text), 60)]


def test_chunks_of_a_foreign_chunker_become_pages(tmp_path: Path) -> None:
    with RAGSystem.local(tmp_path, embedder="fast", chunker=CharacterChunker()) as rag:
        documents = [LoadedDocument(LEASE, {"team": "housing"}, "lease")]
        assert rag.add_documents(documents) == {"lease": 2}
        found = {chunk.page: chunk.text for chunk, _ in rag.where(team="housing").retrieve("deposit of the flat")}
        assert found == {1: LEASE[:60], 2: LEASE[60:]}
        assert rag.answer("How much is the deposit of the flat?").citations[0].verified


def test_a_model_of_ones_own_gets_the_documented_prompt(tmp_path: Path) -> None:
    class Echo:
        prompts: ClassVar[list[str]] = []

        def generate(self, prompt: str, **kwargs: Any) -> str:
            self.prompts.append(prompt)
            return "It is 740 dinars [1]. And this is made up [7]."

    with RAGSystem.local(tmp_path, embedder="fast", llm=Echo(), enable_query_expansion=False) as rag:
        rag.add_text(LEASE, doc_id="lease")
        answer = rag.answer("How much is the deposit of the flat?")
        assert "[1] lease" in Echo.prompts[0]
        assert LEASE in Echo.prompts[0]
        assert answer.text == "It is 740 dinars [1]. And this is made up."
        assert [citation.marker for citation in answer.citations] == [1]


async def test_markers_that_lead_nowhere_are_shown_nowhere(tmp_path: Path) -> None:
    class Inventive:
        def generate(self, prompt: str, **kwargs: Any) -> str:
            return "It is 740 dinars [1]. Made up [7]."

        async def astream(self, prompt: str, **kwargs: Any) -> Any:
            for piece in ("It is 740 dinars [", "1]. Made up [", "7]."):
                yield piece

    rag = RAGSystem.local(tmp_path, embedder="fast", llm=Inventive(), enable_query_expansion=False)
    rag.add_text(LEASE, doc_id="lease")
    question, shown = "How much is the deposit of the flat?", "It is 740 dinars [1]. Made up."
    assert await asyncio.to_thread(rag.ask, question) == shown
    assert await rag.agenerate(question) == shown
    assert "".join([piece async for piece in rag.astream(question)]) == shown
    rag.cleanup()


async def test_the_asynchronous_twins_say_the_same(rag: LocalRAGSystem) -> None:
    await rag.aadd_documents({"lease": LEASE, "leave": LEAVE})
    question = "How much is the deposit of the flat?"
    text = await asyncio.to_thread(rag.generate, question)
    assert await rag.agenerate(question) == text
    assert "".join([piece async for piece in rag.astream(question)]) == text
    assert (await rag.aanswer(question)).text == rag.answer(question).text == text
    assert [(c.chunk_id, s) for c, s in await rag.aretrieve(question)] == [
        (c.chunk_id, s) for c, s in rag.retrieve(question)
    ]


@pytest.mark.parametrize("chunking", ["structure", "fixed_size", "sentence_aware", "recursive", "semantic"])
def test_every_chunking_strategy_can_be_chosen_by_name(tmp_path: Path, chunking: str) -> None:
    text = " ".join(f"Flat {number} has a deposit of {number * 10} dinars and a balcony." for number in range(40))
    with RAGSystem.local(tmp_path, embedder="fast", config=RAGConfig(60, 10, chunking=chunking)) as rag:
        assert rag.add_text(text, doc_id="flats") > 3
        answer = rag.answer("What is the deposit of flat 31?")
        assert "310" in answer.text
        assert all(citation.verified for citation in answer.citations)


def test_children_are_searched_and_parents_are_read(tmp_path: Path) -> None:
    text = "\n\n".join(f"Flat {n} has a deposit of {n * 10} dinars. Its colour is shade {n * 7}." for n in range(40))
    with RAGSystem.local(tmp_path, embedder="fast", config=RAGConfig(24, 0, chunking="parent_child")) as rag:
        rag.add_text(text, doc_id="flats")
        found = rag.retrieve("What is the deposit of flat 31?")
        best = found[0][0]
        assert "Flat 31 " in best.text
        assert len(best.text) > 2 * 80  # a parent holds several children
        assert len({chunk.chunk_id for chunk, _ in found}) == len(found)
        assert text[best.spans[0].start : best.spans[0].end] == best.text
        answer = rag.answer("What is the deposit of flat 31?")
        assert "310" in answer.text
        assert answer.citations[0].verified
        rag.remove_document("flats")
        assert rag.retrieve("What is the deposit of flat 31?") == []


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_alpha_weighs_meaning_against_words(tmp_path: Path, alpha: float) -> None:
    with RAGSystem.local(tmp_path, embedder="fast", alpha=alpha) as rag:
        rag.add_texts({"lease": LEASE, "leave": LEAVE})
        found = rag.retrieve("How much is the deposit of the flat?")
        assert found[0][0].doc_id == "lease"
        assert found[0][1] == pytest.approx(1.0)


def test_what_cannot_work_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no embedder named"):
        RAGSystem.local(tmp_path, embedder="nothing")
    with pytest.raises(ConfigurationError, match="no chunker named"):
        RAGSystem.local(tmp_path, chunker="nothing")
    with pytest.raises(ConfigurationError, match="alpha"):
        RAGSystem.local(tmp_path, alpha=1.5)
    with pytest.raises(ValueError, match="top_k"):
        RAGSystem.local(tmp_path, config=RAGConfig(top_k=0))
    assert list(tmp_path.iterdir()) == []


def test_another_embedder_is_refused_by_name(tmp_path: Path) -> None:
    with RAGSystem.local(tmp_path, embedder="fast") as rag:
        rag.add_text(LEASE, doc_id="lease")
    with RAGSystem.local(tmp_path, embedder="accurate") as rag, pytest.raises(EmbedderMismatchError):
        rag.add_text(LEAVE, doc_id="leave")
