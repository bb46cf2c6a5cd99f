"""The report as one HTML file that needs nothing beside it: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from dalil.evaluation.charts import bar
from dalil.evaluation.comparing import Change
from dalil.evaluation.measures import BY_NAME, MEASURES
from dalil.text import detect_language

Data = Mapping[str, Any]
_GROUP_TITLES = {"lang": "By language", "kind": "By kind of question"}
_IN_GROUPS = ("correct", "answer_relevancy", "context_recall", "sentence_citation_recall", "ndcg")
_STYLE = """
:root { --ink: #1b2430; --paper: #fff; --faint: #667085; --line: #e2e6ec; --good: #2f7d5b; --bad: #b3372f;
  --track: #eef1f5; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e; --faint: #98a2b3; --line: #2b323c;
  --good: #55b78a; --bad: #e5736b; --track: #232a33; } }
* { box-sizing: border-box; }
body { margin: 2rem auto; max-width: 68rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 15px/1.55 system-ui, "Segoe UI", "Noto Sans", "Noto Naskh Arabic", sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p.of { color: var(--faint); margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--faint); } td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
td small, .faint { color: var(--faint); }
.good { color: var(--good); } .bad { color: var(--bad); }
.verdict { font-weight: 600; margin: 1rem 0; }
svg .track { fill: var(--track); } svg .reached { fill: var(--good); } svg .missed { fill: var(--bad); }
svg path { stroke: var(--ink); fill: none; stroke-width: 1; opacity: .75; }
svg .threshold { stroke-dasharray: 2 2; opacity: 1; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; } summary .question { font-weight: 600; unicode-bidi: isolate; }
dl { display: grid; grid-template-columns: 8rem 1fr; gap: .35rem 1rem; margin: .75rem 0 .25rem; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: .25rem 0; padding-inline-start: .75rem; border-inline-start: 3px solid var(--line);
  white-space: pre-wrap; }
"""


def report_page(report: Data, changes: Sequence[Change] = ()) -> str:
    """The page of a report as `report_json` gives it, with the changes against a baseline where there are any."""
    cases = report["cases"]
    wrong = sum(case["correct"] is False for case in cases)
    of = " · ".join(
        filter(None, (report["set"], report["embedder"], report["llm"], f"{len(cases)} questions, {wrong} not correct"))
    )
    worse = [change for change in changes if change.worse]
    body = [
        "<h1>dalil: evaluation</h1>",
        f'<p class="of">{escape(of)}</p>',
        _verdict(report["failures"], worse),
        "<h2>Measures</h2>",
        '<p class="faint">Means with 95 % confidence intervals; the dashed line is the threshold.</p>',
        _measures_table(report),
        *([_changes_table(changes)] if changes else []),
        *[_group_table(title, report["groups"].get(by) or {}) for by, title in _GROUP_TITLES.items()],
        "<h2>Cases</h2>",
        *map(_case, sorted(cases, key=lambda case: case["correct"] is not False)),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>dalil: evaluation</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, body))
        + "\n</body>\n</html>\n"
    )


def _verdict(failures: Sequence[str], worse: Sequence[Change]) -> str:
    said = [*failures, *(f"{change.name}: worse than the baseline" for change in worse)]
    if not said:
        return '<p class="verdict good">Every threshold is reached.</p>'
    return f'<p class="verdict bad">{"<br>".join(map(escape, said))}</p>'


def _measures_table(report: Data) -> str:
    rows = []
    for measure in MEASURES:
        measured = report["measures"][measure.name]
        if measured["value"] is None:
            continue
        threshold = report["thresholds"].get(measure.name)
        rows.append(
            f"<tr><td>{escape(measure.label)}<br><small>{escape(measure.meaning)}</small></td>"
            f'<td class="number">{measured["value"]:.3f}</td>'
            f'<td class="number">{measured["low"]:.3f} – {measured["high"]:.3f}</td>'
            f'<td class="number">{measured["cases"]}</td><td>{bar(measured, threshold)}</td></tr>'
        )
    return _table(("measure", "mean", "interval", "cases", ""), rows)


def _changes_table(changes: Sequence[Change]) -> str:
    rows = []
    for change in changes:
        mark = "bad" if change.worse else "good" if change.better else ""
        low, high = change.interval
        rows.append(
            f"<tr><td>{escape(BY_NAME[change.name].label)}</td>"
            f'<td class="number">{change.before:.3f}</td><td class="number">{change.after:.3f}</td>'
            f'<td class="number {mark}">{change.after - change.before:+.3f} ({low:+.3f} to {high:+.3f})</td></tr>'
        )
    return "<h2>Against the baseline</h2>" + _table(("measure", "before", "now", "difference"), rows)


def _group_table(title: str, groups: Data) -> str:
    if not groups:
        return ""
    rows = []
    for name, measures in groups.items():
        cells = "".join(
            f'<td class="number">{"" if measures[key]["value"] is None else format(measures[key]["value"], ".3f")}</td>'
            for key in _IN_GROUPS
        )
        rows.append(f'<tr><td>{escape(name)}</td><td class="number">{measures["correct"]["cases"]}</td>{cells}</tr>')
    return f"<h2>{title}</h2>" + _table(("", "questions", *(BY_NAME[key].label for key in _IN_GROUPS)), rows)


def _table(heads: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _case(case: Data) -> str:
    verdict = {True: '<span class="good">correct</span>', False: '<span class="bad">not correct</span>'}
    shown = verdict.get(case["correct"], '<span class="faint">no label</span>')
    name = escape(" · ".join(filter(None, (case["id"], case["kind"], case["lang"]))))
    entries = [
        *((f"turn {number}", _turn(turn)) for number, turn in enumerate(case["history"], start=1)),
        ("expected", _said(_expected(case))),
        ("answer", _said(case["answer"]) + f' <span class="faint">({escape(case["outcome"])})</span>'),
        ("quotes", "".join(map(_quote, case["citations"]))),
        ("relevant", escape(", ".join(case["relevant"]))),
        ("found", escape(", ".join((case["ranking"] or ())[:10]))),
        ("measures", escape(_values(case["values"]))),
    ]
    listed = "".join(f"<dt>{term}</dt><dd>{told}</dd>" for term, told in entries if told)
    opened = " open" if case["correct"] is False else ""
    return (
        f'<details{opened}><summary>{shown} <span class="question" {_direction(case["question"])}>'
        f'{escape(case["question"])}</span> <span class="faint">{name}</span></summary><dl>{listed}</dl></details>'
    )


def _expected(case: Data) -> str:
    return next((case[name] for name in ("expected_answer", "ground_truth_answer") if case[name]), "")


def _turn(turn: Data) -> str:
    return f"{_said(turn['question'])} {_said(turn['answer'])}"


def _quote(citation: Data) -> str:
    checked = "" if citation["verified"] else " (not checked)"
    where = f"[{citation['marker']}] {citation['source']}, page {citation['page']}{checked}"
    quote = f"<blockquote {_direction(citation['quote'])}>{escape(citation['quote'])}</blockquote>"
    return f"{quote}<small>{escape(where)}</small>"


def _values(values: Data) -> str:
    return ", ".join(f"{BY_NAME[name].label} {value:.2f}" for name, value in values.items() if value is not None)


def _said(text: str) -> str:
    return f"<div {_direction(text)}>{escape(text)}</div>" if text else ""


def _direction(text: str) -> str:
    """Arabic is read from right to left, whatever the page around it is."""
    return 'lang="ar" dir="rtl"' if detect_language(text) == "ar" else 'lang="en" dir="ltr"'
