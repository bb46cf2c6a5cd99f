"""A labelled set of questions, put to an engine and scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from dalil.config import QueryOptions
from dalil.evaluation.examples import EvalExample
from dalil.evaluation.judging import Judge
from dalil.evaluation.ranking import DEPTH
from dalil.evaluation.report import EvalReport
from dalil.evaluation.results import EvalCaseResult, score
from dalil.models import Answer, ScoredChunk, Turn
from dalil.offloop import off_loop
from dalil.ports import QueryRewriter
from dalil.scope import Scope

OnResult = Callable[[EvalCaseResult], None]


class Answering(Protocol):
    """What is measured: a QueryEngine, a RagSage, or anything that answers as they do."""

    async def query(
        self, question: str, scope: Scope, options: QueryOptions | None = None, *, history: Sequence[Turn] = ()
    ) -> Answer: ...


@runtime_checkable
class Searching(Protocol):
    """An engine whose search can be measured too."""

    async def search(
        self, question: str, scope: Scope, *, k: int = 10, options: QueryOptions | None = None
    ) -> Sequence[ScoredChunk]: ...


class Evaluator:
    """Scores an engine against a labelled data set in `scope`.

    An engine with a `search` has its ranking of documents measured as well; `rewriter` is the engine's own, by which a
    follow-up is searched for as the engine searches for it. `judge` gives its opinion of each answer.
    """

    def __init__(
        self,
        engine: Answering,
        scope: Scope,
        *,
        options: QueryOptions | None = None,
        judge: Judge | None = None,
        rewriter: QueryRewriter | None = None,
    ):
        self._engine = engine
        self._scope = scope
        self._options = options
        self._judge = judge
        self._rewriter = rewriter

    async def evaluate(self, dataset: Sequence[EvalExample], *, on_result: OnResult | None = None) -> EvalReport:
        """Ask every example, one after the other, and sum the scores up. `on_result` hears of each as it is scored.

        Raises:
            Exception: whatever the engine raises: a question that could not be asked measures nothing.
        """
        results = []
        for example in dataset:
            answer = await self._engine.query(example.question, self._scope, self._options, history=example.history)
            result = score(
                example,
                answer,
                ranking=await self._ranking(example),
                judged=None if self._judge is None else await self._judge.judge(example, answer),
            )
            results.append(result)
            if on_result is not None:
                on_result(result)
        return EvalReport.of(results)

    async def _ranking(self, example: EvalExample) -> tuple[str, ...] | None:
        """The documents found, each by its best passage."""
        if not example.relevant_document_ids or not isinstance(self._engine, Searching):
            return None
        question = await self._resolved(example)
        k = max(DEPTH, (self._options or QueryOptions()).retrieve_k)
        found = await self._engine.search(question, self._scope, k=k, options=self._options)
        return tuple(dict.fromkeys(scored.chunk.document_id for scored in found))

    async def _resolved(self, example: EvalExample) -> str:
        if self._rewriter is None or not example.history:
            return example.question
        try:
            return (await off_loop(_rewritten(self._rewriter, example))).strip() or example.question
        except Exception:  # the engine, too, asks the raw question then
            return example.question


async def _rewritten(rewriter: QueryRewriter, example: EvalExample) -> str:
    return await rewriter.rewrite(example.question, example.history)
