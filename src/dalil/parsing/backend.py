"""The parser and chunker that need no model and no service."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib.util import find_spec

from dalil.errors import DocumentTooLargeError, EmptyDocumentError, LoaderError, MissingExtraError
from dalil.identity import content_hash, document_id
from dalil.models import Chunk, Document, Page, ParsedDocument, RawSource
from dalil.parsing.dispatch import read_document
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import READING_VERSION, Reading
from dalil.parsing.sniffing import Format, sniff

_SHORT_BYTES = 64 * 1024
_PLAIN = frozenset({Format.TEXT, Format.MARKDOWN})


class HeuristicBackend:
    """Reads every supported format by its content, and cuts pages by their structure.

    It is both a `DocumentParser` and a `Chunker`; threads may share it. Documents are read in worker processes, at
    most two at once, which are killed when a document takes more time or memory than its `limits` allow; only short
    plain text and Markdown, whose readers take no time, are read here. With `isolated=False` everything is read in
    the calling process: for tests, for trusted documents, and where no process can be started. Then nothing stops a
    document that makes a library hang, crash, or take all memory, and all pages are in memory at once.

    `articles=True` reads of HTML only the article, as trafilatura finds it: better on news pages and slower, but it
    drops what stands outside the prose.

    Raises:
        MissingExtraError: `articles` is asked for without the extra `web`.
    """

    def __init__(self, limits: ParsingLimits | None = None, *, isolated: bool = True, articles: bool = False) -> None:
        if articles and find_spec("trafilatura") is None:
            raise MissingExtraError("The package trafilatura, which finds articles,", "pip install 'dalil[web]'")
        self._limits = limits or ParsingLimits()
        self._isolated = isolated
        self._articles = articles

    @property
    def identity(self) -> str:
        """What the pages depend on besides the bytes: the class, the version of the reading, and the limits."""
        limits = sha256(repr(sorted(asdict(self._limits).items())).encode()).hexdigest()[:16]
        reader = f"{type(self).__module__}.{type(self).__qualname__}"
        return f"{reader}/{READING_VERSION}/{limits}{'/articles' if self._articles else ''}"

    def parse(self, source: RawSource) -> ParsedDocument:
        """The document and its pages, which may be read from disk as they are asked for.

        Raises:
            LoaderError: the bytes cannot be read; its subclasses say why (unsupported, encrypted, corrupt, too
                large, too slow).
            EmptyDocumentError: nothing in it could ever become text. A scan is not empty: its pages come back
                with an image and a warning.
        """
        data = self._bytes_of(source)
        reading = self._reading(data, source)
        pages = reading.pages if isinstance(reading.pages, Sequence) else tuple(reading.pages)
        warnings = tuple(reading.warnings)
        if not any(page.text.strip() or page.image for page in pages):
            why = f": {warnings[0]}" if warnings else ""
            raise EmptyDocumentError(
                f"{source.name} holds no readable text{why}.", details={"pages": len(pages), "warnings": warnings[:20]}
            )
        document = Document(
            id=document_id(source.name),
            source=source.name,
            content_hash=content_hash(data),
            metadata=_metadata(source, reading),
        )
        return ParsedDocument(document, pages, warnings, tuple(reading.attachments))

    def chunk(self, document: Document, pages: Sequence[Page], *, size: int, overlap: int) -> Sequence[Chunk]:
        """Chunks of about `size` tokens, cut by structure."""
        from dalil.chunking import StructureChunker

        chunks: Sequence[Chunk] = StructureChunker().chunk(document, pages, size=size, overlap=overlap)
        return chunks

    def _reading(self, data: bytes, source: RawSource) -> Reading:
        if not self._isolated or self._is_short_text(data, source):
            return read_document(data, source, self._limits, articles=self._articles)
        from dalil.parsing.worker.isolated import read_isolated

        return read_isolated(data, source, self._limits, articles=self._articles)

    def _is_short_text(self, data: bytes, source: RawSource) -> bool:
        """Whether reading it here costs less than handing it over, and cannot take long."""
        if len(data) > _SHORT_BYTES or b"\0" in data:
            return False
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return sniff(data, source.name, source.media_type, self._limits) in _PLAIN

    def _bytes_of(self, source: RawSource) -> bytes:
        limit = self._limits.file_bytes
        try:
            data = source.read() if source.content is not None else _bytes_at(os.fspath(source.path or ""), limit)
        except OSError as error:
            reason = error.strerror or str(error)
            raise LoaderError(f"{source.name} could not be read: {reason}.") from error
        if len(data) > limit:
            raise DocumentTooLargeError(f"{source.name} has more than {limit} bytes.")
        return data


def _bytes_at(path: str, limit: int) -> bytes:
    """A file's bytes; of a file longer than `limit`, or without end, only its beginning that exceeds the limit."""
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        ends = stat.S_ISREG(status.st_mode) and status.st_size <= limit
        return file.read() if ends else file.read(limit + 1)


def _metadata(source: RawSource, reading: Reading) -> dict[str, object]:
    """The document's own metadata under the user's, which win."""
    own = dict(reading.metadata)
    if reading.title:
        own["title"] = reading.title
    return {**own, **source.metadata}
