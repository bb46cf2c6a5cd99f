"""One answer against its labels."""

from __future__ import annotations

import pytest

from dalil import NOT_FOUND_MESSAGE, Answer, Outcome
from dalil.evaluation import EvalExample
from dalil.evaluation.results import score

from .building import cited, declined, from_documents


def test_faithfulness_is_how_much_of_the_answer_its_quotes_cover() -> None:
    example = EvalExample("How high?")
    assert score(example, cited("The tower is high [1].", "The high tower.")).faithfulness == 1.0
    assert score(example, cited("The tower is painted blue [1].", "The tower.")).faithfulness == pytest.approx(1 / 3)
    assert score(example, cited("The tower is high.")).faithfulness == 0.0
    assert score(example, declined()).faithfulness == 1.0
    assert score(example, Answer("Hello!", (), Outcome.CONVERSATIONAL)).faithfulness == 1.0


def test_relevancy_is_against_the_ground_truth_else_the_expected_else_the_question() -> None:
    answer = cited("tower bridge [1]", "tower bridge")
    truth = EvalExample("museum", expected_answer="harbour", ground_truth_answer="tower garden")
    assert score(truth, answer).answer_relevancy == 0.5
    assert score(EvalExample("museum", expected_answer="bridge tower"), answer).answer_relevancy == 1.0
    assert score(EvalExample("tower museum garden harbour"), answer).answer_relevancy == 0.25


def test_context_precision_and_recall_are_over_cited_documents() -> None:
    example = EvalExample("?", relevant_document_ids=frozenset({"a", "b"}))
    result = score(example, from_documents("a", "c", "c"))
    assert (result.context_precision, result.context_recall) == (0.5, 0.5)
    assert (result.citation_precision, result.citation_recall) == (0.5, 0.5)


def test_without_labels_the_context_is_as_it_should_be() -> None:
    for answer in (from_documents("a"), declined()):
        result = score(EvalExample("?"), answer)
        assert (result.context_precision, result.context_recall) == (1.0, 1.0)


def test_labels_but_nothing_cited() -> None:
    result = score(EvalExample("?", relevant_document_ids=frozenset({"a"})), declined())
    assert (result.context_precision, result.context_recall) == (0.0, 0.0)


def test_an_expected_answer_is_matched_without_regard_to_case() -> None:
    answer = cited("It is in PARIS [1].", "It is in PARIS")
    assert score(EvalExample("?", expected_answer="paris"), answer).answer_matched
    assert score(EvalExample("?"), answer).answer_matched
    assert not score(EvalExample("?", expected_answer="London"), answer).answer_matched


def test_what_is_correct() -> None:
    known = EvalExample("?", expected_answer="Paris")
    unknown = EvalExample("?", ground_truth_answer=NOT_FOUND_MESSAGE)
    assert score(known, cited("Paris [1]", "Paris")).correct is True
    assert score(known, cited("Rome [1]", "Rome")).correct is False
    assert score(known, declined()).correct is False
    assert score(unknown, declined()).correct is True
    assert score(unknown, cited("Paris [1]", "Paris")).correct is False
    assert score(EvalExample("?"), declined()).correct is None


def test_the_arabic_not_found_message_is_one_too() -> None:
    example = EvalExample("؟", ground_truth_answer="لم أجد إجابة عن ذلك في مستنداتك.")
    assert example.should_answer is False


def test_rankings_are_measured_where_there_are_labels() -> None:
    labelled = EvalExample("?", relevant_document_ids=frozenset({"b"}))
    result = score(labelled, declined(), ranking=["a", "b"])
    assert (result.recall, result.reciprocal_rank) == (1.0, 0.5)
    for unmeasured in (score(labelled, declined()), score(EvalExample("?"), declined(), ranking=["a"])):
        assert unmeasured.ndcg is unmeasured.recall is unmeasured.reciprocal_rank is None
