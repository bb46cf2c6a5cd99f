"""The fakes that are not stores do what they promise, and importing them stays cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dalil import ports
from dalil.answering.prompts import Prompt
from dalil.errors import LoaderError
from dalil.fakes import (
    SMALL_TALK_REPLY,
    FakeChunker,
    FakeContextualizer,
    FakeDatabase,
    FakeDocumentParser,
    FakeEmbedder,
    FakeEngineKit,
    FakeLLMClient,
    FakePageClassifier,
    FakeQueryRewriter,
    FakeReranker,
    FakeTracer,
    FakeVectorStore,
)
from dalil.identity import document_id
from dalil.models import EmbeddedChunk, Page, PageImage, PageRoute, RawSource, ScoredChunk, Turn
from dalil.query import NOT_FOUND_MESSAGE

from .engines import SCOPE, a_chunk, a_document, a_vector
from .test_vectors import cosine


class Source:
    """Evidence as a prompt carries it."""

    def __init__(self, marker: int, text: str):
        self.marker, self.text = marker, text


def prompt(question: str, *texts: str, kind: str = "answer") -> Prompt:
    evidence = [Source(marker, text) for marker, text in enumerate(texts, start=1)]
    return Prompt("the text is not read", question=question, kind=kind, evidence=evidence)  # type: ignore[arg-type]


async def said(llm: FakeLLMClient, asked: str) -> list[str]:
    return [fragment async for fragment in llm.generate(asked)]


def test_importing_the_fakes_loads_no_numpy_and_no_engine() -> None:
    code = "import dalil.fakes, sys; print(sorted({'numpy', 'sqlite3', 'tantivy', 'pypdfium2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_kit_holds_a_fake_for_every_port() -> None:
    kit = FakeEngineKit()
    for name, port in {
        "parser": ports.DocumentParser,
        "classifier": ports.PageClassifier,
        "chunker": ports.Chunker,
        "contextualizer": ports.Contextualizer,
        "embedder": ports.Embedder,
        "reranker": ports.Reranker,
        "llm": ports.LLMClient,
        "vector_store": ports.VectorStore,
        "lexical_store": ports.LexicalStore,
        "document_store": ports.DocumentStore,
        "cache": ports.Cache,
        "tracer": ports.Tracer,
    }.items():
        assert isinstance(getattr(kit, name), port), name
    assert isinstance(FakeQueryRewriter(), ports.QueryRewriter)
    assert isinstance(FakeDatabase(), ports.Database)


async def test_the_kits_stores_share_one_state_and_kits_share_nothing() -> None:
    kit, other = FakeEngineKit(), FakeEngineKit()
    chunk = a_chunk("a.txt", 0, "green tea")
    await kit.document_store.save(SCOPE, a_document("a.txt", shop=1), [chunk])
    await kit.vector_store.upsert(SCOPE, [EmbeddedChunk(chunk, a_vector("green tea"))])
    assert len(await kit.vector_store.search(SCOPE.with_filters(shop=1), a_vector("x"), k=3)) == 1
    assert await other.document_store.list(SCOPE) == []
    await kit.document_store.delete(SCOPE, chunk.document_id)
    assert await kit.vector_store.search(SCOPE, a_vector("x"), k=3) == []


async def test_a_store_on_its_own_filters_by_the_chunks_metadata() -> None:
    store = FakeVectorStore()
    chunk = a_chunk("a.txt", 0, "green tea")
    await store.upsert(SCOPE, [EmbeddedChunk(chunk, a_vector("green tea"))])
    assert len(await store.search(SCOPE.with_filters(source="a.txt"), a_vector("x"), k=3)) == 1
    assert await store.search(SCOPE.with_filters(source="b.txt"), a_vector("x"), k=3) == []


def test_the_parser_reads_pages_and_keeps_metadata() -> None:
    parsed = FakeDocumentParser().parse(RawSource("dir\\دليل.txt", "one\ftwo", metadata={"shop": 1}))
    assert [(page.number, page.text) for page in parsed.pages] == [(1, "one"), (2, "two")]
    assert parsed.document.id == document_id("dir/دليل.txt")
    assert parsed.document.metadata == {"shop": 1}


def test_an_image_becomes_a_page_for_the_vision_model() -> None:
    [page] = FakeDocumentParser().parse(RawSource("scan.PNG", b"words in a picture")).pages
    assert page.image is not None
    assert page.image.data == b"words in a picture"
    assert FakePageClassifier().classify(page) is PageRoute.VISION
    assert FakePageClassifier().classify(Page(1, "text", page.image)) is PageRoute.TEXT
    assert FakePageClassifier().classify(Page(1)) is PageRoute.TEXT


def test_a_missing_file_is_a_document_error() -> None:
    with pytest.raises(LoaderError, match=r"missing\.txt"):
        FakeDocumentParser().parse(RawSource("missing.txt", path="/nowhere/missing.txt"))


@pytest.mark.parametrize(("size", "overlap"), [(1, 0), (3, 0), (3, 2), (4, 1), (100, 10)])
def test_chunks_are_windows_with_exact_spans(size: int, overlap: int) -> None:
    pages = [Page(1, "  one two\n three\tfour   five six seven \n"), Page(2, " "), Page(3, "ثمانية تسعة 😀 ten")]
    chunks = FakeChunker().chunk(a_document("a.txt"), pages, size=size, overlap=overlap)
    texts = {page.number: page.text for page in pages}
    for ordinal, chunk in enumerate(chunks):
        [span] = chunk.spans
        assert chunk.text == texts[span.page][span.start : span.end] == chunk.text.strip()
        assert (chunk.ordinal, chunk.page, chunk.id) == (ordinal, span.page, f"{chunk.document_id}:{ordinal}")
        assert len(chunk.text.split()) <= size
    words = [chunk.text.split()[overlap if number and chunk.page == chunks[number - 1].page else 0 :]
             for number, chunk in enumerate(chunks)]  # fmt: skip
    assert [word for window in words for word in window] == "\n".join(texts.values()).split()


async def test_the_contextualizer_names_the_source() -> None:
    text = await FakeContextualizer().contextualize(a_document("a.txt"), a_chunk("a.txt", 0, "tea"), full_text="tea")
    assert text == "[Context: a.txt] tea"


async def test_cosines_follow_shared_words() -> None:
    first, again, near, far, other_form, blank = await FakeEmbedder(256).embed(
        ["green tea leaves", "green tea leaves", "green tea bags", "quarterly revenue", "GREEN teas", "؟"]
    )
    assert first == again
    assert cosine(list(first), list(near)) == pytest.approx(2 / 3, abs=0.01)
    assert cosine(list(first), list(far)) == pytest.approx(0.0, abs=0.01)
    assert cosine(list(first), list(other_form)) > 0.8
    assert {len(first), len(blank)} == {256}
    assert sum(value * value for value in blank) == pytest.approx(1.0)


async def test_the_reranker_orders_by_shared_words_and_drops_strangers() -> None:
    candidates = [
        ScoredChunk(a_chunk("z.txt", 0, "coffee"), 0.9),
        ScoredChunk(a_chunk("b.txt", 0, "some tea"), 0.8),
        ScoredChunk(a_chunk("a.txt", 0, "the tea"), 0.7),
        ScoredChunk(a_chunk("c.txt", 0, "green tea"), 0.1),
    ]
    ranked = await FakeReranker().rerank("Is the tea green?", candidates, top_k=3)
    assert [scored.chunk.source for scored in ranked] == ["c.txt", "a.txt", "b.txt"]
    assert len(await FakeReranker().rerank("green tea", candidates, top_k=1)) == 1


async def test_the_llm_answers_verbatim_with_a_marker_in_fragments() -> None:
    llm = FakeLLMClient()
    asked = prompt("When does the library open?", "The café is shut.", "The  library opens\nat nine.")
    fragments = await said(llm, asked)
    assert "".join(fragments) == "The  library opens\nat nine. [2]"
    assert len(fragments) > 3
    assert llm.prompts == [asked]
    assert "".join(await said(llm, prompt("متى تفتح المكتبة؟", "تفتح المكتبةُ في التاسعة."))).endswith(" [1]")


async def test_the_llm_declines_without_evidence_and_answers_small_talk() -> None:
    llm = FakeLLMClient()
    assert "".join(await said(llm, prompt("Who is the king?", "The library opens at nine."))) == NOT_FOUND_MESSAGE
    assert "".join(await said(llm, "a plain prompt about libraries")) == NOT_FOUND_MESSAGE
    assert "".join(await said(llm, prompt("hello", kind="conversation"))) == SMALL_TALK_REPLY
    assert await llm.transcribe(PageImage("p", "نص".encode())) == "نص"


async def test_the_rewriter_folds_earlier_words_in() -> None:
    rewriter = FakeQueryRewriter()
    history = [Turn("What does Acme sell?", "Anvils. [1]"), Turn("Who founded Acme?", "Wile. [1]")]
    assert await rewriter.rewrite("What about its pricing?", history) == "What about its pricing? Acme sell founded"
    assert await rewriter.rewrite("What about its pricing?", []) == "What about its pricing?"


def test_the_tracer_remembers_events_and_spans() -> None:
    tracer = FakeTracer()
    tracer.event("parsed", pages=2)
    with tracer.span("query", tenant="t", outcome=None) as root:
        root.set(outcome="answered")
        with root.child("retrieve", dense=3):
            pass
    with pytest.raises(ValueError, match="broken"), tracer.span("other"):
        raise ValueError("broken")
    assert (tracer.events, tracer.names()) == ([("parsed", {"pages": 2})], ["parsed"])
    assert [span.name for span in tracer.spans] == ["query", "other"]
    assert [(span.name, span.tenant) for span in tracer.all_spans()] == [
        ("query", "t"), ("retrieve", "t"), ("other", None),
    ]  # fmt: skip
    retrieve, query, other = (tracer.find_span(name) for name in ("retrieve", "query", "other"))
    assert retrieve is not None
    assert retrieve.attributes == {"dense": 3}
    assert query is not None
    assert (query.attributes, query.children, query.error) == ({"outcome": "answered"}, [retrieve], None)
    assert other is not None
    assert other.error == "ValueError: broken"
    assert tracer.find_span("generate") is None
