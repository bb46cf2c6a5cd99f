"""The write path of one document: prepare, which touches no store but to read, and commit, which is short."""

from __future__ import annotations

from collections.abc import Sequence

from dalil.config import IngestionConfig
from dalil.errors import DocumentNotFoundError
from dalil.ingestion.attachments import attachments_of, remove_attachments
from dalil.ingestion.caching import ParseCache
from dalil.ingestion.embedding import DraftEmbedder, OnEmbedded
from dalil.ingestion.prepared import ChunkedDocument, Draft, IngestionResult, IngestStatus, PreparedDocument
from dalil.ingestion.reading import DocumentReader, is_unchanged
from dalil.models import EmbeddedChunk, RawSource
from dalil.ports import (
    Cache,
    Chunker,
    Contextualizer,
    DocumentParser,
    DocumentRecords,
    DocumentStore,
    Embedder,
    LexicalStore,
    LLMClient,
    PageClassifier,
    PageStore,
    SentenceStore,
    TextRecognizer,
    Tracer,
    VectorStore,
)
from dalil.scope import Scope
from dalil.tracing import safe


class IngestionPipeline:
    """Ingests documents into a scope's stores through injected adapters.

    Stores that share a session make `commit` atomic. Stores that also keep sentences (SentenceStore), pages
    (PageStore) or records (DocumentRecords) are given those too. `recognizer` reads the pictures of pages that `llm`
    does not.
    """

    def __init__(
        self,
        *,
        parser: DocumentParser,
        classifier: PageClassifier,
        chunker: Chunker,
        contextualizer: Contextualizer,
        embedder: Embedder,
        vector_store: VectorStore,
        lexical_store: LexicalStore,
        document_store: DocumentStore,
        llm: LLMClient,
        cache: Cache,
        tracer: Tracer | None = None,
        recognizer: TextRecognizer | None = None,
    ):
        self._tracer = safe(tracer)
        self._vectors = vector_store
        self._words = lexical_store
        self._documents = document_store
        self._embedder = DraftEmbedder(embedder, vector_store)
        self._reader = DocumentReader(
            parser=parser,
            classifier=classifier,
            chunker=chunker,
            contextualizer=contextualizer,
            document_store=document_store,
            llm=llm,
            cache=ParseCache(cache, parser, self._tracer),
            tracer=self._tracer,
            recognizer=recognizer,
        )

    async def ingest(self, source: RawSource, scope: Scope, config: IngestionConfig | None = None) -> IngestionResult:
        """Parse, route, chunk, contextualise, embed and store one document, and those that it carries.

        Content that already stands under this name is not processed again.

        Raises:
            DocumentError: if it cannot be read or holds no text; what stood there before still stands.
            EmbeddingError: if the embedder fails.
            StoreError: if the store fails.
        """
        return await self.commit(await self.prepare(source, scope, config), scope)

    async def prepare(self, source: RawSource, scope: Scope, config: IngestionConfig | None = None) -> PreparedDocument:
        """Everything that takes long: the document read, cut and embedded. Stores are only read, shortly."""
        draft = await self.read(source, scope, config)
        return (await self.embed([draft], scope))[0]

    async def read(self, source: RawSource, scope: Scope, config: IngestionConfig | None = None) -> Draft:
        """The first half of `prepare`: the document read and cut."""
        return await self._reader.read(source, scope, config or IngestionConfig())

    async def draft(self, chunked: ChunkedDocument, config: IngestionConfig | None = None) -> Draft:
        """What `read` gives, for a document that was read and cut elsewhere."""
        return await self._reader.draft(chunked, config or IngestionConfig())

    async def embed(
        self, drafts: Sequence[Draft], scope: Scope, on_embedded: OnEmbedded | None = None
    ) -> list[PreparedDocument]:
        """The second half of `prepare`, for several documents at once."""
        family = [member for draft in drafts for member in draft.family()]
        prepared = iter(await self._embedder.embed(family, scope, on_embedded))
        return [PreparedDocument.of_family(draft, prepared) for draft in drafts]

    async def commit(self, prepared: PreparedDocument, scope: Scope) -> IngestionResult:
        """Put the document in the place of its older version, unless that already has the same content.

        Its attachments are put beside it; those that only the older version had are removed.

        Raises:
            DocumentNotFoundError: if the version that needed no change was removed meanwhile.
        """
        draft = prepared.draft
        document = draft.document
        known = await self._documents.get(scope, document.id)
        if draft.unchanged and known is None:
            raise DocumentNotFoundError(
                f"{document.source} was removed while it was being added.", advice="Add it again."
            )
        if draft.unchanged or (known is not None and is_unchanged(known, document)):
            return IngestionResult(known or document, 0, deduplicated=True, status=IngestStatus.UNCHANGED)
        twin = await self._documents.find_by_hash(scope, document.content_hash)
        if known is not None:
            await self._vectors.delete(scope, document.id)
            await self._words.delete(scope, document.id)
        await self._documents.save(scope, document, draft.chunks)
        if isinstance(self._documents, PageStore):
            await self._documents.save_pages(scope, document.id, draft.pages)
        if isinstance(self._documents, DocumentRecords) and draft.warnings:
            await self._documents.save_warnings(scope, document.id, draft.warnings)
        await self._vectors.upsert(
            scope, [EmbeddedChunk(*pair) for pair in zip(draft.chunks, prepared.vectors, strict=True)]
        )
        await self._words.index(scope, draft.chunks)
        if isinstance(self._vectors, SentenceStore) and prepared.sentences:
            await self._vectors.save_sentences(scope, prepared.sentences)
        if known is not None:
            kept = attachments_of(document)
            await remove_attachments(scope, known, kept, self._vectors, self._words, self._documents)
        attachments = [
            await self.commit(attachment, scope) if isinstance(attachment, PreparedDocument) else attachment
            for attachment in prepared.attachments
        ]
        self._tracer.event("stored", document_id=document.id, chunks=len(draft.chunks))
        return IngestionResult(
            document,
            len(draft.chunks),
            draft.route_counts,
            deduplicated=twin is not None and twin.id != document.id,
            status=IngestStatus.ADDED if known is None else IngestStatus.REPLACED,
            warnings=draft.warnings,
            attachments=tuple(attachments),
        )
