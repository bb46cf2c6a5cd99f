"""How sure a mean of so many cases is: 95 % confidence intervals that are the same at every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

CONFIDENCE = 0.95
_Z = 1.959964  # of the normal distribution at 97.5 %
RESAMPLES = 2000
SEED = 20_240_229


class Interval(NamedTuple):
    """Where the true value lies, at 95 % confidence."""

    low: float
    high: float


def interval_of(values: Sequence[float]) -> Interval:
    """The interval of a mean of values in [0, 1]: Wilson's for a share (nothing but 0 and 1), else the bootstrap's.

    All of [0, 1] where there are no values.
    """
    if not values:
        return Interval(0.0, 1.0)
    if all(value in (0.0, 1.0) for value in values):
        return wilson(round(sum(values)), len(values))
    return bootstrap(len(values), lambda drawn: sum(values[index] for index in drawn) / len(drawn))


def wilson(successes: int, trials: int) -> Interval:
    """The score interval of a share: Wilson (1927). It does not collapse to a point when all succeed."""
    share = successes / trials
    squared = _Z * _Z / trials
    centre = (share + squared / 2) / (1 + squared)
    reach = _Z / (1 + squared) * sqrt(share * (1 - share) / trials + squared / (4 * trials))
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    return Interval(low, 1.0 if successes == trials else min(1.0, centre + reach))


def bootstrap(cases: int, measured: Callable[[Sequence[int]], float]) -> Interval:
    """The percentile interval of what `measured` says of resampled cases: Efron and Tibshirani (1993), chapter 13.

    `measured` is given the indices of one resample, drawn with replacement from a fixed seed.
    """
    random = Random(SEED)
    indices = range(cases)
    found = sorted(measured(random.choices(indices, k=cases)) for _ in range(RESAMPLES))
    tail = (1 - CONFIDENCE) / 2
    return Interval(found[int(tail * RESAMPLES)], found[RESAMPLES - 1 - int(tail * RESAMPLES)])
