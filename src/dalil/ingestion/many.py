"""Many documents: embedded together, committed a few at a time, one bad file stopping nothing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from dalil.config import IngestionConfig
from dalil.errors import DocumentError, EmbeddingError, LLMError
from dalil.ingestion.pipeline import IngestionPipeline
from dalil.ingestion.prepared import Draft, IngestionResult, IngestStatus, PreparedDocument
from dalil.models import RawSource
from dalil.scope import Scope

DOCUMENTS_PER_COMMIT = 8
CHUNKS_PER_COMMIT = 512
"""A group is closed by whichever comes first, so that memory stays bounded and little is lost when interrupted."""

READ_AT_ONCE = 2
"""Documents read at the same time: parsing happens in processes of its own."""


@dataclass(frozen=True)
class IngestProgress:
    """How far `ingest_many` has come. `documents` is None while the sources are not counted.

    `chunks_read` grows as documents are read, `chunks_embedded` as their vectors come, `words` counts the words of
    what was embedded. `current` is the document that was read last.
    """

    documents: int | None = None
    done: int = 0
    chunks_read: int = 0
    chunks_embedded: int = 0
    words: int = 0
    current: str = ""


OnProgress = Callable[[IngestProgress], None]
Commit = Callable[[Sequence[PreparedDocument]], Awaitable[Sequence[IngestionResult]]]


@dataclass
class _Group:
    """Documents that are committed together, in order, among results that need no commit."""

    entries: list[Draft | IngestionResult] = field(default_factory=list)

    @property
    def drafts(self) -> list[Draft]:
        return [entry for entry in self.entries if isinstance(entry, Draft)]

    @property
    def is_full(self) -> bool:
        family = [member for draft in self.drafts for member in draft.family()]
        documents = len(family) + len(self.entries) - len(self.drafts)
        return documents >= DOCUMENTS_PER_COMMIT or sum(len(member.chunks) for member in family) >= CHUNKS_PER_COMMIT


async def ingest_many(
    sources: Iterable[RawSource],
    scope: Scope,
    config: IngestionConfig | None = None,
    *,
    pipeline: IngestionPipeline,
    commit: Commit,
    on_progress: OnProgress | None = None,
) -> AsyncGenerator[IngestionResult, None]:
    """The result of each source, in order, as soon as it is in the store.

    `pipeline` prepares; `commit` puts at most 8 prepared documents into the store at one moment. The next documents
    are read while these are embedded. Whoever stops iterating keeps what was committed, and may run it again.

    Raises:
        StoreError: if the store fails; a document that cannot be read or embedded is a failed result instead.
    """
    progress = _Reporter(IngestProgress(len(sources) if isinstance(sources, Sequence) else None), on_progress)
    readings = _Readings(sources, scope, config, pipeline, progress)
    reading = asyncio.create_task(_read_group(readings))
    try:
        while True:
            group = await reading
            if not group.entries:
                return
            reading = asyncio.create_task(_read_group(readings))
            prepared, failed = await _embedded(group.drafts, scope, pipeline, progress)
            committed = iter(await commit(prepared) if prepared else ())
            for entry in group.entries:
                if isinstance(entry, Draft):
                    result = failed[id(entry)] if id(entry) in failed else next(committed)
                else:
                    result = entry
                progress.add(done=1)
                yield result
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
        await readings.stop()


class _Readings:
    """Drafts of the sources, or the results of those that failed, in order; a few are read at a time."""

    def __init__(
        self,
        sources: Iterable[RawSource],
        scope: Scope,
        config: IngestionConfig | None,
        pipeline: IngestionPipeline,
        progress: _Reporter,
    ):
        self._waiting = iter(sources)
        self._scope = scope
        self._config = config
        self._pipeline = pipeline
        self._progress = progress
        self._running: deque[asyncio.Task[Draft | IngestionResult]] = deque()

    async def next(self) -> Draft | IngestionResult | None:
        """The next one; None when there are no more."""
        while len(self._running) < READ_AT_ONCE and (source := next(self._waiting, None)) is not None:
            self._running.append(asyncio.create_task(self._read(source)))
        return await self._running.popleft() if self._running else None

    async def stop(self) -> None:
        """Leave what is being read."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _read(self, source: RawSource) -> Draft | IngestionResult:
        self._progress.show(current=source.name)
        try:
            draft = await self._pipeline.read(source, self._scope, self._config)
        except (DocumentError, LLMError) as error:
            return IngestionResult.failed(source, error)
        self._progress.add(chunks_read=sum(len(member.chunks) for member in draft.family()))
        if draft.unchanged:
            return IngestionResult(draft.document, 0, deduplicated=True, status=IngestStatus.UNCHANGED)
        return draft


async def _read_group(readings: _Readings) -> _Group:
    group = _Group()
    while not group.is_full and (entry := await readings.next()) is not None:
        group.entries.append(entry)
    return group


async def _embedded(
    drafts: Sequence[Draft], scope: Scope, pipeline: IngestionPipeline, progress: _Reporter
) -> tuple[list[PreparedDocument], dict[int, IngestionResult]]:
    """The prepared documents, and what failed by the `id()` of its draft."""
    chunks = [chunk for draft in drafts for member in draft.family() for chunk in member.chunks]
    total = len(chunks) or 1
    words = await asyncio.to_thread(lambda: sum(len(chunk.text.split()) for chunk in chunks))

    def on_embedded(count: int) -> None:
        progress.add(chunks_embedded=count, words=round(words * count / total))

    if not drafts:
        return [], {}
    try:
        return await pipeline.embed(drafts, scope, on_embedded), {}
    except EmbeddingError:
        # One text may have been too much for the embedder: find out whose it was.
        prepared: list[PreparedDocument] = []
        failed: dict[int, IngestionResult] = {}
        for draft in drafts:
            try:
                prepared += await pipeline.embed([draft], scope)
            except EmbeddingError as error:
                failed[id(draft)] = IngestionResult.failed(draft.source, error)
        return prepared, failed


class _Reporter:
    """Keeps the counts and tells whoever listens."""

    def __init__(self, progress: IngestProgress, listener: OnProgress | None):
        self._progress = progress
        self._listener = listener

    def add(self, **counts: int) -> None:
        self.show(**{name: getattr(self._progress, name) + count for name, count in counts.items()})

    def show(self, **values: object) -> None:
        self._progress = replace(self._progress, **values)  # type: ignore[arg-type]
        if self._listener is not None:
            self._listener(self._progress)
