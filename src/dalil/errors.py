"""Every error that dalil raises on purpose.

    DalilError
    ├── ConfigurationError (also a ValueError)   configuration
    │   ├── MissingAPIKeyError                   missing_api_key
    │   └── MissingExtraError                    missing_extra
    ├── DocumentError                            document
    │   ├── EmptyDocumentError                   document_empty
    │   │   └── NeedsOCRError                    document_needs_ocr
    │   ├── DocumentNotFoundError                document_not_found
    │   ├── ChunkingError                        document_chunking
    │   └── LoaderError                          document_unreadable
    │       ├── UnsupportedFormatError           document_unsupported
    │       ├── EncryptedDocumentError           document_encrypted
    │       ├── CorruptDocumentError             document_corrupt
    │       ├── DocumentTooLargeError            document_too_large
    │       └── DocumentTimeoutError             document_timeout
    ├── StoreError                               store
    │   ├── StoreUnavailableError                store_unavailable
    │   ├── StoreReadOnlyError                   store_read_only
    │   ├── StoreBusyError                       store_busy
    │   ├── StoreVersionError                    store_version
    │   ├── StoreCorruptError                    store_corrupt
    │   ├── SchemaMismatch                       store_schema_mismatch
    │   └── EmbedderMismatchError                store_embedder_mismatch
    ├── VectorDatabaseError                      vector_database
    │   ├── VectorDBConnectionError              vector_database_connection
    │   ├── VectorDBWriteError                   vector_database_write
    │   ├── VectorDBSearchError                  vector_database_search
    │   └── VectorDBPersistenceError             vector_database_persistence
    ├── EmbeddingError                           embedding
    │   ├── EmbeddingModelNotFoundError          embedding_model_not_found
    │   ├── EmbeddingDimensionError              embedding_dimension
    │   └── EmbeddingAPIError                    embedding_api
    ├── LLMError                                 llm
    │   ├── LLMConnectionError                   llm_connection
    │   ├── LLMGenerationError                   llm_generation
    │   ├── LLMTimeoutError                      llm_timeout
    │   └── LLMRateLimitError                    llm_rate_limit
    ├── RAGError                                 rag
    │   ├── RAGInitializationError               rag_initialization
    │   ├── RAGRetrievalError                    rag_retrieval
    │   ├── RAGGenerationError                   rag_generation
    │   ├── NoRelevantDocumentsError             rag_nothing_relevant
    │   └── QueryExpansionError                  rag_query_expansion
    ├── PromptError                              prompt
    └── CacheError                               cache

Codes are stable: programs may match on them. `str(error)` is the message followed by the advice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar


class DalilError(Exception):
    """The root of the tree: a message, what to do about it, a stable code, and details for programs."""

    code: ClassVar[str] = "dalil"
    advice: ClassVar[str] = ""

    def __init__(self, message: str, *, advice: str | None = None, details: Mapping[str, Any] | None = None):
        super().__init__(message)
        self.message = message
        self.what_to_do = type(self).advice if advice is None else advice
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        return f"{self.message} {self.what_to_do}".strip()


class ConfigurationError(DalilError, ValueError):
    """A setting or an argument has a value that cannot work."""

    code = "configuration"


class MissingAPIKeyError(ConfigurationError):
    """A provider was asked for without its key."""

    code = "missing_api_key"
    advice = "Give the provider's API key in its configuration."


class MissingExtraError(ConfigurationError):
    """A part was asked for whose package is not installed."""

    code = "missing_extra"

    def __init__(self, part: str, install: str):
        super().__init__(f"{part} is not installed.", advice=f"Run: {install}", details={"install": install})


class DocumentError(DalilError):
    """Something is wrong with one document; others are unaffected."""

    code = "document"


class EmptyDocumentError(DocumentError):
    """The document holds no readable text."""

    code = "document_empty"
    advice = "Give a file with text; scanned pages need OCR or a vision model."


class NeedsOCRError(EmptyDocumentError):
    """The document is made of pictures, and nothing here can read them."""

    code = "document_needs_ocr"
    advice = (
        "Install Tesseract with Arabic and English (Debian: apt-get install tesseract-ocr tesseract-ocr-ara; "
        "macOS: brew install tesseract tesseract-lang), or name a model that reads pictures as the llm."
    )


class DocumentNotFoundError(DocumentError):
    """No such document in this scope."""

    code = "document_not_found"
    advice = "`dalil list` shows what is there."


class ChunkingError(DocumentError):
    """The document's text could not be cut into chunks."""

    code = "document_chunking"
    advice = "Check the chunker's settings, or use the default chunker."


class LoaderError(DocumentError):
    """The bytes could not be read."""

    code = "document_unreadable"
    advice = "Check that the file exists and that you may read it."


class UnsupportedFormatError(LoaderError):
    """No reader knows this format."""

    code = "document_unsupported"
    advice = "Convert it to PDF, an office format, HTML, Markdown or plain text."


class EncryptedDocumentError(LoaderError):
    """The document is locked with a password."""

    code = "document_encrypted"
    advice = "Give its password, or add an unlocked copy."


class CorruptDocumentError(LoaderError):
    """The file is damaged, cut short, or not what its name says."""

    code = "document_corrupt"
    advice = "Open it in its own program and save it again."


class DocumentTooLargeError(LoaderError):
    """The document exceeds a safety limit."""

    code = "document_too_large"
    advice = "Split it, or raise the limit if you trust its source."


class DocumentTimeoutError(LoaderError):
    """Reading the document took too long and was stopped."""

    code = "document_timeout"
    advice = "Split it, or raise the time limit if you trust its source."


