"""The domain, as plain frozen data: what is read, kept, found and said.

Places are always *spans*: (page, start, end), half-open, counted in code points of that page's stored text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from dalil.geometry import Box, PageGeometry

Vector: TypeAlias = Sequence[float]
"""One embedding: a sequence of floats of a fixed width."""


class Span(NamedTuple):
    """A half-open range of code points in the text of one page (pages count from 1)."""

    page: int
    start: int
    end: int


@dataclass(frozen=True)
class RawSource:
    """A document as it arrives: a name (its identity within a namespace), and its bytes or where they lie."""

    name: str
    content: bytes | str | None = field(default=None, repr=False)
    path: str | Path | None = None
    media_type: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    password: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.content is None and self.path is None:
            raise ValueError("RawSource needs content or a path")

    def read(self) -> bytes:
        """The document's bytes.

        Raises:
            OSError: if the file at `path` cannot be read.
        """
        if self.content is None:
            assert self.path is not None
            return Path(self.path).read_bytes()
        if isinstance(self.content, str):
            return self.content.encode("utf-8", "surrogatepass")
        return self.content


@dataclass(frozen=True)
class PageImage:
    """A picture of a page for a vision model: a reference, and its bytes when they are at hand."""

    ref: str
    data: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class PageLayout:
    """What a page is made of: characters of text (spaces aside), share of its area under images, and
    the area of its bitmaps in square points."""

    text_chars: int
    image_area_ratio: float
    bitmap_area: float


@dataclass(frozen=True)
class Page:
    """One page of a document. Structure is written as Markdown: headings, lists, tables with pipes.

    `label` is the page's printed number ("iv", "A-3"), where it is another than `number`. `reason` says where the
    text comes from, or why there is none: "text layer", "hidden text layer", "garbled text layer", "tesseract",
    "vision". `confidence` is what OCR thinks of its text, from 0 to 1. `geometry` says where the words stand.
    """

    number: int
    text: str = ""
    image: PageImage | None = None
    layout: PageLayout | None = None
    label: str = ""
    reason: str = ""
    confidence: float | None = None
    geometry: PageGeometry | None = field(default=None, repr=False)

    @property
    def route(self) -> PageRoute | None:
        """How its text was read, or would be; None where its `reason` does not tell."""
        if not self.reason:
            return None
        pictured = not _READ_FROM_PICTURES.isdisjoint(part.strip() for part in self.reason.split(","))
        return PageRoute.VISION if pictured or self.confidence is not None else PageRoute.TEXT


_READ_FROM_PICTURES = frozenset({"vision", "tesseract", "picture", "no text layer", "garbled text layer"})


class PageRoute(StrEnum):
    """How a page is read: from its text, or by a vision model."""

    TEXT = "text"
    VISION = "vision"


@dataclass(frozen=True)
class Document:
    """A document's identity (from its source name), where it came from, and a hash of its bytes."""

    id: str
    source: str
    content_hash: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ParsedDocument:
    """A document with its pages, and what its reader found worth warning about.

    `pages` may be read from disk as they are asked for. `attachments` are documents of their own that it carries.
    """

    document: Document
    pages: Sequence[Page]
    warnings: tuple[str, ...] = ()
    attachments: tuple[RawSource, ...] = ()


@dataclass(frozen=True)
class RecognizedText:
    """What OCR read in a picture: Markdown-like text, how sure it is (0 to 1), where the words stand."""

    text: str
    confidence: float
    engine: str = ""
    geometry: PageGeometry | None = field(default=None, repr=False)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chunk:
    """A passage: what is searched, shown and cited.

    `text` is exactly the pages' text at `spans`, joined by one newline where it crosses pages. `embed_text` is
    what the embedder and the word index read: the text with its title and headings, or the text alone.
    """

    id: str
    document_id: str
    text: str
    page: int
    ordinal: int
    embed_text: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if not self.embed_text:
            object.__setattr__(self, "embed_text", self.text)

    @property
    def source(self) -> str:
        """The source name of its document, as the pipeline recorded it."""
        return str(self.metadata.get("source", self.document_id))

    @property
    def pages(self) -> tuple[int, ...]:
        """The numbers of the pages on which it stands."""
        return tuple(dict.fromkeys(span.page for span in self.spans)) or (self.page,)


