"""The first half of preparing: from bytes to chunks with the text they are embedded under."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from dalil.config import IngestionConfig
from dalil.errors import ChunkingError, DalilError, DocumentError, EmptyDocumentError, LoaderError
from dalil.identity import content_hash, document_id
from dalil.ingestion.attachments import ATTACHMENTS, DEPTH, attached_sources
from dalil.ingestion.caching import ParseCache
from dalil.ingestion.pages import PageReader
from dalil.ingestion.prepared import ChunkedDocument, Draft, IngestionResult
from dalil.models import Chunk, Document, Page, PageRoute, ParsedDocument, RawSource
from dalil.offloop import off_loop
from dalil.ports import (
    Chunker,
    Contextualizer,
    DocumentParser,
    DocumentStore,
    LLMClient,
    PageClassifier,
    TextRecognizer,
    Tracer,
)
from dalil.scope import Scope

_YIELD_EVERY = 16  # chunks between two breaths of the models' loop


class DocumentReader:
    """Reads, routes, chunks and contextualises one document; asks the store only what it already knows."""

    def __init__(
        self,
        *,
        parser: DocumentParser,
        classifier: PageClassifier,
        chunker: Chunker,
        contextualizer: Contextualizer,
        document_store: DocumentStore,
        llm: LLMClient,
        cache: ParseCache,
        tracer: Tracer,
        recognizer: TextRecognizer | None = None,
    ):
        self._parser = parser
        self._pages = PageReader(classifier, llm, recognizer, tracer)
        self._chunker = chunker
        self._contextualizer = contextualizer
        self._documents = document_store
        self._cache = cache
        self._tracer = tracer

    async def read(self, source: RawSource, scope: Scope, config: IngestionConfig, depth: int = 0) -> Draft:
        """A draft of the document and its attachments; unchanged content is noticed before it is parsed.

        `depth` is how many documents this one stands in.

        Raises:
            DocumentError: if it cannot be read, or holds no text.
            LLMError: if the model failed at a page that nothing else could read.
        """
        try:
            data, hashed = await asyncio.to_thread(_read, source)
        except OSError as error:
            raise LoaderError(f"{source.name} cannot be read: {error.strerror or error}.") from error
        source = replace(source, content=data)
        document = Document(document_id(source.name), source.name, hashed, dict(source.metadata))
        known = await self._documents.get(scope, document.id)
        if known is not None and is_unchanged(known, document):
            self._tracer.event("deduplicated", document_id=document.id)
            return Draft(_without_content(source), known, unchanged=True)
        parsed = await self._parsed(source, document)
        read = await self._pages.read(parsed)
        pages = read.pages
        if not any(page.text.strip() for page in pages):
            raise EmptyDocumentError(f"{source.name} holds no readable text.", details={"pages": len(pages)})
        chunks = await self._chunked(parsed.document, pages, config)
        attached = attached_sources(source, parsed.attachments)
        attachments, lost = await self._attachments(attached, scope, config, depth)
        document = parsed.document
        if attached:
            names = [attachment.name for attachment in attached]
            document = replace(document, metadata={**document.metadata, ATTACHMENTS: names})
        return Draft(
            source=_without_content(source),
            document=document,
            pages=pages,
            chunks=await self._in_context(document, chunks, pages, config),
            route_counts=read.routes,
            warnings=(*read.warnings, *lost),
            attachments=attachments,
        )

    async def _attachments(
        self, sources: Sequence[RawSource], scope: Scope, config: IngestionConfig, depth: int
    ) -> tuple[tuple[Draft | IngestionResult, ...], list[str]]:
        """Their drafts, or the results of those that failed, with a warning for each of these."""
        read: list[Draft | IngestionResult] = []
        warnings = []
        for source in sources:
            try:
                if depth >= DEPTH:
                    raise LoaderError(
                        f"{source.name} stands more than {DEPTH} documents deep.", advice="Add it on its own."
                    )
                read.append(await self.read(source, scope, config, depth + 1))
            except DocumentError as error:
                read.append(IngestionResult.failed(source, error))
                warnings.append(f"an attachment could not be read: {error.message}")
        return tuple(read), warnings

    async def draft(self, chunked: ChunkedDocument, config: IngestionConfig) -> Draft:
        """A draft of a document that was read and cut elsewhere.

        Raises:
            EmptyDocumentError: if it holds no text.
        """
        document, pages = chunked.document, chunked.pages
        if not any(page.text.strip() for page in pages):
            raise EmptyDocumentError(f"{document.source} holds no readable text.", details={"pages": len(pages)})
        chunks = [_with_source(chunk, document) for chunk in chunked.chunks]
        return Draft(
            source=RawSource(document.source, content=b"", metadata=document.metadata),
            document=document,
            pages=pages,
            chunks=await self._in_context(document, chunks, pages, config),
            route_counts={**dict.fromkeys(PageRoute, 0), PageRoute.TEXT: len(pages)},
        )

    async def _parsed(self, source: RawSource, document: Document) -> ParsedDocument:
        # What a password opened is not for whoever has only the bytes.
        secret = source.password is not None
        parsed = None if secret else await self._cache.get(document.content_hash, source.name)
        if parsed is None:
            try:
                parsed = await asyncio.to_thread(self._parser.parse, source)
            except DalilError:
                raise
            except Exception as error:
                raise LoaderError(f"{source.name} cannot be read: {error}.") from error
            if not secret and not parsed.attachments:  # they are as large as files can be
                await self._cache.set(document.content_hash, source.name, parsed)
            self._tracer.event("parsed", document_id=document.id, pages=len(parsed.pages))
        # Identity is the engine's business, whatever parser is plugged in; what the user says of it comes first.
        metadata = {**parsed.document.metadata, **source.metadata}
        return replace(parsed, document=replace(document, metadata=metadata))

    async def _chunked(self, document: Document, pages: Sequence[Page], config: IngestionConfig) -> list[Chunk]:
        def cut() -> list[Chunk]:
            chunks = self._chunker.chunk(document, pages, size=config.chunk_size, overlap=config.chunk_overlap)
            return [_with_source(chunk, document) for chunk in chunks]

        try:
            chunks = await asyncio.to_thread(cut)
        except DalilError:
            raise
        except Exception as error:
            raise ChunkingError(f"{document.source} could not be cut into chunks: {error}.") from error
        self._tracer.event("chunked", document_id=document.id, chunks=len(chunks))
        return chunks

    async def _in_context(
        self, document: Document, chunks: list[Chunk], pages: Sequence[Page], config: IngestionConfig
    ) -> list[Chunk]:
        if not config.contextualize:
            return chunks
        contextualized = await off_loop(self._contextualized(document, chunks, pages))
        self._tracer.event("contextualized", document_id=document.id, chunks=len(contextualized))
        return contextualized

    async def _contextualized(self, document: Document, chunks: Sequence[Chunk], pages: Sequence[Page]) -> list[Chunk]:
        full_text = "\n".join(page.text for page in pages)
        at_once = int(getattr(self._contextualizer, "at_once", 1))
        group_size = at_once if at_once > 1 else _YIELD_EVERY
        contextualized = []

        def told(chunk: Chunk) -> Coroutine[Any, Any, str]:
            return self._contextualizer.contextualize(document, chunk, full_text=full_text)

        for start in range(0, len(chunks), group_size):
            await asyncio.sleep(0)
            group = chunks[start : start + group_size]
            if at_once > 1:
                texts = await asyncio.gather(*map(told, group))
            else:
                texts = [await told(chunk) for chunk in group]
            contextualized += [replace(chunk, embed_text=text) for chunk, text in zip(group, texts, strict=True)]
        return contextualized


def _without_content(source: RawSource) -> RawSource:
    """The source, of which nothing but the name is needed any more."""
    return replace(source, content=b"", password=None)


def _with_source(chunk: Chunk, document: Document) -> Chunk:
    return replace(chunk, metadata={"source": document.source, **chunk.metadata})


def _read(source: RawSource) -> tuple[bytes, str]:
    data = source.read()
    return data, content_hash(data)


def is_unchanged(known: Document, document: Document) -> bool:
    """Whether the stored version has these bytes, and says what the caller says about it."""
    return known.content_hash == document.content_hash and all(
        name in known.metadata and known.metadata[name] == _as_stored(value)
        for name, value in document.metadata.items()
    )


def _as_stored(value: object) -> object:
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value
