"""Every error that dalil raises on purpose.

    DalilError
    ├── ConfigurationError (also a ValueError)   configuration
    │   └── MissingExtraError                    missing_extra
    ├── DocumentError                            document
    │   ├── EmptyDocumentError                   document_empty
    │   ├── DocumentNotFoundError                document_not_found
    │   ├── ChunkingError                        document_chunking
    │   └── LoaderError                          document_unreadable
    │       ├── UnsupportedFormatError           document_unsupported
    │       ├── EncryptedDocumentError           document_encrypted
    │       ├── CorruptDocumentError             document_corrupt
    │       └── DocumentTooLargeError            document_too_large
    ├── StoreError                               store
    │   ├── StoreUnavailableError                store_unavailable
    │   ├── StoreReadOnlyError                   store_read_only
    │   ├── StoreBusyError                       store_busy
    │   ├── StoreVersionError                    store_version
    │   ├── StoreCorruptError                    store_corrupt
    │   └── EmbedderMismatchError                store_embedder_mismatch
    ├── EmbeddingError                           embedding
    │   └── EmbeddingDimensionError              embedding_dimension
    └── LLMError                                 llm
        └── LLMGenerationError                   llm_generation

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
    advice = "Convert it to PDF, DOCX, HTML, Markdown or plain text."


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


class EmbedderMismatchError(StoreError):
    """The store's vectors were made by another embedder."""

    code = "store_embedder_mismatch"
    advice = (
        "Leave the embedder out to use the store as it is, or build a new one with it: "
        "dalil add PATH --store NEW --embedder NAME."
    )


class EmbeddingError(DalilError):
    """The embedder failed."""

    code = "embedding"
    advice = "Check the embedder's settings and try again."


class EmbeddingDimensionError(EmbeddingError):
    """The embedder gave vectors of the wrong number or width."""

    code = "embedding_dimension"
    advice = "Use an embedder that gives one vector of a fixed width for each text."


class LLMError(DalilError):
    """The language model could not be reached or refused."""

    code = "llm"
    advice = "Check the provider's settings and try again."


class LLMGenerationError(LLMError):
    """The language model failed while it was answering."""

    code = "llm_generation"


def error_tree(root: type[DalilError] = DalilError) -> Iterator[type[DalilError]]:
    """Every class of the tree, parents before children: what the error table in the docs is made from."""
    yield root
    for child in root.__subclasses__():
        yield from error_tree(child)