class StoreError(DalilError):
    """The store could not do what it was asked; what was there before is still there."""

    code = "store"


class StoreUnavailableError(StoreError):
    """The store cannot be opened or created here."""

    code = "store_unavailable"
    advice = "Check the path and its permissions."


class StoreReadOnlyError(StoreError):
    """The store may be read, but not written."""

    code = "store_read_only"
    advice = "Free disk space or change the permissions, then run the same command again."


class StoreBusyError(StoreError):
    """Another process has been writing for too long."""

    code = "store_busy"
    advice = "Wait until it has finished, then run the same command again."


class StoreVersionError(StoreError):
    """A newer version of dalil wrote this store."""

    code = "store_version"
    advice = "Upgrade dalil, or use another store."


class StoreCorruptError(StoreError):
    """The store's main file is damaged."""

    code = "store_corrupt"
    advice = "Restore it from a backup, or build a new store."


class SchemaMismatch(StoreError):
    """The database's vectors have another width than the configuration says."""

    code = "store_schema_mismatch"
    advice = "Set embedding_dim to the stored width, or use another database."


class EmbedderMismatchError(StoreError):
    """The store's vectors were made by another embedder."""

    code = "store_embedder_mismatch"
    advice = (
        "Leave the embedder out to use the store as it is, or build a new one with it: "
        "dalil add PATH --store NEW --embedder NAME."
    )


class VectorDatabaseError(DalilError):
    """The vector database could not do what it was asked."""

    code = "vector_database"


class VectorDBConnectionError(VectorDatabaseError):
    """The vector database cannot be reached."""

    code = "vector_database_connection"
    advice = "Check that it runs, and its address."


class VectorDBWriteError(VectorDatabaseError):
    """Chunks could not be written."""

    code = "vector_database_write"
    advice = "Check the database's log and its free space, then add the documents again."


class VectorDBSearchError(VectorDatabaseError):
    """A search failed."""

    code = "vector_database_search"
    advice = "Check the database's log and ask again."


class VectorDBPersistenceError(VectorDatabaseError):
    """Saving or loading failed; `operation` is "save" or "load"."""

    code = "vector_database_persistence"
    advice = "Check the path and its permissions."

    def __init__(self, operation: str, path: object, reason: str):
        super().__init__(
            f"The vector database could not {operation} {path}: {reason}",
            details={"operation": operation, "path": str(path), "reason": reason},
        )
        self.operation = operation
        self.path = str(path)
        self.reason = reason


class EmbeddingError(DalilError):
    """The embedder failed."""

    code = "embedding"
    advice = "Check the embedder's settings and try again."


class EmbeddingModelNotFoundError(EmbeddingError):
    """There is no embedding model of that name."""

    code = "embedding_model_not_found"
    advice = "Check the model's name."


class EmbeddingDimensionError(EmbeddingError):
    """The embedder gave vectors of the wrong number or width."""

    code = "embedding_dimension"
    advice = "Use an embedder that gives one vector of a fixed width for each text."


class EmbeddingAPIError(EmbeddingError):
    """The embedding service refused or failed."""

    code = "embedding_api"


class LLMError(DalilError):
    """The language model could not be reached or refused."""

    code = "llm"
    advice = "Check the provider's settings and try again."


class LLMConnectionError(LLMError):
    """The language model cannot be reached."""

    code = "llm_connection"


class LLMGenerationError(LLMError):
    """The language model failed while it was answering."""

    code = "llm_generation"


class LLMTimeoutError(LLMError):
    """The language model took too long."""

    code = "llm_timeout"


class LLMRateLimitError(LLMError):
    """The language model's service takes no more requests for now."""

    code = "llm_rate_limit"
    advice = "Wait a little and try again."


class RAGError(DalilError):
    """The question-answering pipeline failed."""

    code = "rag"


class RAGInitializationError(RAGError):
    """A RAGSystem cannot be built from what it was given."""

    code = "rag_initialization"
    advice = "Give all four components, or use RAGSystem.local()."


class RAGRetrievalError(RAGError):
    """Expanding, searching, merging or reranking failed for `query`; `reason` says why."""

    code = "rag_retrieval"
    advice = "Check the vector database and ask again."

    def __init__(self, query: str, reason: str):
        super().__init__(f"Retrieval failed: {reason}", details={"query": query, "reason": reason})
        self.query = query
        self.reason = reason


class RAGGenerationError(RAGError):
    """The answer could not be made."""

    code = "rag_generation"
    advice = "Check the language model and ask again."


class NoRelevantDocumentsError(RAGError):
    """Nothing that was indexed bears on `query`."""

    code = "rag_nothing_relevant"
    advice = "Ask in other words, or add documents about it."

    def __init__(self, query: str):
        super().__init__("No relevant information found.", details={"query": query})
        self.query = query


class QueryExpansionError(RAGError):
    """The language model gave no variants of the question; `reason` says why."""

    code = "rag_query_expansion"
    advice = "The synonym table can be used instead: QueryExpander(use_llm=False)."

    def __init__(self, reason: str):
        super().__init__(f"The question could not be expanded: {reason}", details={"reason": reason})
        self.reason = reason


class PromptError(DalilError):
    """A prompt template cannot be filled."""

    code = "prompt"
    advice = "Use {context} and {question} in the template, and no other fields."


class CacheError(DalilError):
    """A cache cannot be used as asked."""

    code = "cache"
    advice = "Check its settings."


def error_tree(root: type[DalilError] = DalilError) -> Iterator[type[DalilError]]:
    """Every class of the tree, parents before children: what the error table in the docs is made from."""
    yield root
    for child in root.__subclasses__():
        yield from error_tree(child)
