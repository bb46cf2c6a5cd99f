"""What a whole run came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

from dalil.evaluation.examples import EvalThresholds, ThresholdCheck
from dalil.evaluation.measures import MEASURES, Measured, mean, measured
from dalil.evaluation.results import EvalCaseResult


@dataclass(frozen=True)
class EvalReport:
    """Plain means over all examples, and each case. `measures` has these and all others with their intervals."""

    results: Sequence[EvalCaseResult]
    answer_accuracy: float
    mean_faithfulness: float
    mean_answer_relevancy: float
    mean_context_precision: float
    mean_context_recall: float
    grounded_rate: float

    @classmethod
    def of(cls, results: Sequence[EvalCaseResult]) -> EvalReport:
        """The report of these results; zeros where there are none."""
        return cls(
            results=tuple(results),
            answer_accuracy=mean([float(result.answer_matched) for result in results]),
            mean_faithfulness=mean([result.faithfulness for result in results]),
            mean_answer_relevancy=mean([result.answer_relevancy for result in results]),
            mean_context_precision=mean([result.context_precision for result in results]),
            mean_context_recall=mean([result.context_recall for result in results]),
            grounded_rate=mean([float(result.answer.grounded) for result in results]),
        )

    @property
    def mean_citation_precision(self) -> float:
        """The same as the mean context precision."""
        return self.mean_context_precision

    @property
    def mean_citation_recall(self) -> float:
        """The same as the mean context recall."""
        return self.mean_context_recall

    @cached_property
    def measures(self) -> Mapping[str, Measured]:
        """Every measure by its name, with its 95 % interval."""
        return {measure.name: measured(map(measure.value, self.results)) for measure in MEASURES}

    def groups(self, by: str) -> dict[str, EvalReport]:
        """The report of each language (`by` is "lang") or kind ("kind") of question; cases without one are left out."""
        names = sorted({getattr(result.example, by) for result in self.results} - {""})
        return {
            name: EvalReport.of([result for result in self.results if getattr(result.example, by) == name])
            for name in names
        }

    def check(self, thresholds: EvalThresholds) -> ThresholdCheck:
        """Compare the means with the thresholds: which fell short, and which could not be measured."""
        failures = []
        for entry in fields(thresholds):
            least = getattr(thresholds, entry.name)
            if least is None:
                continue
            value = self._mean(entry.name)
            if value is None:
                failures.append(f"{entry.name}: not measured, {least:.2f} is needed")
            elif value < least:
                failures.append(f"{entry.name}: {value:.3f} is below {least:.2f}")
        return ThresholdCheck(not failures, tuple(failures))

    def _mean(self, name: str) -> float | None:
        """The means of the constructor count as they were given."""
        given = getattr(self, f"mean_{name}", None)
        if name == "answer_accuracy":
            given = self.answer_accuracy
        return given if isinstance(given, float | int) else self.measures[name].value
