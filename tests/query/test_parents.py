"""Children are found, their parents are read and cited."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dalil import QueryOptions
from dalil.answering.extractive import ExtractiveAnswerer, SentenceWeights
from dalil.chunking import ParentChildChunker
from dalil.fakes import FakeEmbedder, FakeEngineKit
from dalil.models import Document, EmbeddedChunk, EmbeddedSentence, EmbeddedSentences, Page, Span, Vector
from dalil.scope import Scope
from dalil.text import sentences_of

from .conftest import SCOPE, ScriptedLLM, engine_of

LEAVE = "Employees get twenty-two days of paid leave. Leave is asked for in writing. It is never paid out in money."
TEA = "يقدم الشاي في الساعة الرابعة. يشرب الشاي في الحديقة."
PARKING = "Parking is free for visitors on Fridays. Bring your own car."
PAGES = [Page(1, f"# Leave\n\n{LEAVE}"), Page(2, f"# Parking\n\n{PARKING}\n\n# الشاي\n\n{TEA}")]
QUESTION = "How is leave asked for?"


class SentenceSpace(FakeEmbedder):
    """The fake embedder with a space for sentences."""

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self.embed(texts)


async def fill(kit: FakeEngineKit, name: str = "handbook", scope: Scope = SCOPE, **metadata) -> None:
    document = Document(name, f"{name}.md", f"hash of {name}", metadata)
    chunks = ParentChildChunker(parent_size=60).chunk(document, PAGES, size=15, overlap=0)
    await kit.document_store.save(scope, document, chunks)
    await kit.document_store.save_pages(scope, name, PAGES)
    vectors = await kit.embedder.embed([chunk.text for chunk in chunks])
    await kit.vector_store.upsert(scope, [EmbeddedChunk(*pair) for pair in zip(chunks, vectors, strict=True)])
    await kit.lexical_store.index(scope, chunks)
    for chunk in chunks:
        places = sentences_of(chunk)
        found = await kit.embedder.embed([chunk.text[start:end] for start, end in places])
        sentences = [EmbeddedSentence(*place, vector) for place, vector in zip(places, found, strict=True)]
        await kit.vector_store.save_sentences(scope, [EmbeddedSentences(chunk.id, sentences)])


@pytest.fixture
async def kit() -> FakeEngineKit:
    """Fakes of everything, with a handbook cut into parents and children."""
    kit = FakeEngineKit(embedder=SentenceSpace())
    await fill(kit)
    return kit


def context_ids(kit: FakeEngineKit) -> list[str]:
    (span,) = [span for span in kit.tracer.all_spans() if span.name == "prompt"]
    return span.attributes["context_ids"]


async def test_the_model_reads_the_parent(kit: FakeEngineKit):
    llm = ScriptedLLM("In writing. [1]")
    await engine_of(kit, llm=llm).query(QUESTION, SCOPE)
    assert f"# Leave\n\n{LEAVE}" in llm.prompts[0]
    assert context_ids(kit)[0] == "handbook:p0"


async def test_a_search_still_gives_the_children(kit: FakeEngineKit):
    found = await engine_of(kit).search(QUESTION, SCOPE, k=2)
    assert all(":p" not in scored.chunk.id for scored in found)
    assert "asked for in writing" in found[0].chunk.text


@pytest.mark.parametrize(("question", "quote"), [(QUESTION, LEAVE.split(". ")[1] + "."), ("أين يشرب الشاي؟", TEA[30:])])
async def test_quotes_from_a_parent_are_checked(kit: FakeEngineKit, question: str, quote: str):
    llm = ExtractiveAnswerer(sentences=1, weights=SentenceWeights(similarity=1.0, coverage=0.0, passage=0.0))
    answer = await engine_of(kit, llm=llm).query(question, SCOPE)
    (citation,) = answer.citations
    assert (citation.quote, citation.verified) == (quote.strip(), True)
    assert PAGES[citation.page - 1].text[citation.start : citation.end] == quote.strip()


async def test_the_best_sentence_is_found_by_its_similarity(kit: FakeEngineKit):
    weights = SentenceWeights(similarity=1.0, coverage=0.0, passage=0.0)
    answer = await engine_of(kit, llm=ExtractiveAnswerer(sentences=1, weights=weights)).query(QUESTION, SCOPE)
    assert answer.text == "Leave is asked for in writing. [1]"


async def test_a_word_of_the_parent_outside_the_child_can_be_cited(kit: FakeEngineKit):
    llm = ScriptedLLM("It is never paid out in money. [1]")
    (citation,) = (await engine_of(kit, llm=llm).query(QUESTION, SCOPE)).citations
    assert citation.quote == "It is never paid out in money."
    assert citation.verified
    start = PAGES[0].text.index("It is never")
    assert citation.spans == (Span(1, start, len(PAGES[0].text)),)


async def test_context_k_counts_parents(kit: FakeEngineKit):
    options = QueryOptions(rerank_k=8, context_k=2)
    await engine_of(kit, reranker=None).query("leave days paid money writing parking", SCOPE, options)
    assert len(context_ids(kit)) == len(set(context_ids(kit))) == 2


async def test_without_pages_the_children_are_read(kit: FakeEngineKit):
    await engine_of(kit, page_store=None).query(QUESTION, SCOPE)
    assert context_ids(kit)
    assert all(":p" not in chunk_id for chunk_id in context_ids(kit))


async def test_filters_hold(kit: FakeEngineKit):
    await fill(kit, "other", team="garden")
    await engine_of(kit).query(QUESTION, SCOPE.with_filters(team="garden"))
    assert context_ids(kit)
    assert all(chunk_id.startswith("other:p") for chunk_id in context_ids(kit))


async def test_a_deleted_document_is_in_no_context(kit: FakeEngineKit):
    await fill(kit, "other")
    await kit.document_store.delete(SCOPE, "handbook")
    await engine_of(kit).query(QUESTION, SCOPE)
    assert all(chunk_id.startswith("other:p") for chunk_id in context_ids(kit))
