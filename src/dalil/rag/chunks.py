"""Chunks of a local system, as its chunker makes them and as its index finds them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from dalil.config import IngestionConfig
from dalil.identity import document_id
from dalil.models import Chunk, Document, Page, Span
from dalil.ports import Chunker
from dalil.rag.chunk_access import text_of
from dalil.retrieval import Retrieval


@dataclass(frozen=True)
class LocalChunk:
    """A passage with the text it was cut from.

    `doc_id` is the document's source name. `pages` are there on a chunk that was just cut, `found` and `fused` (the
    retrieval that brought it, and its score there) on one that was found.
    """

    chunk: Chunk
    doc_id: str
    pages: tuple[Page, ...] = field(default=(), repr=False)
    document_metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)
    found: Retrieval | None = field(default=None, repr=False, compare=False)
    fused: float = field(default=0.0, repr=False, compare=False)

    @property
    def text(self) -> str:
        return self.chunk.text

    @property
    def chunk_id(self) -> str:
        return self.chunk.id

    @property
    def page(self) -> int:
        return self.chunk.page

    @property
    def spans(self) -> tuple[Span, ...]:
        """Where it stands: (page, start, end) in code points of the page's text."""
        return self.chunk.spans

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The chunk's own, read-only: its source, the headings above it, the header of its table."""
        return MappingProxyType(dict(self.chunk.metadata))

    def with_document_metadata(self, metadata: Mapping[str, Any]) -> LocalChunk:
        """The same chunk of a document with this metadata, which is what filters look at."""
        return replace(self, document_metadata={**self.document_metadata, **metadata})


class LocalChunker:
    """Cuts a text with one of dalil's chunkers; the chunks carry their source text and places.

    `chunker` gives that chunker when it is first needed; `size` and `overlap` are in estimated tokens.
    """

    def __init__(self, chunker: Callable[[], Chunker], *, size: int, overlap: int):
        self._chunker = chunker
        self._config = IngestionConfig(chunk_size=size, chunk_overlap=overlap)

    def chunk_text(self, text: str, doc_id: str) -> list[LocalChunk]:
        """The chunks of `text` as the whole document `doc_id`."""
        document = Document(document_id(doc_id), doc_id, "")
        pages = (Page(1, text),)
        chunks = self._chunker().chunk(
            document, pages, size=self._config.chunk_size, overlap=self._config.chunk_overlap
        )
        return [LocalChunk(chunk, doc_id, pages) for chunk in chunks]


def as_local(chunks: Sequence[Any], doc_id: str, metadata: Mapping[str, Any] | None = None) -> list[LocalChunk]:
    """Chunks of any make as the whole document `doc_id`, each a page of its own: where they stood is not known."""
    pages = tuple(Page(number, text_of(chunk)) for number, chunk in enumerate(chunks, start=1))
    document = document_id(doc_id)
    return [
        LocalChunk(
            Chunk(
                f"{document}:{ordinal}",
                document,
                page.text,
                page.number,
                ordinal,
                metadata=_metadata(chunk),
                spans=(Span(page.number, 0, len(page.text)),),
            ),
            doc_id,
            pages,
            dict(metadata or {}),
        )
        for ordinal, (chunk, page) in enumerate(zip(chunks, pages, strict=True))
    ]


def shared_metadata(chunks: Sequence[Any]) -> dict[str, Any]:
    """What all chunks of a document say alike about themselves: what their document is taken to say."""
    first, *others = (_metadata(chunk) for chunk in chunks)
    return {name: value for name, value in first.items() if all(name in o and o[name] == value for o in others)}


def _metadata(chunk: Any) -> dict[str, Any]:
    """What a foreign chunk says about itself, as far as JSON can hold it and dalil can show it."""
    found = getattr(chunk, "metadata", None)
    said = {}
    for name, value in found.items() if isinstance(found, Mapping) else ():
        with suppress(TypeError, ValueError, RecursionError):  # one odd value spoils no other
            said[str(name)] = json.loads(json.dumps(value, default=str))
    said.pop("parent", None)  # a place that dalil's own chunkers write; there is none in pages of one chunk each
    headings = said.pop("headings", None)
    if headings is not None:
        said["headings"] = [str(heading) for heading in (headings if isinstance(headings, list) else [headings])]
    return said
