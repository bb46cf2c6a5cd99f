"""Citation recall and precision, sentence by sentence."""

from __future__ import annotations

import pytest

from dalil.evaluation.citations import (
    CitedSentence,
    cited_sentences,
    sentence_citation_precision,
    sentence_citation_recall,
    supports,
)

from .building import cited, declined

HEIGHT = "The tower is 41 metres high."
BUILDER = "Salim Haddad built it in 1903."


def test_markers_stand_for_what_was_said_before_them() -> None:
    assert cited_sentences(f"{HEIGHT} [1] {BUILDER[:-1]} [2][3]. It is closed.") == [
        CitedSentence(HEIGHT, (1,)),
        CitedSentence(BUILDER[:-1], (2, 3)),
        CitedSentence("It is closed.", ()),
    ]


def test_a_marker_on_either_side_of_the_stop_belongs_to_the_same_sentence() -> None:
    assert cited_sentences("The tower is high [1]. [2] It is old. [3]") == [
        CitedSentence("The tower is high", (1, 2)),
        CitedSentence("It is old.", (3,)),
    ]


def test_what_says_nothing_is_no_sentence() -> None:
    assert cited_sentences("So it is. [1]") == []
    assert cited_sentences("") == []


def test_verbatim_sentences_are_supported() -> None:
    answer = cited(f"{HEIGHT} [1] {BUILDER} [2]", HEIGHT, BUILDER)
    assert sentence_citation_recall(answer) == sentence_citation_precision(answer) == 1.0


def test_arabic_sentences_too() -> None:
    quote = "يبلغ ارتفاع البرج ٤١ مترا."
    answer = cited("ارتفاع البرج يبلغ 41 مترًا [1]. بناه سليم حداد [2].", quote, "تغلق المكتبة يوم الجمعة.")
    assert (sentence_citation_recall(answer), sentence_citation_precision(answer)) == (0.5, 0.5)


def test_a_sentence_without_a_marker_is_not_supported() -> None:
    answer = cited(f"{HEIGHT} [1] Bring your own lunch basket.", HEIGHT)
    assert sentence_citation_recall(answer) == 0.5
    assert sentence_citation_precision(answer) == 1.0


def test_one_wrong_number_is_not_supported() -> None:
    assert supports(HEIGHT, "The tower is 41 metres high")
    assert not supports(HEIGHT, "The tower is 47 metres high")


def test_a_marker_that_leads_nowhere_supports_nothing() -> None:
    assert sentence_citation_recall(cited(f"{HEIGHT} [2]", HEIGHT)) == 0.0


def test_a_citation_that_adds_nothing_costs_precision() -> None:
    answer = cited(f"{HEIGHT} [1][2]", HEIGHT, "Tickets are sold at the gate.")
    assert sentence_citation_recall(answer) == 1.0
    assert sentence_citation_precision(answer) == 0.5


def test_two_quotes_that_only_together_support_a_sentence_both_count() -> None:
    answer = cited("The tower is 41 metres high and Salim Haddad built the tower in 1903 [1][2].", HEIGHT, BUILDER)
    assert sentence_citation_recall(answer) == sentence_citation_precision(answer) == 1.0


@pytest.mark.parametrize("measure", [sentence_citation_recall, sentence_citation_precision])
def test_refusals_are_not_measured(measure) -> None:  # type: ignore[no-untyped-def]
    assert measure(declined()) is None


def test_an_answer_without_any_citation() -> None:
    assert sentence_citation_recall(cited(HEIGHT)) == 0.0
    assert sentence_citation_precision(cited(HEIGHT)) is None
