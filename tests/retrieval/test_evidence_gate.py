"""Whether there is an answer is a matter of evidence."""

from __future__ import annotations

import math

import pytest

from dalil.retrieval import Calibration, Candidate, EvidenceGate, Gate, Retrieval, Signals, Verdict
from dalil.retrieval.gate import Kind

from .conftest import chunk_of

KINDS: tuple[Kind, ...] = ("en", "ar", "across", "few")


def found(*signals: Signals, question: str = "What is it?", text: str = "It is tea.") -> Retrieval:
    candidates = [
        Candidate(chunk_of(text, document=f"d{number}"), given, given.dense) for number, given in enumerate(signals)
    ]
    return Retrieval(question, candidates=candidates)


DENSE = Calibration(bias=-5.0, weights={"dense": 10.0}, threshold=0.5)


def test_a_gate_is_a_gate():
    assert isinstance(EvidenceGate({"few": DENSE}), Gate)


def test_nothing_found_is_never_answerable():
    always = Calibration(bias=60.0, weights={}, threshold=0.0)
    assert EvidenceGate({"few": always}).judge(Retrieval("What?")) == Verdict(False, 0.0)


@pytest.mark.parametrize(("dense", "answerable"), [(0.9, True), (0.5, True), (0.49, False), (0.0, False)])
def test_confidence_is_logistic_and_compared_with_the_threshold(dense: float, answerable: bool):
    verdict = EvidenceGate({"few": DENSE}).judge(found(Signals(dense=dense)))
    assert verdict.answerable is answerable
    assert verdict.confidence == pytest.approx(1 / (1 + math.exp(5 - 10 * dense)))


def test_more_evidence_never_makes_it_less_sure():
    gate = EvidenceGate({"few": Calibration(-2.0, {"dense": 2.0, "coverage": 2.0, "sentence": 1.0}, 0.5)})
    sure = [gate.judge(found(Signals(step, step, step, step))).confidence for step in (0.0, 0.3, 0.6, 1.0)]
    assert sure == sorted(sure)


def test_extreme_evidence_does_not_overflow():
    gate = EvidenceGate({"few": Calibration(0.0, {"dense": 1e6}, 0.5)})
    assert gate.judge(found(Signals(dense=1.0))).confidence == pytest.approx(1.0)
    assert gate.judge(found(Signals(dense=-1.0))).confidence == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("question", "text", "rivals", "kind"),
    [
        ("What is it?", "It is tea.", 9, "en"),
        ("ما هو؟", "هو شاي.", 9, "ar"),
        ("What is it?", "It is tea.", 8, "few"),
        ("ما هو؟", "هو شاي.", 0, "few"),
        ("ما هو؟", "It is tea.", 9, "across"),
        ("What is it?", "هو شاي.", 0, "across"),
    ],
)
def test_languages_and_the_number_of_rivals_choose_the_calibration(question: str, text: str, rivals: int, kind: Kind):
    passing, failing = Calibration(9.0, {}, 0.5), Calibration(-9.0, {}, 0.5)
    retrieval = found(*[Signals(dense=0.5)] * (1 + rivals), question=question, text=text)
    others = dict.fromkeys(KINDS, failing)
    assert EvidenceGate({**others, kind: passing}).judge(retrieval).answerable
    assert not EvidenceGate(others).judge(retrieval).answerable


def test_how_far_the_best_stands_out_counts():
    gate = EvidenceGate({"en": Calibration(-1.0, {"lead": 4.0}, 0.5)})
    assert gate.judge(found(Signals(dense=0.9), *[Signals(dense=0.2)] * 9)).answerable
    assert not gate.judge(found(Signals(dense=0.9), *[Signals(dense=0.88)] * 9)).answerable


def test_a_passage_without_rivals_has_the_usual_lead():
    def judged(alone: float) -> bool:
        gate = EvidenceGate({"across": Calibration(-1.0, {"lead": 4.0}, 0.5, alone=alone)})
        return gate.judge(found(Signals(dense=0.9), question="ما هو؟")).answerable

    assert judged(0.5)
    assert not judged(0.0)
