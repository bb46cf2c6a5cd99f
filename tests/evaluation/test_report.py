"""Means, intervals, groups and thresholds of a whole run."""

from __future__ import annotations

import pytest

from dalil import NOT_FOUND_MESSAGE
from dalil.evaluation import EvalExample, EvalReport, EvalThresholds
from dalil.evaluation.results import EvalCaseResult, score

from .building import cited, declined


def known(answer: str = "Paris", lang: str = "en") -> EvalCaseResult:
    return score(EvalExample("Where?", expected_answer="Paris", lang=lang), cited(f"{answer} [1]", answer))


def unknown(*, refused: bool) -> EvalCaseResult:
    example = EvalExample("Where?", ground_truth_answer=NOT_FOUND_MESSAGE)
    return score(example, declined() if refused else cited("Paris [1]", "Paris"))


def test_an_empty_run_is_zeros() -> None:
    report = EvalReport.of([])
    assert report == EvalReport((), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert (report.mean_citation_precision, report.mean_citation_recall) == (0.0, 0.0)
    assert not report.check(EvalThresholds()).passed
    assert report.measures["correct"].value is None


def test_means_are_plain_means() -> None:
    report = EvalReport.of([known(), known("Rome"), unknown(refused=True), unknown(refused=False)])
    assert report.answer_accuracy == 0.75
    assert report.grounded_rate == 0.75
    assert report.mean_faithfulness == 1.0
    assert report.mean_context_precision == report.mean_citation_precision == 1.0
    assert report.measures["correct"].value == 0.5


def test_refusals() -> None:
    wrongly = score(EvalExample("Where?", expected_answer="Paris"), declined())
    report = EvalReport.of([wrongly, known(), unknown(refused=True), unknown(refused=True), unknown(refused=False)])
    assert report.measures["refusal_precision"].value == pytest.approx(2 / 3)
    assert report.measures["refusal_recall"].value == pytest.approx(2 / 3)
    assert report.measures["refusal_precision"].cases == 3


def test_thresholds_that_are_missed_are_named() -> None:
    report = EvalReport.of([known(), known("Rome")])
    check = report.check(EvalThresholds(answer_relevancy=0.6, correct=0.9, refusal_recall=0.5))
    assert not check.passed
    assert check.failures == (
        "answer_relevancy: 0.500 is below 0.60",
        "correct: 0.500 is below 0.90",
        "refusal_recall: not measured, 0.50 is needed",
    )


def test_a_mean_at_its_threshold_passes() -> None:
    report = EvalReport((), 1.0, 0.7, 0.6, 0.7, 0.7, 1.0)
    assert report.check(EvalThresholds()).passed
    assert EvalReport((), 1.0, 0.69, 0.6, 0.7, 0.7, 1.0).check(EvalThresholds()).failures == (
        "faithfulness: 0.690 is below 0.70",
    )


def test_groups() -> None:
    report = EvalReport.of([known(), known("Rome", lang="ar"), unknown(refused=True)])
    groups = report.groups("lang")
    assert {name: len(group.results) for name, group in groups.items()} == {"ar": 1, "en": 1}
    assert groups["ar"].measures["correct"].value == 0.0
