"""A document on its way into the store, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from dalil.errors import DalilError
from dalil.models import Chunk, Document, EmbeddedSentences, Page, PageRoute, RawSource, Vector


class IngestStatus(StrEnum):
    """What became of a document."""

    ADDED = "added"
    UNCHANGED = "unchanged"
    REPLACED = "replaced"
    FAILED = "failed"


@dataclass(frozen=True)
class IngestionResult:
    """What ingesting one document did.

    `deduplicated` is True when these bytes were already there, under this name (nothing was done) or another one
    (the vectors are shared). `route_counts` says how many pages were read which way. `error` is set when it failed;
    `source` is the name that was given.
    """

    document: Document
    chunk_count: int
    route_counts: Mapping[PageRoute, int] = field(
        default_factory=lambda: dict.fromkeys(PageRoute, 0),
    )
    deduplicated: bool = False
    status: IngestStatus = IngestStatus.ADDED
    error: DalilError | None = None
    warnings: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        return self.document.source


@dataclass(frozen=True)
class ChunkedDocument:
    """A document that was cut elsewhere: its pages, and chunks whose spans lie on them."""

    document: Document
    pages: Sequence[Page]
    chunks: Sequence[Chunk]


@dataclass(frozen=True)
class Draft:
    """A document that was read and cut, but not embedded. `unchanged` needs nothing more than saying so."""

    source: RawSource
    document: Document
    pages: Sequence[Page] = ()
    chunks: Sequence[Chunk] = ()
    route_counts: Mapping[PageRoute, int] = field(default_factory=lambda: dict.fromkeys(PageRoute, 0))
    warnings: tuple[str, ...] = ()
    unchanged: bool = False


@dataclass(frozen=True)
class PreparedDocument:
    """A draft with the vectors of its chunks, and their sentences where the embedder has any."""

    draft: Draft
    vectors: Sequence[Vector] = ()
    sentences: Sequence[EmbeddedSentences] = ()

    @property
    def document(self) -> Document:
        return self.draft.document
