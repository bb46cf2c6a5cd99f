"""What people see: tables, answers, the progress bar. Colour only where it is wanted."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dalil.cli.estimating import duration
from dalil.cli.failures import printable
from dalil.cli.remarks import grouped
from dalil.ingestion import IngestionResult, IngestProgress, IngestStatus
from dalil.ingestion.many import OnProgress
from dalil.models import Answer, Document, DocumentRecord, Outcome, Page, ScoredChunk

if TYPE_CHECKING:
    from dalil.sage import StoreStatus

_PASSAGE = 300  # characters of a passage in a list
_ANY_WIDTH = 100_000  # columns where there is no screen: every row stays on its line
_COLOURS = {
    IngestStatus.ADDED: "green",
    IngestStatus.REPLACED: "cyan",
    IngestStatus.UNCHANGED: "dim",
    IngestStatus.FAILED: "red",
}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Rich would exit with a code of its own; the command decides that in one place."""
        raise BrokenPipeError


def console(stream: TextIO) -> Console:
    """A console that leaves the text alone: no markup, no emoji codes, no highlighting (NO_COLOR is honoured)."""
    if stream.isatty():
        return _Console(file=stream, markup=False, emoji=False, highlight=False)
    return _Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=True, width=_ANY_WIDTH)


def print_table(out: Console, table: Table) -> None:
    """The table, without blanks at the ends of lines that no screen limits."""
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    for line in captured.get().splitlines():
        print(line.rstrip(), file=out.file)


@contextmanager
def progress_bar(documents: int, words: int, *, shown: bool) -> Iterator[OnProgress | None]:
    """A bar on stderr while documents are added, with words a second and the time left (by `words` when they are
    known, else by documents); nothing where stderr is not a terminal."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    started = time.monotonic()
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=documents, speed="")

        def show(state: IngestProgress) -> None:
            speed = _speed(state, documents, words, time.monotonic() - started)
            progress.update(task, completed=state.done, speed=speed, description=printable(state.current))

        yield show


def _speed(state: IngestProgress, documents: int, words: int, seconds: float) -> str:
    """Words a second, and the time left."""
    if not state.words or seconds <= 0:
        return ""
    done = max(state.words / words if words else 0.0, state.done / documents)
    left = f", {duration(seconds / done - seconds)} left" if 0 < done < 1 else ""
    return f"{state.words / seconds:,.0f} words/s{left}"


def results_table(results: Sequence[IngestionResult]) -> None:
    """The closing table of `add`, on stdout: each document, what became of it, and why."""
    table = Table("document", "status", "chunks", "remarks", box=None, pad_edge=False, header_style="bold")
    for result in results:
        remarks = str(result.error) if result.error else "; ".join(grouped(result.warnings))
        table.add_row(
            Text(printable(result.source), overflow="fold"),
            Text(str(result.status), style=_COLOURS[result.status]),
            str(result.chunk_count),
            Text(printable(remarks), overflow="fold"),
        )
    counts = {status: sum(result.status is status for result in results) for status in IngestStatus}
    out = console(sys.stdout)
    print_table(out, table)
    out.print(", ".join(f"{count} {status}" for status, count in counts.items() if count))


def print_answer(out: Console, answer: Answer, *, with_citations: bool) -> None:
    """The answer, then each citation: marker, source, page, quote."""
    out.print(Text(answer.text, style="" if answer.outcome is Outcome.ANSWERED else "yellow"))
    if not with_citations:
        return
    for citation in answer.citations:
        mark = "" if citation.verified else " (not checked)"
        out.print()
        label = f" ({printable(citation.label)})" if citation.label else ""
        where = f"{printable(citation.source)}, page {citation.page}{label}{mark}"
        out.print(Text(f"[{citation.marker}] {where}", style="bold"))
        out.print(Text(f"    “{' '.join(citation.quote.split())}”"))


def print_passages(out: Console, found: Sequence[ScoredChunk], *, whole: bool) -> None:
    """Passages with their scores and places."""
    if not found:
        out.print("Nothing found.")
    for rank, scored in enumerate(found, start=1):
        chunk = scored.chunk
        first, *others = chunk.pages
        pages = f"pages {first}-{others[-1]}" if others else f"page {first}"
        where = f"{printable(chunk.source)}, {pages}"
        out.print(Text(f"{rank}. {where}  ({scored.score:.3f})", style="bold"))
        text = " ".join(chunk.text.split())
        if whole:
            out.print(Text(f"   {text if len(text) <= _PASSAGE else text[:_PASSAGE].rstrip() + '…'}"))


def print_records(out: Console, records: Sequence[DocumentRecord]) -> None:
    """The table of `list`."""
    if not records:
        out.print("No documents.")
        return
    table = Table("document", "id", "pages", "chunks", "added", box=None, pad_edge=False, header_style="bold")
    for record in records:
        table.add_row(
            Text(printable(record.document.source), overflow="fold"),
            record.document.id,
            str(record.pages),
            str(record.chunks),
            record.added_at.astimezone().strftime("%Y-%m-%d %H:%M"),
        )
    print_table(out, table)


def print_document(
    out: Console, document: Document, pages: Sequence[Page], warnings: Sequence[str], *, bare: bool
) -> None:
    """A document's pages under a line each; without any decoration when `bare`."""
    if bare:  # to the letter: no wrapping, no tabs turned into blanks
        for page in pages:
            print(page.text, file=out.file)
        return
    out.print(Text(f"{printable(document.source)}  ({document.id})", style="bold"))
    for name, value in document.metadata.items():
        out.print(Text(printable(f"{name}: {value}"), style="dim"))
    for warning in grouped(warnings):
        out.print(Text(f"warning: {printable(warning)}", style="yellow"))
    for page in pages:
        out.print(Text(f"\n--- {_page_line(page)} ---", style="dim"))
        out.print(Text(page.text))


def _page_line(page: Page) -> str:
    """A page's number, how it was read, and what it is made of."""
    parts = [f"page {page.number}" + (f' (printed "{printable(page.label)}")' if page.label else "")]
    if page.route is not None:
        parts.append(f"{page.route}: {printable(page.reason)}")
    if page.confidence is not None:
        parts.append(f"confidence {page.confidence:.2f}")
    if page.layout is not None:
        parts.append(f"{page.layout.text_chars} characters, {page.layout.image_area_ratio:.0%} under images")
    return ", ".join(parts)


def print_status(out: Console, status: StoreStatus, *, bare: bool) -> None:
    """The store, its embedder, and its namespaces."""
    if not bare:
        out.print(f"store: {status.store} (schema {status.schema})")
        out.print(f"embedder: {status.embedder or 'none yet'}")
    for entry in status.namespaces:
        out.print(f"{entry.name}: {entry.documents} documents, {entry.chunks} chunks")
