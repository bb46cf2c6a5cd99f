"""Coverage: which words of one text another one has, in Arabic as in English."""

from __future__ import annotations

import pytest

from dalil.evaluation import coverage
from dalil.evaluation.overlap import contains, numbers


def test_the_share_of_distinct_content_tokens() -> None:
    assert coverage("The tower is 41 metres high.", "41 metres") == pytest.approx(2 / 4)
    assert coverage("tower tower tower bridge", "a tower") == 0.5


def test_markers_and_stop_words_count_for_nothing() -> None:
    assert coverage("The tower [12] was in the city [3].", "tower city") == 1.0
    assert coverage("tower", "[1] [2]") == 0.0


def test_a_reference_without_content_tokens_is_covered() -> None:
    assert coverage("", "anything") == coverage("and of the [1]", "") == 1.0


def test_case_spelling_and_endings_do_not_matter() -> None:
    assert coverage("EMPLOYEES receive days", "the employee receives one day") == 1.0


@pytest.mark.parametrize(
    ("reference", "produced"),
    [("العقد والموظف", "عقدٌ للموظف"), ("مدرسة الأطفال", "المدرسه أطفال"), ("سنة ١٩٨٢", "سنة 1982")],
)
def test_arabic_words_count_with_their_particles_and_spellings(reference: str, produced: str) -> None:
    assert coverage(reference, produced) == 1.0


def test_an_arabic_answer_can_be_wrong() -> None:
    assert coverage("يبلغ ارتفاع البرج واحدا وأربعين مترا", "يقع المطار شمال المدينة") == 0.0


PAIRS = [
    (
        "The guarantee covers two years from the day of delivery.",
        "The guarantee covers two years.",
        "Delivery is free.",
    ),
    ("يغطي الضمان سنتين من يوم التسليم.", "يغطي الضمان سنتين.", "التسليم مجاني."),
]


def test_the_same_quality_scores_the_same_in_both_languages() -> None:
    english, arabic = PAIRS
    for answer in (1, 2):
        assert coverage(english[answer], english[0]) == pytest.approx(coverage(arabic[answer], arabic[0]), abs=0.02)


def test_what_is_contained() -> None:
    assert contains("24 DAYS", "they get 24\n days a year [1]")
    assert contains("خمسة كُتُب", "استعارة خمسه كتب")
    assert contains("", "anything")
    assert not contains("25 days", "24 days")


@pytest.mark.parametrize("text", ["15 days", "5.5 days", "1.5 days", "51", "the tower [5]", "5,000"])
def test_a_number_is_not_found_within_another_or_in_a_marker(text: str) -> None:
    assert not contains("5", text)


@pytest.mark.parametrize("text", ["5 days", "in 5.", "5, then", "٥ أيام", "5%"])
def test_a_number_is_found_on_its_own(text: str) -> None:
    assert contains("5", text)


def test_numbers_are_read_in_any_digits() -> None:
    assert numbers("١٢٫٥ و 1,200 [3]") == {"12.5", "1200"}
