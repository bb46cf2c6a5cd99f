"""A quick look at how well a system answers: questions with their expected answers, in Arabic and English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dalil.errors import ConfigurationError
from dalil.rag.components import call
from dalil.text import analyze, normalise

Result = dict[str, Any]
SHARED_WORDS = 3
"""A source that shares more of the question's words than this bears on it; so does one that holds half of them."""


class RAGEvaluator:
    """Asks a system its test cases and summarises what came back.

    A system has `query(question) -> {"answer", "sources"}`, or `ask(question) -> str`, of which only the answers can be
    scored. A case is a failure when its answer scores below `failing_below`; without an expected answer, when its
    sources do.

    Words are compared as the search compares them: stemmed, without stop words, Arabic spellings folded.
    """

    def __init__(self, failing_below: float = 0.3):
        self.failing_below = failing_below

    def evaluate(self, rag_system: Any, test_cases: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """The summary of all `test_cases`, each {"question": str, "expected_answer": str}; see `summarize`.

        A case that raises is a failure with its error; the others are asked all the same.

        Raises:
            ConfigurationError: for a system that cannot be asked, or a case without its question.
        """
        if not (callable(getattr(rag_system, "query", None)) or callable(getattr(rag_system, "ask", None))):
            raise ConfigurationError(
                f"A {type(rag_system).__name__} cannot be asked.", advice="Give it a method `query` or `ask`."
            )
        cases = list(test_cases)
        for number, case in enumerate(cases, start=1):
            if not str(case.get("question") or "").strip():
                raise ConfigurationError(f"Test case {number} has no question.")
        return self.summarize([self._asked(rag_system, case) for case in cases])

    def check_source_relevance(self, question: str, sources: Sequence[Mapping[str, Any]]) -> float:
        """The share of `sources` ({"text": str}) that bear on the question; 0.0 without any."""
        wanted = set(analyze(question))
        shared = [len(wanted & set(analyze(str(source.get("text", ""))))) for source in sources]
        bearing = [words > SHARED_WORDS or (words > 0 and 2 * words >= len(wanted)) for words in shared]
        return sum(bearing) / len(bearing) if bearing else 0.0

    def check_answer(self, expected: str, actual: str) -> float:
        """1.0 if the answer contains what was expected, else the share of the expected words in it, from 0 to 1."""
        wanted = " ".join(normalise(expected).split())
        if wanted in " ".join(normalise(actual).split()):
            return 1.0
        words = set(analyze(expected))
        return len(words & set(analyze(actual))) / len(words) if words else 0.0

    def summarize(self, results: Sequence[Result]) -> dict[str, Any]:
        """Number of cases, means, and the failures; a mean is None where no case has what it is taken over.

        Gives total_cases, avg_sources_retrieved, avg_source_relevance, avg_answer_score, example_failures, and the
        results themselves.
        """
        return {
            "total_cases": len(results),
            "avg_sources_retrieved": _mean(results, "retrieved_sources"),
            "avg_source_relevance": _mean(results, "source_relevance"),
            "avg_answer_score": _mean(results, "answer_score"),
            "example_failures": [result for result in results if self._failed(result)],
            "results": list(results),
        }

    def _asked(self, rag_system: Any, case: Mapping[str, Any]) -> Result:
        question, expected = str(case["question"]), str(case.get("expected_answer") or "")
        result: Result = {"question": question, "expected": expected}
        try:
            if callable(getattr(rag_system, "query", None)):
                reply = call(rag_system.query, question)
                sources = list(reply["sources"])
                relevance = self.check_source_relevance(question, sources)
                result |= {"actual": str(reply["answer"]), "retrieved_sources": len(sources)}
                result |= {"source_relevance": relevance}
            else:
                result["actual"] = str(call(rag_system.ask, question))
        except Exception as error:
            return result | {"actual": "", "answer_score": 0.0, "error": str(error) or type(error).__name__}
        return result | ({"answer_score": self.check_answer(expected, result["actual"])} if expected else {})

    def _failed(self, result: Result) -> bool:
        scores = [result[name] for name in ("answer_score", "source_relevance") if name in result]
        return "error" in result or any(score < self.failing_below for score in scores[:1])


def _mean(results: Sequence[Result], name: str) -> float | None:
    """The mean of what the results have; None where none of them has it, and 0.0 where there are no results."""
    if not results:
        return 0.0
    found = [float(result[name]) for result in results if name in result]
    return sum(found) / len(found) if found else None
