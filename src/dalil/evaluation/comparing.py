"""A run against an earlier one: which measures changed by more than chance explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dalil.errors import ConfigurationError
from dalil.evaluation.intervals import Interval, bootstrap
from dalil.evaluation.measures import MEASURES, Measure, mean
from dalil.evaluation.serializing import VERSION

Values = Sequence[float | None]


@dataclass(frozen=True)
class Change:
    """How a measure's mean changed over the cases that both runs have, with the difference's 95 % interval."""

    name: str
    before: float
    after: float
    interval: Interval
    cases: int

    @property
    def worse(self) -> bool:
        """Whether the whole interval of the difference lies below zero."""
        return self.interval.high < 0

    @property
    def better(self) -> bool:
        """Whether the whole interval lies above zero."""
        return self.interval.low > 0


def compare(report: Mapping[str, Any], baseline: Mapping[str, Any]) -> list[Change]:
    """Every measure that has a better end, in both of two reports as `report_json` gives them.

    Cases are paired by id and question, and the difference is bootstrapped over the pairs: what made a question hard
    is the same in both runs, so a paired test sees smaller changes than two intervals side by side would.

    Raises:
        ConfigurationError: if the baseline is no such report, or shares no case with this one.
    """
    pairs = _pairs(_cases(report), _cases(baseline))
    if not pairs:
        raise ConfigurationError(
            "The baseline has none of these questions.", advice="Compare with a run over the same golden set."
        )
    changes = []
    for measure in MEASURES:
        change = _change(measure, [(old.get(measure.name), new.get(measure.name)) for old, new in pairs])
        if measure.better and change is not None:
            changes.append(change)
    return changes


def _change(measure: Measure, values: Sequence[tuple[float | None, float | None]]) -> Change | None:
    before = [old for old, _ in values]
    after = [new for _, new in values]
    if all(value is None for value in before) or all(value is None for value in after):
        return None
    if before == after:
        interval = Interval(0.0, 0.0)
    else:
        interval = bootstrap(len(values), lambda drawn: _mean_of(after, drawn) - _mean_of(before, drawn))
    every = range(len(values))
    return Change(measure.name, _mean_of(before, every), _mean_of(after, every), interval, len(values))


def _mean_of(values: Values, drawn: Sequence[int]) -> float:
    return mean([value for index in drawn if (value := values[index]) is not None])


def _pairs(
    new: Mapping[tuple[str, str], Mapping[str, Any]], old: Mapping[tuple[str, str], Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return [(old[key], values) for key, values in new.items() if key in old]


def _cases(report: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    try:
        if report["version"] != VERSION:
            raise ConfigurationError(
                f"The baseline has version {report['version']}, not {VERSION}.", advice="Write it again."
            )
        return {(case["id"], case["question"]): dict(case["values"]) for case in report["cases"]}
    except (TypeError, KeyError, ValueError) as error:
        if isinstance(error, ConfigurationError):
            raise
        raise ConfigurationError(
            "The baseline is no report of dalil eval.", advice="Write one with: dalil eval --json FILE"
        ) from error
