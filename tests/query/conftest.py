"""An engine over fakes, with a small house rule book in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import pytest

from dalil.fakes import FakeEngineKit
from dalil.models import AnswerEvent, Chunk, Document, EmbeddedChunk, Page, PageImage, Span
from dalil.query import QueryEngine
from dalil.scope import Scope

SCOPE = Scope("house")

RULES = {
    "leave": "Employees get twenty-two days of paid leave.",
    "parking": "Parking is free for visitors on Fridays.",
    "laptops": "Laptops are replaced every four years.",
    "tea": "يقدم الشاي في الساعة الرابعة.",
}


class ScriptedLLM:
    """Says the same fragments whatever it is asked, and remembers what it was asked."""

    def __init__(self, *fragments: str) -> None:
        self.fragments = fragments
        self.prompts: list[str] = []
        self.closed = False

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        self.prompts.append(prompt)
        try:
            for fragment in self.fragments:
                yield fragment
        finally:
            self.closed = True

    async def transcribe(self, image: PageImage) -> str:
        raise AssertionError("no question needs a picture")


class Counted:
    """Wraps any adapter and counts the calls of its methods."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.calls: list[str] = []

    def __getattr__(self, name: str):
        self.calls.append(name)
        return getattr(self._inner, name)


async def fill(kit: FakeEngineKit, scope: Scope = SCOPE) -> FakeEngineKit:
    for name, text in RULES.items():
        document = Document(name, f"{name}.txt", f"hash of {name}", {"topic": name})
        chunk = Chunk(
            f"{name}:0", name, text, 1, 0, metadata={"source": document.source}, spans=(Span(1, 0, len(text)),)
        )
        (vector,) = await kit.embedder.embed([text])
        await kit.document_store.save(scope, document, [chunk])
        await kit.document_store.save_pages(scope, name, [Page(1, text)])
        await kit.vector_store.upsert(scope, [EmbeddedChunk(chunk, vector)])
        await kit.lexical_store.index(scope, [chunk])
    return kit


@pytest.fixture
async def kit() -> FakeEngineKit:
    """Fakes of everything, with the house rules stored."""
    return await fill(FakeEngineKit())


def engine_of(kit: FakeEngineKit, **replaced) -> QueryEngine:
    """A query engine over a kit; any part may be replaced."""
    parts = {
        "embedder": kit.embedder,
        "vector_store": kit.vector_store,
        "lexical_store": kit.lexical_store,
        "reranker": kit.reranker,
        "llm": kit.llm,
        "tracer": kit.tracer,
        "page_store": kit.document_store,
    }
    return QueryEngine(**{**parts, **replaced})


async def events_of(engine: QueryEngine, question: str, **options) -> Sequence[AnswerEvent]:
    return [event async for event in engine.stream(question, SCOPE, **options)]