@dataclass(frozen=True)
class EmbeddedChunk:
    """A chunk with its vector."""

    chunk: Chunk
    vector: Vector


@dataclass(frozen=True)
class EmbeddedSentence:
    """A sentence of a chunk as code points [start, end) of `chunk.text`, with its vector."""

    start: int
    end: int
    vector: Vector


@dataclass(frozen=True)
class EmbeddedSentences:
    """The sentences of one chunk, in order."""

    chunk_id: str
    sentences: Sequence[EmbeddedSentence]


@dataclass(frozen=True)
class SentenceMatch:
    """A sentence [start, end) of a chunk's text and its cosine with the question."""

    start: int
    end: int
    score: float


@dataclass(frozen=True)
class LexicalSignals:
    """How a chunk's words match a query: its BM25 score, and the idf-weighted share of the query it covers."""

    bm25: float
    coverage: float


@dataclass(frozen=True)
class StoredVectors:
    """What a store already knows of an `embed_text`: its vector, the chunk text it stood for, its sentences."""

    vector: Vector
    text: str
    sentences: Sequence[EmbeddedSentence] = ()


@dataclass(frozen=True)
class DocumentRecord:
    """A stored document with its size and history."""

    document: Document
    pages: int
    chunks: int
    added_at: datetime
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoredChunk:
    """A chunk and its score; what the score means depends on the stage that gave it."""

    chunk: Chunk
    score: float

    @property
    def rank(self) -> tuple[float, str, int]:
        """The key of every ranking: best score first (rounded to 1e-9), ties by source name, then by ordinal."""
        return (-round(self.score, 9), self.chunk.source, self.chunk.ordinal)


@dataclass(frozen=True)
class Citation:
    """One contiguous quote behind a marker; several may share a marker.

    `page`, `start` and `end` are its first span; `spans` holds more than one only across a page break.
    `quote` is the stored text at its spans, joined by one newline. `verified` says that it was compared with
    the stored page, character for character. `label` is the printed number of `page`, where it has another one;
    `boxes` are the quote's rectangles on its pages, where they are known.
    """

    marker: int
    chunk_id: str
    document_id: str
    page: int
    quote: str
    source: str = ""
    start: int = 0
    end: int = 0
    spans: tuple[Span, ...] = ()
    verified: bool = False
    label: str = ""
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True)
class Turn:
    """An earlier question of the conversation, and the answer it got."""

    question: str
    answer: str


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    NOT_FOUND = "not_found"
    CONVERSATIONAL = "conversational"


@dataclass(frozen=True)
class Answer:
    """The whole answer. `grounded` is true only for an answer that rests on the documents."""

    text: str
    citations: tuple[Citation, ...] = ()
    outcome: Outcome = Outcome.ANSWERED

    @property
    def grounded(self) -> bool:
        return self.outcome is Outcome.ANSWERED


@dataclass(frozen=True)
class AnswerToken:
    """A fragment of the answer, in the order in which it is said."""

    text: str


@dataclass(frozen=True)
class Usage:
    """What the answer cost: sources given to the model, and tokens it produced (estimated when unknown)."""

    sources: int
    completion_tokens: int


@dataclass(frozen=True)
class AnswerComplete:
    """The last event of a stream: the whole answer again."""

    text: str
    citations: tuple[Citation, ...] = ()
    outcome: Outcome = Outcome.ANSWERED

    @property
    def grounded(self) -> bool:
        return self.outcome is Outcome.ANSWERED


AnswerEvent: TypeAlias = AnswerToken | Citation | Usage | AnswerComplete
