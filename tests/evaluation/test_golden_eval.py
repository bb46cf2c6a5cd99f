"""The small built-in set, and what run_golden_eval does with golden sets."""

from __future__ import annotations

import dataclasses

import pytest

from dalil import IngestionConfig, Turn
from dalil.evaluation import GoldenExample, GoldenSet, default_golden_set, report_json, run_golden_eval
from dalil.ingestion.contextualizing import HeadingWindowContextualizer

TOWER = GoldenSet(
    {"tower.txt": b"The tower of Amra was built by Salim Haddad.", "bridge.txt": b"The bridge of Amra is blue."},
    [
        GoldenExample("Who built the tower?", "Salim Haddad", relevant_sources=frozenset({"tower.txt"})),
        GoldenExample(
            "And its colour? The blue one.",
            "blue",
            relevant_sources=frozenset({"bridge.txt"}),
            history=(Turn("Tell me about the bridge.", "It is in Amra."),),
        ),
    ],
)


async def test_the_default_set_passes_its_thresholds() -> None:
    report = await run_golden_eval()
    golden = default_golden_set()
    assert report.check(golden.thresholds).passed
    assert (len(report.results), report.grounded_rate, report.answer_accuracy) == (5, 0.8, 1.0)
    assert report.measures["correct"].value == 1.0
    assert {result.example.lang for result in report.results} == {"ar", "en"}


async def test_the_same_report_twice() -> None:
    assert report_json(await run_golden_eval()) == report_json(await run_golden_eval())


async def test_other_ways_of_preparing_give_reports_too() -> None:
    report = await run_golden_eval(
        contextualizer=HeadingWindowContextualizer(), config=IngestionConfig(chunk_size=16, chunk_overlap=4)
    )
    assert len(report.results) == 5
    assert report.measures["correct"].value == 1.0


async def test_a_set_of_ones_own() -> None:
    report = await run_golden_eval(TOWER)
    assert report.answer_accuracy == report.mean_context_recall == 1.0


async def test_wrong_labels_fail() -> None:
    wrong = dataclasses.replace(
        TOWER, examples=[dataclasses.replace(TOWER.examples[0], relevant_sources=frozenset({"bridge.txt"}))]
    )
    report = await run_golden_eval(wrong)
    assert report.check(wrong.thresholds).failures == (
        "context_precision: 0.000 is below 0.70",
        "context_recall: 0.000 is below 0.70",
    )


def test_a_label_must_name_a_document() -> None:
    with pytest.raises(ValueError, match=r"tour\.txt"):
        GoldenSet(TOWER.corpus, [GoldenExample("Who?", relevant_sources=frozenset({"tour.txt"}))])


async def test_a_set_without_questions() -> None:
    report = await run_golden_eval(GoldenSet({}, []))
    assert report.results == ()
