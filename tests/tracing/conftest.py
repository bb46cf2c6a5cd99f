"""An engine over fakes that tells a given tracer everything."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dalil.fakes import FakeEngineKit, FakeQueryRewriter
from dalil.ingestion import IngestionPipeline
from dalil.models import Answer, Turn
from dalil.ports import Tracer
from dalil.query import QueryEngine
from query.conftest import SCOPE, engine_of, fill

QUESTION = "How many days of paid leave?"
PASSAGE = "Employees get twenty-two days of paid leave."
HISTORY = [Turn("Is it paid leave?", "Yes. [1]")]


class Secret(Exception):
    """A failure whose message says something of a document."""


class BrokenReranker:
    async def rerank(self, query: str, candidates: Sequence[object], *, top_k: int) -> list[object]:
        raise Secret(PASSAGE)


@pytest.fixture
async def kit() -> FakeEngineKit:
    """Fakes of everything, with the house rules stored."""
    return await fill(FakeEngineKit())


def engine(kit: FakeEngineKit, tracer: Tracer, **replaced: object) -> QueryEngine:
    """An engine that rewrites follow-up questions."""
    return engine_of(kit, **{"tracer": tracer, "rewriter": FakeQueryRewriter(), **replaced})


async def ask(kit: FakeEngineKit, tracer: Tracer, question: str = QUESTION, **replaced: object) -> Answer:
    """The answer to a follow-up question, traced."""
    return await engine(kit, tracer, **replaced).query(question, SCOPE, history=HISTORY)


def pipeline(kit: FakeEngineKit, tracer: Tracer) -> IngestionPipeline:
    """An ingestion pipeline that is traced."""
    return IngestionPipeline(
        parser=kit.parser,
        classifier=kit.classifier,
        chunker=kit.chunker,
        contextualizer=kit.contextualizer,
        embedder=kit.embedder,
        vector_store=kit.vector_store,
        lexical_store=kit.lexical_store,
        document_store=kit.document_store,
        llm=kit.llm,
        cache=kit.cache,
        tracer=tracer,
    )
