"""The parser and chunker that need no model and no service."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.errors import DocumentTooLargeError, EmptyDocumentError, LoaderError
from dalil.identity import content_hash, document_id
from dalil.models import Chunk, Document, Page, ParsedDocument, RawSource
from dalil.parsing.formats import reader_of
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading
from dalil.parsing.sniffing import MEDIA_TYPES, sniff


class HeuristicBackend:
    """Reads every supported format by its content, and cuts pages by their structure.

    It is both a `DocumentParser` and a `Chunker`.
    """

    def __init__(self, limits: ParsingLimits | None = None) -> None:
        self._limits = limits or ParsingLimits()

    def parse(self, source: RawSource) -> ParsedDocument:
        """The document and its pages.

        Raises:
            LoaderError: the bytes cannot be read; its subclasses say why (unsupported, encrypted, corrupt, too
                large).
            EmptyDocumentError: nothing in it could ever become text. A scan is not empty: its pages come back
                with an image and a warning.
        """
        data = self._bytes_of(source)
        kind = sniff(data, source.name, source.media_type, self._limits)
        reading = reader_of(kind)(data, source, self._limits)
        pages = tuple(reading.pages)
        if not any(page.text.strip() or page.image for page in pages):
            raise EmptyDocumentError(f"{source.name} holds no readable text.")
        document = Document(
            id=document_id(source.name),
            source=source.name,
            content_hash=content_hash(data),
            metadata=_metadata(source, reading, MEDIA_TYPES[kind]),
        )
        return ParsedDocument(document, pages, tuple(reading.warnings), tuple(reading.attachments))

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """Chunks of about `size` tokens, cut by structure."""
        from dalil.chunking import StructureChunker

        chunks: Sequence[Chunk] = StructureChunker().chunk(document, pages, size=size, overlap=overlap)
        return chunks

    def _bytes_of(self, source: RawSource) -> bytes:
        try:
            data = source.read()
        except OSError as error:
            reason = error.strerror or str(error)
            raise LoaderError(f"{source.name} could not be read: {reason}.") from error
        if len(data) > self._limits.file_bytes:
            raise DocumentTooLargeError(f"{source.name} has {len(data)} bytes; the limit is {self._limits.file_bytes}.")
        return data


def _metadata(source: RawSource, reading: Reading, media_type: str) -> dict[str, object]:
    """The document's own metadata under the user's, which win."""
    own: dict[str, object] = {"media_type": media_type, **reading.metadata}
    if reading.title:
        own["title"] = reading.title
    return {**own, **source.metadata}
