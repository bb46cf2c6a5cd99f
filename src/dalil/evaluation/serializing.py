"""A report as plain data: what `dalil eval --json` writes, a baseline holds, and the HTML page shows.

The same run gives the same data: it holds no times and no paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from dalil.evaluation.examples import EvalThresholds
from dalil.evaluation.measures import MEASURES, Measured
from dalil.evaluation.report import EvalReport
from dalil.evaluation.results import EvalCaseResult
from dalil.models import Citation

VERSION = 1
_DIGITS = 6

Data = dict[str, Any]


def report_json(
    report: EvalReport,
    thresholds: EvalThresholds | None = None,
    *,
    name: str = "",
    embedder: str = "",
    llm: str = "",
    sources: Mapping[str, str] | None = None,
) -> Data:
    """The report with its thresholds. `sources` names documents by their ids, where the ids say nothing to people."""
    thresholds = thresholds or EvalThresholds()
    check = report.check(thresholds)
    return {
        "version": VERSION,
        "set": name,
        "embedder": embedder,
        "llm": llm,
        "passed": check.passed,
        "failures": list(check.failures),
        "thresholds": {key: value for key, value in asdict(thresholds).items() if value is not None},
        "measures": _measures(report),
        "groups": {
            by: {group: _measures(part) for group, part in report.groups(by).items()} for by in ("lang", "kind")
        },
        "cases": [_case(result, sources or {}) for result in report.results],
    }


def _measures(report: EvalReport) -> Data:
    return {name: _measured(measured) for name, measured in report.measures.items()}


def _measured(measured: Measured) -> Data:
    value = None if measured.value is None else round(measured.value, _DIGITS)
    low, high = (round(bound, _DIGITS) for bound in measured.interval)
    return {"value": value, "low": low, "high": high, "cases": measured.cases}


def _case(result: EvalCaseResult, sources: Mapping[str, str]) -> Data:
    example, answer = result.example, result.answer
    return {
        "id": example.id,
        "kind": example.kind,
        "lang": example.lang,
        "question": example.question,
        "history": [{"question": turn.question, "answer": turn.answer} for turn in example.history],
        "expected_answer": example.expected_answer,
        "ground_truth_answer": example.ground_truth_answer,
        "should_answer": example.should_answer,
        "relevant": sorted(sources.get(known, known) for known in example.relevant_document_ids),
        "answer": answer.text,
        "outcome": str(answer.outcome),
        "correct": result.correct,
        "citations": [_citation(citation) for citation in answer.citations],
        "ranking": None if result.ranking is None else [sources.get(known, known) for known in result.ranking],
        "values": {
            measure.name: None if (value := measure.value(result)) is None else round(value, _DIGITS)
            for measure in MEASURES
        },
    }


def _citation(citation: Citation) -> Data:
    return {
        "marker": citation.marker,
        "source": citation.source or citation.document_id,
        "page": citation.page,
        "quote": citation.quote,
        "verified": citation.verified,
    }
