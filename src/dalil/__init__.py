"""dalil: answers from your documents, in Arabic and English, with every sentence proved by a checked citation.

    from dalil import RagSage, RawSource, Scope

    async with RagSage.open(".dalil") as sage:
        await sage.ingest(RawSource("handbook.pdf", path="handbook.pdf"), Scope("default"))
        answer = await sage.query("How many days of leave do I get?", Scope("default"))

Names are loaded when they are first used, so that `import dalil` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dalil.answering.extractive import ExtractiveAnswerer
    from dalil.answering.smalltalk import SMALL_TALK, is_small_talk
    from dalil.config import IngestionConfig, QueryOptions
    from dalil.errors import (
        ChunkingError,
        ConfigurationError,
        CorruptDocumentError,
        DalilError,
        DocumentError,
        DocumentNotFoundError,
        DocumentTooLargeError,
        EmbedderMismatchError,
        EmbeddingDimensionError,
        EmbeddingError,
        EmptyDocumentError,
        EncryptedDocumentError,
        LLMError,
        LLMGenerationError,
        LoaderError,
        MissingExtraError,
        StoreBusyError,
        StoreCorruptError,
        StoreError,
        StoreReadOnlyError,
        StoreUnavailableError,
        StoreVersionError,
        UnsupportedFormatError,
    )
    from dalil.ingestion import IngestionPipeline, IngestionResult, PreparedDocument
    from dalil.models import (
        Answer,
        AnswerComplete,
        AnswerEvent,
        AnswerToken,
        Chunk,
        Citation,
        Document,
        DocumentRecord,
        EmbeddedChunk,
        EmbeddedSentence,
        EmbeddedSentences,
        LexicalSignals,
        Outcome,
        Page,
        PageImage,
        PageLayout,
        PageRoute,
        ParsedDocument,
        RawSource,
        ScoredChunk,
        SentenceMatch,
        Span,
        StoredVectors,
        Turn,
        Usage,
        Vector,
    )
    from dalil.query import NOT_FOUND_MESSAGE, QueryEngine, reciprocal_rank_fusion
    from dalil.sage import ComputeKit, RagSage, StoreKit
    from dalil.scope import Scope

_WHERE = {
    "dalil.answering.extractive": "ExtractiveAnswerer",
    "dalil.answering.smalltalk": "SMALL_TALK is_small_talk",
    "dalil.config": "IngestionConfig QueryOptions",
    "dalil.errors": (
        "ChunkingError ConfigurationError CorruptDocumentError DalilError DocumentError DocumentNotFoundError "
        "DocumentTooLargeError EmbedderMismatchError EmbeddingDimensionError EmbeddingError EmptyDocumentError "
        "EncryptedDocumentError LLMError LLMGenerationError LoaderError MissingExtraError StoreBusyError "
        "StoreCorruptError StoreError StoreReadOnlyError StoreUnavailableError StoreVersionError "
        "UnsupportedFormatError"
    ),
    "dalil.ingestion": "IngestionPipeline IngestionResult PreparedDocument",
    "dalil.models": (
        "Answer AnswerComplete AnswerEvent AnswerToken Chunk Citation Document DocumentRecord EmbeddedChunk "
        "EmbeddedSentence EmbeddedSentences LexicalSignals Outcome Page PageImage PageLayout PageRoute "
        "ParsedDocument RawSource ScoredChunk SentenceMatch Span StoredVectors Turn Usage Vector"
    ),
    "dalil.query": "NOT_FOUND_MESSAGE QueryEngine reciprocal_rank_fusion",
    "dalil.sage": "ComputeKit RagSage StoreKit",
    "dalil.scope": "Scope",
}
_HOME = {name: module for module, names in _WHERE.items() for name in names.split()}

__all__ = sorted(_HOME)
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'dalil' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
