"""What expanding by the table costs: next to nothing beside a search."""

from __future__ import annotations

import time

from dalil.rag.expansion import QueryExpander, _build_synonym_variants

QUESTIONS = [
    f"{start} {number} {end}"
    for number in range(100)
    for start, end in [
        ("What is the phone number of office", "and when does the customer service answer?"),
        ("كم رصيد الإجازة السنوية للموظف رقم", "وهل تشمل أيام العطل الرسمية؟"),
        ("Who wrote about the history of quantum mechanics in", "before anybody else did?"),
        ("من هو الكاتب الذي ألف عن تاريخ الأندلس في عام", "وبأي لغة كتب؟"),
    ]
]


def seconds_a_question() -> float:
    """Processor time, so that a busy machine does not count."""
    expander = QueryExpander()
    started = time.process_time()
    for question in QUESTIONS:
        expander.expand(question)
    return (time.process_time() - started) / len(QUESTIONS)


def fresh() -> float:
    _build_synonym_variants.cache_clear()
    return seconds_a_question()


def test_a_new_question_takes_under_100_microseconds():
    QueryExpander().expand("phone number")  # reads the table
    assert min(fresh() for _ in range(5)) < 100e-6


def test_a_repeated_question_takes_a_few_microseconds():
    fresh()
    assert min(seconds_a_question() for _ in range(5)) < 10e-6
