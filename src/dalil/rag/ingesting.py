"""The stages of ingesting that the synchronous and the asynchronous face share: checking, chunking, collecting."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any

from dalil.errors import ConfigurationError
from dalil.rag.components import acall, call, chunk_method
from dalil.rag.documents import LoadedDocument

logger = logging.getLogger("dalil.rag")


def loaded_documents(docs: Any) -> list[LoadedDocument]:
    """`docs` as a list, checked.

    Raises:
        ConfigurationError: for a dict, one document, or anything that holds other things than LoadedDocument.
    """
    if isinstance(docs, Sequence) and not isinstance(docs, str):
        strange = [type(document).__name__ for document in docs if not isinstance(document, LoadedDocument)]
        if not strange:
            if not docs:
                logger.warning("There are no documents to add")
            return list(docs)
        found = f"one that holds a {strange[0]}"
    else:
        found = f"a {type(docs).__name__}"
    raise ConfigurationError(
        f"A list of LoadedDocument is needed, not {found}.",
        advice="A dict of {doc_id: text} goes to add_texts, or to aadd_documents in asynchronous code.",
    )


def documents_of(docs: Any) -> list[LoadedDocument]:
    """`docs`, which may also be a dict of {doc_id: text}, as a checked list."""
    if isinstance(docs, Mapping):
        docs = [LoadedDocument(page_content=text, doc_id=doc_id) for doc_id, text in docs.items()]
    return loaded_documents(docs)


def chunk_document(chunker: Any, document: LoadedDocument) -> list[Any]:
    """The chunks of one document; none, and a logged reason, if it is blank or the chunker raises."""
    if not _is_blank(document):
        with _failure_logged(document):
            method = getattr(chunker, chunk_method(chunker))
            return _with_metadata(call(method, document.page_content, document.doc_id), document)
    return []


async def achunk_documents(chunker: Any, documents: Sequence[LoadedDocument], at_most: int) -> list[list[Any]]:
    """The chunks of each document, `at_most` documents being chunked at a time."""
    free = asyncio.Semaphore(max(1, at_most))

    async def chunked(document: LoadedDocument) -> list[Any]:
        if not _is_blank(document):
            async with free:
                with _failure_logged(document):
                    names = (chunk_method(chunker),)
                    chunks = await acall(chunker, names, document.page_content, document.doc_id)
                    return _with_metadata(chunks, document)
        return []

    return list(await asyncio.gather(*(chunked(document) for document in documents)))


def collected(
    documents: Sequence[LoadedDocument], chunks_of_each: Sequence[Sequence[Any]]
) -> tuple[dict[str, int], list[Any]]:
    """The number of chunks by document id, and all chunks in order. Documents that share an id are added up."""
    counts: dict[str, int] = {}
    for document, chunks in zip(documents, chunks_of_each, strict=True):
        logger.debug("Document %s: %d chunks", document.doc_id, len(chunks))
        counts[str(document.doc_id)] = counts.get(str(document.doc_id), 0) + len(chunks)
    return counts, [chunk for chunks in chunks_of_each for chunk in chunks]


def _is_blank(document: LoadedDocument) -> bool:
    if not document.page_content or not str(document.page_content).strip():
        logger.warning("Document %s is empty; nothing of it is indexed", document.doc_id)
        return True
    return False


@contextmanager
def _failure_logged(document: LoadedDocument) -> Iterator[None]:
    """One document that cannot be chunked stops no other."""
    try:
        yield
    except Exception as error:
        logger.error("Document %s could not be chunked: %s", document.doc_id, error)


def _with_metadata(chunks: Any, document: LoadedDocument) -> list[Any]:
    """The chunks as a list, each with the document's metadata if it can take it: by its method, or beside its own."""
    listed = [
        chunk.with_document_metadata(document.metadata) if hasattr(chunk, "with_document_metadata") else chunk
        for chunk in chunks
    ]
    for chunk in listed:
        metadata = getattr(chunk, "metadata", None)
        if document.metadata and isinstance(metadata, MutableMapping):
            for name, value in document.metadata.items():
                metadata.setdefault(name, value)
    return listed
