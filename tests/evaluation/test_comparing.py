"""A run against a baseline."""

from __future__ import annotations

from typing import Any

import pytest

from dalil.errors import ConfigurationError
from dalil.evaluation import EvalExample, EvalReport, compare, report_json
from dalil.evaluation.results import score

from .building import cited

CASES = 40


def run(wrong: int, first: int = 0) -> dict[str, Any]:
    """A report of forty questions, the first `wrong` of them wrong, numbered from `first`."""
    results = []
    for number in range(CASES):
        answer = "Rome" if number < wrong else "Paris"
        example = EvalExample("Where?", expected_answer="Paris", id=f"q{number + first}")
        results.append(score(example, cited(f"{answer} [1]", answer)))
    return report_json(EvalReport.of(results))


def changes(new: dict[str, Any], old: dict[str, Any]) -> dict[str, Any]:
    return {change.name: change for change in compare(new, old)}


def test_the_same_run_has_not_changed() -> None:
    for change in compare(run(3), run(3)):
        assert (change.before, change.interval) == (change.after, (0.0, 0.0))
        assert not change.worse
        assert not change.better


def test_much_worse_and_much_better() -> None:
    worse = changes(run(10), run(0))
    assert worse["correct"].worse
    assert not worse["faithfulness"].worse
    assert (worse["correct"].before, worse["correct"].after) == (1.0, 0.75)
    assert changes(run(0), run(10))["correct"].better


def test_one_question_more_or_less_is_chance() -> None:
    assert not changes(run(1), run(0))["correct"].worse


def test_only_questions_of_both_runs_are_compared() -> None:
    change = changes(run(0), run(0, first=30))["correct"]
    assert change.cases == 10


def test_what_is_neither_good_nor_bad_is_not_compared() -> None:
    assert "grounded_rate" not in changes(run(0), run(0))
    assert "judged" not in changes(run(0), run(0))


@pytest.mark.parametrize("baseline", [{}, [], None, {"version": 99, "cases": []}, {"version": 1, "cases": [{}]}])
def test_what_is_no_baseline(baseline: Any) -> None:
    with pytest.raises(ConfigurationError, match="baseline"):
        compare(run(0), baseline)


def test_a_baseline_of_other_questions() -> None:
    with pytest.raises(ConfigurationError, match="none of these"):
        compare(run(0), run(0, first=1000))
