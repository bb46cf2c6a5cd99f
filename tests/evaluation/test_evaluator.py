"""The evaluator over engines: what it asks them, and what it makes of their search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dalil import Answer, Chunk, QueryOptions, Scope, ScoredChunk, Turn
from dalil.evaluation import EvalExample, Evaluator

from .building import cited

SCOPE = Scope("evaluated")
HISTORY = (Turn("Who built the tower?", "Salim Haddad."),)


class Engine:
    """Answers everything the same, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Scope, QueryOptions | None, Sequence[Turn]]] = []

    async def query(
        self, question: str, scope: Scope, options: QueryOptions | None = None, *, history: Sequence[Turn] = ()
    ) -> Answer:
        self.asked.append((question, scope, options, history))
        return cited("said [1]", "said")


class SearchingEngine(Engine):
    """Finds three passages of two documents."""

    def __init__(self) -> None:
        super().__init__()
        self.searched: list[tuple[str, int]] = []

    async def search(self, question: str, scope: Scope, *, k: int = 10, options: Any = None) -> list[ScoredChunk]:
        self.searched.append((question, k))
        return [ScoredChunk(Chunk(f"{name}:0", name, "text", 1, 0), 1.0) for name in ("a", "a", "b")]


class Rewriter:
    async def rewrite(self, question: str, history: Sequence[Turn]) -> str:
        return f"{question} ({history[-1].question})"


class BrokenRewriter:
    async def rewrite(self, question: str, history: Sequence[Turn]) -> str:
        raise ValueError("no")


async def test_questions_are_asked_in_scope_with_options_and_history() -> None:
    engine, options = Engine(), QueryOptions(context_k=1)
    await Evaluator(engine, SCOPE, options=options).evaluate([EvalExample("Where?", history=HISTORY)])
    assert engine.asked == [("Where?", SCOPE, options, HISTORY)]


async def test_an_engine_that_only_answers_has_no_ranking() -> None:
    report = await Evaluator(Engine(), SCOPE).evaluate([EvalExample("?", relevant_document_ids=frozenset({"a"}))])
    assert report.results[0].ranking is None
    assert report.measures["ndcg"].value is None


async def test_a_search_is_ranked_by_documents() -> None:
    engine = SearchingEngine()
    report = await Evaluator(engine, SCOPE).evaluate(
        [EvalExample("Where?", relevant_document_ids=frozenset({"b"})), EvalExample("Unlabelled?")]
    )
    assert report.results[0].ranking == ("a", "b")
    assert report.measures["mrr"].value == 0.5
    assert engine.searched == [("Where?", 20)]


@pytest.mark.parametrize(
    ("rewriter", "searched"),
    [(Rewriter(), "And when? (Who built the tower?)"), (BrokenRewriter(), "And when?"), (None, "And when?")],
)
async def test_follow_ups_are_searched_for_as_the_engine_does(rewriter: Any, searched: str) -> None:
    engine = SearchingEngine()
    example = EvalExample("And when?", relevant_document_ids=frozenset({"b"}), history=HISTORY)
    await Evaluator(engine, SCOPE, rewriter=rewriter).evaluate([example])
    assert [question for question, _ in engine.searched] == [searched]


async def test_each_result_is_told_as_it_comes() -> None:
    told: list[str] = []
    await Evaluator(Engine(), SCOPE).evaluate(
        [EvalExample("One?"), EvalExample("Two?")], on_result=lambda result: told.append(result.example.question)
    )
    assert told == ["One?", "Two?"]


async def test_an_empty_data_set() -> None:
    report = await Evaluator(Engine(), SCOPE).evaluate([])
    assert report.results == ()
    assert report.answer_accuracy == report.grounded_rate == 0.0
