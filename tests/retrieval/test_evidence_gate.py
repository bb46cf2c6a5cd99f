"""Whether there is an answer is a matter of evidence."""

from __future__ import annotations

import math

import pytest

from dalil.retrieval import Calibration, Candidate, EvidenceGate, Gate, Retrieval, Signals, Verdict

from .conftest import chunk_of


def found(*signals: Signals, question: str = "What is it?", text: str = "It is tea.") -> Retrieval:
    candidates = [
        Candidate(chunk_of(text, document=f"d{number}"), given, given.dense) for number, given in enumerate(signals)
    ]
    return Retrieval(question, candidates=candidates)


DENSE = Calibration(bias=-5.0, weights={"dense": 10.0}, threshold=0.5)


def test_a_gate_is_a_gate():
    assert isinstance(EvidenceGate({"other": DENSE}), Gate)


def test_nothing_found_is_never_answerable():
    always = Calibration(bias=60.0, weights={}, threshold=0.0)
    assert EvidenceGate({"other": always}).judge(Retrieval("What?")) == Verdict(False, 0.0)


@pytest.mark.parametrize(("dense", "answerable"), [(0.9, True), (0.5, True), (0.49, False), (0.0, False)])
def test_confidence_is_logistic_and_compared_with_the_threshold(dense: float, answerable: bool):
    verdict = EvidenceGate({"other": DENSE}).judge(found(Signals(dense=dense)))
    assert verdict.answerable is answerable
    assert verdict.confidence == pytest.approx(1 / (1 + math.exp(5 - 10 * dense)))


def test_more_evidence_never_makes_it_less_sure():
    gate = EvidenceGate({"other": Calibration(-2.0, {"dense": 2.0, "coverage": 2.0, "sentence": 1.0}, 0.5)})
    sure = [gate.judge(found(Signals(step, step, step, step))).confidence for step in (0.0, 0.3, 0.6, 1.0)]
    assert sure == sorted(sure)


def test_extreme_evidence_does_not_overflow():
    gate = EvidenceGate({"other": Calibration(0.0, {"dense": 1e6}, 0.5)})
    assert gate.judge(found(Signals(dense=1.0))).confidence == pytest.approx(1.0)
    assert gate.judge(found(Signals(dense=-1.0))).confidence == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("question", "text", "kind"),
    [
        ("What is it?", "It is tea.", "en-en"),
        ("ما هو؟", "هو شاي.", "ar-ar"),
        ("ما هو؟", "It is tea.", "ar-en"),
        ("What is it?", "هو شاي.", "en-ar"),
    ],
)
def test_each_pair_of_languages_has_its_own_calibration(question: str, text: str, kind: str):
    passing, failing = Calibration(9.0, {}, 0.5), Calibration(-9.0, {}, 0.5)
    retrieval = found(Signals(dense=0.5), question=question, text=text)
    assert EvidenceGate({kind: passing, "other": failing}).judge(retrieval).answerable
    assert not EvidenceGate({"other": failing}).judge(retrieval).answerable
    assert EvidenceGate({"other": passing}).judge(retrieval).answerable


def test_how_far_the_best_stands_out_counts():
    gate = EvidenceGate({"other": Calibration(-1.0, {"margin": 4.0}, 0.5)})
    assert gate.judge(found(Signals(dense=0.9), Signals(dense=0.2))).answerable
    assert not gate.judge(found(Signals(dense=0.9), Signals(dense=0.88))).answerable
