"""Measuring answers: labelled questions put to an engine, scored, and gated against thresholds or a baseline.

    report = await Evaluator(engine, scope).evaluate([EvalExample("How high is it?", expected_answer="41 metres")])
    check = report.check(EvalThresholds())

Everything is computed from the answer, its quotes and the labels, offline and the same way every time; a judge may
add its opinion. See docs/evaluation.md.
"""

from dalil.evaluation.comparing import Change, compare
from dalil.evaluation.evaluator import Evaluator
from dalil.evaluation.examples import EvalExample, EvalThresholds, ThresholdCheck
from dalil.evaluation.goldens import GoldenExample, GoldenSet, default_golden_set, full_golden_folder
from dalil.evaluation.judging import Judge, ModelJudge
from dalil.evaluation.measures import MEASURES, Measure, Measured
from dalil.evaluation.overlap import content_tokens, coverage
from dalil.evaluation.report import EvalReport
from dalil.evaluation.results import EvalCaseResult
from dalil.evaluation.running import run_golden_eval
from dalil.evaluation.serializing import report_json

__all__ = [
    "MEASURES",
    "Change",
    "EvalCaseResult",
    "EvalExample",
    "EvalReport",
    "EvalThresholds",
    "Evaluator",
    "GoldenExample",
    "GoldenSet",
    "Judge",
    "Measure",
    "Measured",
    "ModelJudge",
    "ThresholdCheck",
    "compare",
    "content_tokens",
    "coverage",
    "default_golden_set",
    "full_golden_folder",
    "report_json",
    "run_golden_eval",
]
