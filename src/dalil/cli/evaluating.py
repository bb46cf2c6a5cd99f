"""`dalil eval`."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dalil.assembly import embedder_identity
from dalil.choosing import EXTRACTIVE
from dalil.cli.failures import DONE, SOME_FAILED, printable
from dalil.cli.output import console, print_table
from dalil.errors import ConfigurationError
from dalil.evaluation import (
    MEASURES,
    Change,
    EvalReport,
    Evaluator,
    GoldenSet,
    Judge,
    ModelJudge,
    compare,
    default_golden_set,
    full_golden_folder,
    report_json,
)
from dalil.evaluation.evaluator import OnResult
from dalil.evaluation.page import report_page
from dalil.sage import RagSage
from dalil.scope import Scope

SETS = ("full", "small")
_SCOPE = Scope("golden")


@dataclass(frozen=True)
class Models:
    """The names of the models that are measured, and of the one that marks their answers."""

    embedder: str | None = None
    llm: str | None = None
    judge: str | None = None


@dataclass(frozen=True)
class Outputs:
    """Where the report goes besides the table: files of JSON ("-" is stdout, alone) and HTML."""

    json: str | None = None
    html: Path | None = None

    @property
    def only_json(self) -> bool:
        return self.json == "-"


async def evaluate(
    golden: Path | None,
    name: str | None,
    *,
    models: Models,
    against: Path | None,
    outputs: Outputs,
    quiet: bool,
) -> int:
    """Measure the engine on a golden set; 1 when a threshold is missed, or something is worse than the baseline."""
    chosen, called = _chosen(golden, name)
    baseline = None if against is None else _baseline(against)
    quiet = quiet or outputs.only_json
    async with _judging(models.judge) as judging:
        report, embedded, sources = await _measured(chosen, models, judging, shown=not quiet)
    answering = (models.llm or EXTRACTIVE).partition("@http")[0]  # an address may hold a password
    data = report_json(report, chosen.thresholds, name=called, embedder=embedded, llm=answering, sources=sources)
    changes = [] if baseline is None else compare(data, baseline)
    _write(outputs, data, changes)
    if not quiet:
        _print_report(console(sys.stdout), report, data, changes)
    worse = [f"{change.name}: worse than the baseline" for change in changes if change.worse]
    for line in (*data["failures"], *worse):
        print(line, file=sys.stderr)
    return SOME_FAILED if data["failures"] or worse else DONE


def _chosen(golden: Path | None, name: str | None) -> tuple[GoldenSet, str]:
    """The golden set asked for, and what to call it."""
    if golden is not None:
        if name is not None:
            raise ConfigurationError("Name a --golden folder or a built-in --set, not both.")
        return GoldenSet.load(golden), golden.resolve().name
    if name not in (None, *SETS):
        raise ConfigurationError(f"There is no set {name!r}.", advice=f"There are: {', '.join(SETS)}.")
    folder = full_golden_folder()
    if name == "small" or (name is None and folder is None):
        return default_golden_set(), "small"
    if folder is None:
        raise ConfigurationError("The full set is not installed.", advice="Use --set small.")
    return GoldenSet.load(folder), "full"


async def _measured(
    golden: GoldenSet, models: Models, judge: Judge | None, *, shown: bool
) -> tuple[EvalReport, str, Mapping[str, str]]:
    """The report of a fresh engine over the set, its embedder, and the sources by document id."""
    with TemporaryDirectory(prefix="dalil-eval-") as folder:
        async with RagSage.open(folder, embedder=models.embedder, llm=models.llm) as sage:
            with _bar(len(golden.examples), shown=shown) as on_result:
                ids = {}
                async with aclosing(sage.ingest_many(golden.sources(), _SCOPE)) as results:
                    async for result in results:
                        if result.error is not None:
                            raise result.error
                        ids[result.source] = result.document.id
                evaluator = Evaluator(sage, _SCOPE, judge=judge, rewriter=sage.compute.rewriter)
                report = await evaluator.evaluate(golden.labelled(ids), on_result=on_result)
            identity = embedder_identity(sage.embedder)
    return report, identity, {known: source for source, known in ids.items()}


@asynccontextmanager
async def _judging(name: str | None) -> AsyncIterator[Judge | None]:
    """A judge over the model of that name, closed afterwards."""
    if name is None:
        yield None
        return
    from dalil.providers import llm_by_name

    llm = llm_by_name(name)
    try:
        yield ModelJudge(llm)
    finally:
        if (close := getattr(llm, "aclose", None)) is not None:
            await close()


def _baseline(file: Path) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"The baseline {file} cannot be read: {error}.", advice="Write one with: dalil eval --json FILE"
        ) from error


def _write(outputs: Outputs, data: Mapping[str, Any], changes: Sequence[Change]) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    try:
        if outputs.json is not None and not outputs.only_json:
            Path(outputs.json).write_text(text, "utf-8", "backslashreplace")
        if outputs.html is not None:
            outputs.html.write_text(report_page(data, changes), "utf-8", "xmlcharrefreplace")
    except OSError as error:
        raise ConfigurationError(f"The report cannot be written: {error}.") from error
    if outputs.only_json:
        sys.stdout.write(text)


def _print_report(out: Console, report: EvalReport, data: Mapping[str, Any], changes: Sequence[Change]) -> None:
    models = f"{printable(data['embedder'])}, answers: {printable(data['llm'])}"
    out.print(f"{len(report.results)} questions, set {printable(data['set'])}, {models}")
    print_table(out, _measures_table(data, {change.name: change for change in changes}))
    for by, title in (("lang", "language"), ("kind", "kind")):
        if len(data["groups"][by]) > 1:
            out.print()
            print_table(out, _groups_table(title, data["groups"][by]))
    wrong = [case for case in data["cases"] if case["correct"] is False]
    if wrong:
        out.print(f"\nNot correct ({len(wrong)}):")
    for case in wrong:
        out.print(Text(f"  {printable(case['id'])}  {case['outcome']}: {printable(case['question'])}"))


def _measures_table(data: Mapping[str, Any], changes: Mapping[str, Change]) -> Table:
    heads = ["measure", "mean", "95 % interval", "cases", "needed", *(["against the baseline"] if changes else [])]
    table = Table(*heads, box=None, pad_edge=False, header_style="bold")
    for measure in MEASURES:
        found = data["measures"][measure.name]
        if found["value"] is None:
            continue
        needed = data["thresholds"].get(measure.name)
        missed = needed is not None and found["value"] < needed
        row: list[str | Text] = [
            measure.label,
            Text(f"{found['value']:.3f}", style="red" if missed else ""),
            f"{found['low']:.3f} – {found['high']:.3f}",
            str(found["cases"]),
            "" if needed is None else f"{needed:.2f}",
        ]
        table.add_row(*row, *([_shown_change(changes.get(measure.name))] if changes else []))
    return table


def _shown_change(change: Change | None) -> Text:
    if change is None:
        return Text("")
    difference = f"{change.after - change.before:+.3f} ({change.interval.low:+.3f} to {change.interval.high:+.3f})"
    word, style = ("worse", "red") if change.worse else ("better", "green") if change.better else ("", "")
    return Text(f"{difference} {word}".strip(), style=style)


def _groups_table(title: str, groups: Mapping[str, Any]) -> Table:
    shown = [measure for measure in MEASURES if measure.name in ("correct", "answer_relevancy", "faithfulness", "ndcg")]
    table = Table(title, "cases", *(m.label for m in shown), box=None, pad_edge=False, header_style="bold")
    for name, measures in groups.items():
        values = [measures[measure.name]["value"] for measure in shown]
        means = ("" if value is None else f"{value:.3f}" for value in values)
        table.add_row(printable(name), str(measures["faithfulness"]["cases"]), *means)
    return table


@contextmanager
def _bar(questions: int, *, shown: bool) -> Iterator[OnResult | None]:
    """A bar on stderr while questions are asked, where stderr is a terminal."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress

    with Progress(BarColumn(), MofNCompleteColumn(), console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=questions)
        yield lambda _: progress.advance(task)
