"""A document on its way into the store, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dalil.errors import DalilError
from dalil.identity import document_id
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
    `source` is the name that was given. `attachments` are the results of the documents that it carries.
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
    attachments: tuple[IngestionResult, ...] = ()

    @property
    def source(self) -> str:
        return self.document.source

    @classmethod
    def failed(cls, source: RawSource, error: DalilError) -> IngestionResult:
        """The result of a source of which nothing was stored."""
        document = Document(document_id(source.name), source.name, "", dict(source.metadata))
        return cls(document, 0, status=IngestStatus.FAILED, error=error)


@dataclass(frozen=True)
class ChunkedDocument:
    """A document that was cut elsewhere: its pages, and chunks whose spans lie on them."""

    document: Document
    pages: Sequence[Page]
    chunks: Sequence[Chunk]


@dataclass(frozen=True)
class Draft:
    """A document that was read and cut, but not embedded. `unchanged` needs nothing more than saying so.

    `attachments` are the documents that it carries, as drafts too; one that failed is its result already.
    """

    source: RawSource
    document: Document
    pages: Sequence[Page] = ()
    chunks: Sequence[Chunk] = ()
    route_counts: Mapping[PageRoute, int] = field(default_factory=lambda: dict.fromkeys(PageRoute, 0))
    warnings: tuple[str, ...] = ()
    unchanged: bool = False
    attachments: tuple[Draft | IngestionResult, ...] = ()

    def family(self) -> Iterator[Draft]:
        """This draft, then those of its attachments, each followed by its own."""
        yield self
        for attachment in self.attachments:
            if isinstance(attachment, Draft):
                yield from attachment.family()


@dataclass(frozen=True)
class PreparedDocument:
    """A draft with the vectors of its chunks, and their sentences where the embedder has any."""

    draft: Draft
    vectors: Sequence[Vector] = ()
    sentences: Sequence[EmbeddedSentences] = ()
    attachments: tuple[PreparedDocument | IngestionResult, ...] = ()

    @classmethod
    def of_family(cls, draft: Draft, prepared: Iterator[PreparedDocument]) -> PreparedDocument:
        """The draft's own from `prepared`, with those of its attachments in it; they come as `Draft.family` says."""
        own = next(prepared)
        attachments = tuple(
            cls.of_family(attachment, prepared) if isinstance(attachment, Draft) else attachment
            for attachment in draft.attachments
        )
        return replace(own, attachments=attachments)

    @property
    def document(self) -> Document:
        return self.draft.document
