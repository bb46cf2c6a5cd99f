"""The large built-in set: it can be reached, it can fail, and it treats both languages alike."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from dalil.cli.app import run
from dalil.evaluation import GoldenSet, coverage, full_golden_folder
from dalil.evaluation.loading import WITHOUT_ANSWER
from dalil.evaluation.overlap import content_tokens
from dalil.text import detect_language, split_sentences

from .breaking import STAGES

FOLDER = full_golden_folder()
pytestmark = pytest.mark.skipif(FOLDER is None, reason="the full set is not installed")


@pytest.fixture(scope="module")
def golden() -> GoldenSet:
    assert FOLDER is not None
    return GoldenSet.load(FOLDER)


def test_it_holds_what_it_says(golden: GoldenSet) -> None:
    assert (len(golden.corpus), len(golden.examples)) == (25, 60)
    languages = [example.lang for example in golden.examples]
    assert languages.count("ar") == languages.count("en") == 30
    for example in golden.examples:
        assert (example.expected_answer is None) == (example.kind in WITHOUT_ANSWER)
        assert bool(example.relevant_sources) == (example.kind not in WITHOUT_ANSWER)
        assert bool(example.history) == (example.kind == "follow_up")


def test_the_engine_passes_and_gives_the_same_report_twice(tmp_path: Path) -> None:
    reports = []
    for name in ("first", "second"):
        file = tmp_path / f"{name}.json"
        assert run(["eval", "--embedder", "fast", "-q", "--json", str(file)]) == 0
        reports.append(file.read_text("utf-8"))
    assert reports[0] == reports[1]


@pytest.mark.slow
def test_the_accurate_embedder_passes_too() -> None:
    assert run(["eval", "--embedder", "accurate", "-q"]) == 0


MARKS: dict[str, Any] = {"gate": (), "citing": ()}


@pytest.mark.parametrize("stage", [pytest.param(name, marks=MARKS.get(name, pytest.mark.slow)) for name in STAGES])
def test_an_engine_with_a_broken_stage_fails(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    STAGES[stage](monkeypatch)
    assert run(["eval", "--embedder", "fast", "-q"]) == 1


def test_follow_ups_need_the_conversation(golden: GoldenSet) -> None:
    asked = [example.lang for example in golden.examples if example.history]
    assert asked.count("ar") == asked.count("en") == 5


@pytest.mark.slow
def test_a_broken_rewriter_falls_far_below_the_floors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    STAGES["rewriter"](monkeypatch)
    assert run(["eval", "--embedder", "fast", "-q", "--json", str(tmp_path / "report.json")]) == 1
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    for name in ("ndcg", "mrr", "context_precision", "context_recall"):
        assert report["measures"][name]["value"] < report["thresholds"][name] - 0.03


@pytest.mark.parametrize("kept", [1.0, 0.8, 0.5, 0.2])
def test_answers_of_the_same_quality_score_the_same_in_both_languages(golden: GoldenSet, kept: float) -> None:
    """Every sentence of the documents, said again with only a share of its words."""
    chance = random.Random(11)
    scores: dict[str, list[float]] = {"ar": [], "en": []}
    for content in golden.corpus.values():
        text = content.decode()
        for start, end in split_sentences(text):
            words = [word for word in text[start:end].split() if len(content_tokens(word)) == 1]
            if len(words) < 5:
                continue
            for _ in range(5):
                said = [word for word in words if chance.random() < kept]
                scores[detect_language(text)].append(coverage(" ".join(words), " ".join(said)))
    means = {language: sum(values) / len(values) for language, values in scores.items()}
    assert means["ar"] == pytest.approx(means["en"], abs=0.02)
