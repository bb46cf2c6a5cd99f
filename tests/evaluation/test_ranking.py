"""The ranking measures, against trec_eval's own where ir-measures is installed."""

from __future__ import annotations

import random

import pytest

from dalil.evaluation.ranking import ndcg, recall, reciprocal_rank


def test_by_hand() -> None:
    ranked = ["a", "b", "c"]
    assert ndcg(ranked, {"a"}) == recall(ranked, {"a"}) == reciprocal_rank(ranked, {"a"}) == 1.0
    assert reciprocal_rank(ranked, {"b", "c"}) == 0.5
    assert recall(ranked, {"a", "z"}) == 0.5
    assert ndcg(ranked, {"c"}) == 0.5


def test_only_the_first_ten_count() -> None:
    ranked = [f"{number}" for number in range(12)]
    assert ndcg(ranked, {"10"}) == recall(ranked, {"10"}) == 0.0
    assert reciprocal_rank(ranked, {"10"}) == pytest.approx(1 / 11)


def test_nothing_found_and_nothing_relevant() -> None:
    for measure in (ndcg, recall, reciprocal_rank):
        assert measure([], {"a"}) == measure(["a"], set()) == 0.0


def test_the_same_figures_as_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    chance = random.Random(7)
    documents = [f"d{number}" for number in range(30)]
    for _ in range(200):
        ranked = chance.sample(documents, chance.randint(1, 25))
        relevant = set(chance.sample(documents, chance.randint(1, 14)))
        theirs = ir_measures.calc_aggregate(
            [ir_measures.nDCG @ 10, ir_measures.R @ 10, ir_measures.RR],
            {"q": dict.fromkeys(relevant, 1)},
            {"q": {name: 1.0 / (1 + rank) for rank, name in enumerate(ranked)}},
        )
        ours = {"nDCG@10": ndcg(ranked, relevant), "R@10": recall(ranked, relevant)}
        ours["RR"] = reciprocal_rank(ranked, relevant)
        assert ours == pytest.approx({str(name): value for name, value in theirs.items()}, abs=1e-9)
