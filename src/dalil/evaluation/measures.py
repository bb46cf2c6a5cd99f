"""Every measure of a report: what it is called, what it means, and what one case says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dalil.evaluation.intervals import Interval, interval_of
from dalil.evaluation.results import EvalCaseResult


@dataclass(frozen=True)
class Measure:
    """A mean over the cases that `value` is not None for. `better` is False where more is not better."""

    name: str
    label: str
    meaning: str
    value: Callable[[EvalCaseResult], float | None]
    better: bool = True


@dataclass(frozen=True)
class Measured:
    """A measure's mean with its 95 % interval, over so many cases; None over none."""

    value: float | None
    interval: Interval
    cases: int


def _refusal_precision(result: EvalCaseResult) -> float | None:
    wanted = result.example.should_answer
    return None if wanted is None or not result.declined else float(not wanted)


def _refusal_recall(result: EvalCaseResult) -> float | None:
    return float(result.declined) if result.example.should_answer is False else None


def _correct(result: EvalCaseResult) -> float | None:
    return None if result.correct is None else float(result.correct)


MEASURES: tuple[Measure, ...] = (
    Measure("correct", "correct", "answered as expected, or declined what the documents do not hold", _correct),
    Measure(
        "answer_accuracy",
        "answer matched",
        "the answer contains what was expected",
        lambda result: float(result.answer_matched),
    ),
    Measure("faithfulness", "faithfulness", "the quotes cover the answer's words", lambda result: result.faithfulness),
    Measure(
        "answer_relevancy",
        "answer relevancy",
        "the answer covers the reference's words",
        lambda result: result.answer_relevancy,
    ),
    Measure(
        "context_precision",
        "context precision",
        "the cited documents are relevant ones",
        lambda result: result.context_precision,
    ),
    Measure(
        "context_recall",
        "context recall",
        "the relevant documents are cited",
        lambda result: result.context_recall,
    ),
    Measure(
        "sentence_citation_precision",
        "sentence citation precision",
        "a citation supports its sentence",
        lambda result: result.sentence_citation_precision,
    ),
    Measure(
        "sentence_citation_recall",
        "sentence citation recall",
        "a sentence is supported by its quotes",
        lambda result: result.sentence_citation_recall,
    ),
    Measure(
        "refusal_precision",
        "refusal precision",
        "what was declined has no answer in the documents",
        _refusal_precision,
    ),
    Measure("refusal_recall", "refusal recall", "what has no answer in the documents was declined", _refusal_recall),
    Measure("ndcg", "nDCG@10", "relevant documents stand at the top of the search", lambda result: result.ndcg),
    Measure("recall", "recall@10", "relevant documents are among the first ten", lambda result: result.recall),
    Measure("mrr", "MRR", "one over the rank of the first relevant document", lambda result: result.reciprocal_rank),
    Measure("judged", "judged", "a model's mark for the answer", lambda result: result.judged),
    Measure(
        "grounded_rate",
        "grounded",
        "share of questions answered from the documents",
        lambda result: float(result.answer.grounded),
        better=False,
    ),
)
BY_NAME = {measure.name: measure for measure in MEASURES}


def measured(values: Iterable[float | None]) -> Measured:
    """The mean of the values that there are."""
    known = [value for value in values if value is not None]
    return Measured(mean(known) if known else None, interval_of(known), len(known))


def mean(values: Sequence[float]) -> float:
    """The plain mean; 0.0 of nothing."""
    return sum(values) / len(values) if values else 0.0
