"""`dalil add`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dalil.cli.estimating import Estimate, duration, estimate
from dalil.cli.failures import DONE, SOME_FAILED, explain, printable, silence_stdout
from dalil.cli.output import progress_bar, results_table
from dalil.cli.passwords import password_of
from dalil.cli.places import Cut, Place, check_unicode, exists
from dalil.errors import ConfigurationError, LoaderError
from dalil.ingestion import IngestionResult, IngestStatus
from dalil.ingestion.files import files_under
from dalil.models import RawSource
from dalil.sage import RagSage


async def add_documents(
    paths: Sequence[Path],
    place: Place,
    meta: Sequence[str],
    cut: Cut,
    password: str | None = None,
    *,
    as_json: bool,
    quiet: bool,
) -> int:
    """Add files and folders; 1 when some of them failed. `password` opens those that are locked; `-` is stdin."""
    metadata = _metadata(meta)
    password = password_of(password)
    files = list(files_under(paths, place.files_beside))
    if not files:
        raise LoaderError("There is no readable file there.", advice="Name files, or a folder that holds some.")
    if not any(map(exists, files)) and len(files) == len(paths):
        raise LoaderError(f"{', '.join(map(str, paths))}: no such file or folder.", advice="Check the spelling.")
    sources = [RawSource(place.source_name(file), path=file, metadata=metadata, password=password) for file in files]
    results: list[IngestionResult] = []
    async with place.open(cut) as sage:
        expected = None if quiet or as_json else await _announced(sage, place, files)
        words = expected.words if expected else 0
        with progress_bar(len(sources), words, shown=not (quiet or as_json)) as on_progress:
            async for result in sage.ingest_many(sources, place.scope, on_progress=on_progress):
                results.append(result)
                if as_json:
                    for member in _family(result):
                        _print_line(member)
    family = [member for result in results for member in _family(result)]
    if not as_json and not quiet:
        results_table(family)
    elif not as_json:
        for member in family:
            if member.error is not None:
                print(printable(f"{member.source}: {member.error}"), file=sys.stderr)
    # An attachment that cannot be read (the logo of a letter) is told, but does not fail the file it came with.
    return SOME_FAILED if any(result.status is IngestStatus.FAILED for result in results) else DONE


def _family(result: IngestionResult) -> Iterator[IngestionResult]:
    """The result, and those of the documents that it carries."""
    yield result
    for attachment in result.attachments:
        yield from _family(attachment)


async def _announced(sage: RagSage, place: Place, files: Sequence[Path]) -> Estimate | None:
    """Say on stderr what a long run will take, when documents are first added to a store."""
    await sage.migrate()
    if (await sage.status()).embedder is not None:
        return None  # most of it may be there already
    expected = await estimate(files, sage.embedder)
    if expected is not None and expected.fast_seconds is not None:
        print(
            f"About {expected.words:,} words: some {duration(expected.seconds)} on this machine. With --embedder fast "
            f"it would take about {duration(expected.fast_seconds)}, and find a little less well.",
            file=sys.stderr,
        )
    return expected


def _print_line(result: IngestionResult) -> None:
    """Print it at once; the work goes on when nobody reads any more."""
    try:
        print(json.dumps(_line(result), ensure_ascii=False), flush=True)
    except BrokenPipeError:
        silence_stdout()


def _line(result: IngestionResult) -> dict[str, Any]:
    return {
        "source": result.source,
        "status": str(result.status),
        "document_id": result.document.id,
        "chunks": result.chunk_count,
        "error": None if result.error is None else explain(result.error),
        "warnings": list(result.warnings),
    }


def _metadata(pairs: Sequence[str]) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.strip():
            raise ConfigurationError(f"--meta takes KEY=VALUE, not {pair!r}.")
        check_unicode(pair, "--meta")
        metadata[name.strip()] = value
    return metadata
