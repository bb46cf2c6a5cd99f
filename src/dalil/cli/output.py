"""What people see: tables, answers, the progress bar. Colour only where it is wanted."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dalil.ingestion import IngestionResult, IngestProgress, IngestStatus
from dalil.ingestion.many import OnProgress
from dalil.models import Answer, Document, DocumentRecord, Outcome, Page, ScoredChunk

if TYPE_CHECKING:
    from dalil.sage import StoreStatus

_PASSAGE = 300  # characters of a passage in a list
_COLOURS = {
    IngestStatus.ADDED: "green",
    IngestStatus.REPLACED: "cyan",
    IngestStatus.UNCHANGED: "dim",
    IngestStatus.FAILED: "red",
}


def console(stream: TextIO) -> Console:
    """A console that leaves the text alone: no markup, no emoji codes, no highlighting (NO_COLOR is honoured)."""
    return Console(file=stream, markup=False, emoji=False, highlight=False, soft_wrap=not stream.isatty())


@contextmanager
def progress_bar(documents: int, *, shown: bool) -> Iterator[OnProgress | None]:
    """A bar on stderr while documents are added; nothing where stderr is not a terminal."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[chunks]} chunks", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=documents, chunks=0)

        def show(state: IngestProgress) -> None:
            progress.update(task, completed=state.done, chunks=state.chunks_embedded, description=state.current)

        yield show


def results_table(results: Sequence[IngestionResult]) -> None:
    """The closing table of `add`, on stdout: each document, what became of it, and why."""
    table = Table("document", "status", "chunks", "remarks", box=None, pad_edge=False, header_style="bold")
    for result in results:
        remarks = str(result.error) if result.error else "; ".join(result.warnings)
        table.add_row(
            Text(result.source, overflow="fold"),
            Text(str(result.status), style=_COLOURS[result.status]),
            str(result.chunk_count),
            Text(remarks, overflow="fold"),
        )
    counts = {status: sum(result.status is status for result in results) for status in IngestStatus}
    out = console(sys.stdout)
    out.print(table)
    out.print(", ".join(f"{count} {status}" for status, count in counts.items() if count))


def print_answer(out: Console, answer: Answer, *, with_citations: bool) -> None:
    """The answer, then each citation: marker, source, page, quote."""
    out.print(Text(answer.text, style="" if answer.outcome is Outcome.ANSWERED else "yellow"))
    if not with_citations:
        return
    for citation in answer.citations:
        mark = "" if citation.verified else " (not checked)"
        out.print()
        out.print(Text(f"[{citation.marker}] {citation.source}, page {citation.page}{mark}", style="bold"))
        out.print(Text(f"    “{' '.join(citation.quote.split())}”"))


def print_passages(out: Console, found: Sequence[ScoredChunk], *, whole: bool) -> None:
    """Passages with their scores and places."""
    if not found:
        out.print("Nothing found.")
    for rank, scored in enumerate(found, start=1):
        chunk = scored.chunk
        out.print(Text(f"{rank}. {chunk.source}, page {chunk.page}  ({scored.score:.3f})", style="bold"))
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
            Text(record.document.source, overflow="fold"),
            record.document.id,
            str(record.pages),
            str(record.chunks),
            record.added_at.astimezone().strftime("%Y-%m-%d %H:%M"),
        )
    out.print(table)


def print_document(
    out: Console, document: Document, pages: Sequence[Page], warnings: Sequence[str], *, bare: bool
) -> None:
    """A document's pages under a line each; without any decoration when `bare`."""
    if not bare:
        out.print(Text(f"{document.source}  ({document.id})", style="bold"))
        for name, value in document.metadata.items():
            out.print(Text(f"{name}: {value}", style="dim"))
        for warning in warnings:
            out.print(Text(f"warning: {warning}", style="yellow"))
    for page in pages:
        if not bare:
            out.print(Text(f"\n--- page {page.number} ---", style="dim"))
        out.print(Text(page.text))


def print_status(out: Console, status: StoreStatus, *, bare: bool) -> None:
    """The store, its embedder, and its namespaces."""
    if not bare:
        out.print(f"store: {status.store} (schema {status.schema})")
        out.print(f"embedder: {status.embedder or 'none yet'}")
    for entry in status.namespaces:
        out.print(f"{entry.name}: {entry.documents} documents, {entry.chunks} chunks")
