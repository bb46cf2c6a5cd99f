"""The 95 % intervals: Wilson's for shares, the bootstrap's for other means."""

from __future__ import annotations

import random

import pytest

from dalil.evaluation.intervals import bootstrap, interval_of, wilson


def test_wilson_as_published() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_a_share_is_wilsons() -> None:
    assert interval_of([1.0] * 8 + [0.0] * 2) == wilson(8, 10)


def test_a_mean_is_bootstrapped_the_same_at_every_run() -> None:
    values = [0.5, 0.9, 1.0, 0.2, 0.7] * 6
    low, high = interval_of(values)
    assert low < sum(values) / len(values) < high
    assert interval_of(values) == (low, high)


def test_nothing_is_known_of_no_values() -> None:
    assert interval_of([]) == (0.0, 1.0)


def test_about_95_of_100_intervals_hold_the_true_mean() -> None:
    chance = random.Random(3)
    hits = 0
    for _ in range(100):
        values = [chance.random() for _ in range(40)]
        low, high = bootstrap(40, lambda drawn, values=values: sum(values[at] for at in drawn) / 40)
        hits += low <= 0.5 <= high
    assert hits >= 88
