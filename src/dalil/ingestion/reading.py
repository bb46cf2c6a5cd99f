"""The first half of preparing: from bytes to chunks with the text they are embedded under."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dalil.config import IngestionConfig
from dalil.errors import ChunkingError, DalilError, EmptyDocumentError, LoaderError
from dalil.identity import content_hash, document_id
from dalil.ingestion.caching import ParseCache
from dalil.ingestion.prepared import ChunkedDocument, Draft
from dalil.models import Chunk, Document, Page, PageImage, PageRoute, ParsedDocument, RawSource
from dalil.offloop import off_loop
from dalil.ports import (
    Chunker,
    Contextualizer,
    DocumentParser,
    DocumentStore,
    LLMClient,
    PageClassifier,
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
    ):
        self._parser = parser
        self._classifier = classifier
        self._chunker = chunker
        self._contextualizer = contextualizer
        self._documents = document_store
        self._llm = llm
        self._cache = cache
        self._tracer = tracer

    async def read(self, source: RawSource, scope: Scope, config: IngestionConfig) -> Draft:
        """A draft of the document; unchanged content is noticed before it is parsed.

        Raises:
            DocumentError: if it cannot be read, or holds no text.
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
            return Draft(replace(source, content=b""), known, unchanged=True)
        parsed = await self._parsed(source, document)
        pages, routes, warnings = await self._routed(parsed)
        if not any(page.text.strip() for page in pages):
            raise EmptyDocumentError(f"{source.name} holds no readable text.", details={"pages": len(pages)})
        chunks = await self._chunked(parsed.document, pages, config)
        return Draft(
            source=replace(source, content=b""),  # the bytes are not needed any more
            document=parsed.document,
            pages=pages,
            chunks=await self._in_context(parsed.document, chunks, pages, config),
            route_counts=routes,
            warnings=warnings,
        )

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
        parsed = await self._cache.get(document.content_hash, source.name)
        if parsed is None:
            try:
                parsed = await asyncio.to_thread(self._parser.parse, source)
            except DalilError:
                raise
            except Exception as error:
                raise LoaderError(f"{source.name} cannot be read: {error}.") from error
            await self._cache.set(document.content_hash, source.name, parsed)
            self._tracer.event("parsed", document_id=document.id, pages=len(parsed.pages))
        # Identity is the engine's business, whatever parser is plugged in; what the user says of it comes first.
        metadata = {**parsed.document.metadata, **source.metadata}
        return replace(parsed, document=replace(document, metadata=metadata))

    async def _routed(self, parsed: ParsedDocument) -> tuple[list[Page], Mapping[PageRoute, int], tuple[str, ...]]:
        routes = dict.fromkeys(PageRoute, 0)
        warnings = list(parsed.warnings)
        pages = []
        decided = await asyncio.to_thread(lambda: [self._classifier.classify(page) for page in parsed.pages])
        for page, route in zip(parsed.pages, decided, strict=True):
            routes[route] += 1
            self._tracer.event("page_routed", page=page.number, route=route)
            if route is PageRoute.VISION and page.image is not None:
                seen = await off_loop(self._transcribed(page.image))
                if seen.strip():
                    page = replace(page, text=seen)
            if not page.text.strip() and not any(f"page {page.number} " in warning for warning in warnings):
                warnings.append(f"page {page.number} has no text")
            pages.append(page)
        return pages, routes, tuple(warnings)

    async def _transcribed(self, image: PageImage) -> str:
        return await self._llm.transcribe(image)

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
