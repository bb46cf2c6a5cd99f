"""RAGEvaluator: test cases asked of any system, scored in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from dalil import ConfigurationError, RAGEvaluator

CASES = [
    {"question": "How many days of annual leave do employees get?", "expected_answer": "30 days"},
    {"question": "كم يومًا مدة الإجازة السنوية للموظفين؟", "expected_answer": "ثلاثون يومًا"},
]
SOURCES = {
    "How": [{"text": "Employees get 30 days of annual leave each year."}, {"text": "Penguins breed on ice."}],
    "كم": [{"text": "تبلغ مدّة الاجازة السنويّة للموظّفين ثلاثين يوما."}],
}


class Asked:
    """Answers by the question's first word."""

    def __init__(self, **answers: str):
        self.answers = answers

    def query(self, question: str) -> dict[str, Any]:
        first = question.split()[0]
        if self.answers[first] == "fail":
            raise RuntimeError("down")
        return {"answer": self.answers[first], "sources": SOURCES[first]}


def test_sources_and_answers_are_scored_in_both_languages() -> None:
    summary = RAGEvaluator().evaluate(Asked(How="They get 30 days.", كم="ثلاثون يوما [1]."), CASES)
    assert summary["total_cases"] == 2
    assert summary["avg_sources_retrieved"] == 1.5
    assert summary["avg_source_relevance"] == 0.75
    assert summary["avg_answer_score"] == 1.0
    assert summary["example_failures"] == []


def test_wrong_answers_are_listed_with_what_was_expected() -> None:
    summary = RAGEvaluator().evaluate(Asked(How="Nobody knows.", كم="ثلاثون يومًا"), CASES)
    (failure,) = summary["example_failures"]
    assert (failure["expected"], failure["actual"], failure["answer_score"]) == ("30 days", "Nobody knows.", 0.0)
    assert summary["avg_answer_score"] == 0.5


def test_without_an_expected_answer_the_sources_decide() -> None:
    cases = [{"question": case["question"]} for case in CASES]
    summary = RAGEvaluator(failing_below=0.6).evaluate(Asked(How="Nobody knows.", كم="ثلاثون"), cases)
    assert [failure["question"] for failure in summary["example_failures"]] == [CASES[0]["question"]]
    assert summary["avg_answer_score"] is None


def test_a_case_that_raises_is_a_failure_and_stops_nothing() -> None:
    summary = RAGEvaluator().evaluate(Asked(How="fail", كم="ثلاثون يومًا"), CASES)
    assert [failure.get("error") for failure in summary["example_failures"]] == ["down"]
    assert summary["avg_answer_score"] == 0.5


def test_a_system_that_only_answers_has_its_answers_scored() -> None:
    class Speaker:
        def ask(self, question: str) -> str:
            return "30 days"

    summary = RAGEvaluator().evaluate(Speaker(), CASES)
    assert summary["avg_answer_score"] == 0.5
    assert summary["avg_sources_retrieved"] is None
    assert summary["avg_source_relevance"] is None


def test_an_asynchronous_system_is_waited_for() -> None:
    class Later:
        async def ask(self, question: str) -> str:
            return "30 days ثلاثون يومًا"

    assert RAGEvaluator().evaluate(Later(), CASES)["avg_answer_score"] == 1.0


def test_no_cases_make_no_division_by_zero() -> None:
    summary = RAGEvaluator().evaluate(Asked(), [])
    assert (summary["total_cases"], summary["avg_answer_score"], summary["avg_source_relevance"]) == (0, 0.0, 0.0)


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(ConfigurationError, match="cannot be asked"):
        RAGEvaluator().evaluate(object(), CASES)
    with pytest.raises(ConfigurationError, match="Test case 2"):
        RAGEvaluator().evaluate(Asked(How="30 days"), [CASES[0], {"expected_answer": "x"}])


def test_a_source_bears_on_a_question_by_shared_words() -> None:
    check = RAGEvaluator().check_source_relevance
    question = "Which river divides the old city of Baghdad into Karkh and Rusafa?"
    assert check(question, [{"text": "The Tigris river divides Baghdad, the old city, into two halves."}]) == 1.0
    assert check(question, [{"text": "The river was crossed at dawn."}]) == 0.0
    assert check("Deposit?", [{"text": "The deposit is 740 dinars."}]) == 1.0
    assert check(question, []) == 0.0
