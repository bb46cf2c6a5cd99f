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
    from dalil.answering.extractive import ExtractiveAnswerer as ExtractiveAnswerer
    from dalil.answering.smalltalk import SMALL_TALK as SMALL_TALK, is_small_talk as is_small_talk
    from dalil.config import IngestionConfig as IngestionConfig, QueryOptions as QueryOptions
    from dalil.errors import (
        ChunkingError as ChunkingError,
        ConfigurationError as ConfigurationError,
        CorruptDocumentError as CorruptDocumentError,
        DalilError as DalilError,
        DocumentError as DocumentError,
        DocumentNotFoundError as DocumentNotFoundError,
        DocumentTooLargeError as DocumentTooLargeError,
        EmbedderMismatchError as EmbedderMismatchError,
        EmbeddingDimensionError as EmbeddingDimensionError,
        EmbeddingError as EmbeddingError,
        EmptyDocumentError as EmptyDocumentError,
        EncryptedDocumentError as EncryptedDocumentError,
        LLMError as LLMError,
        LLMGenerationError as LLMGenerationError,
        LoaderError as LoaderError,
        MissingExtraError as MissingExtraError,
        StoreBusyError as StoreBusyError,
        StoreCorruptError as StoreCorruptError,
        StoreError as StoreError,
        StoreReadOnlyError as StoreReadOnlyError,
        StoreUnavailableError as StoreUnavailableError,
        StoreVersionError as StoreVersionError,
        UnsupportedFormatError as UnsupportedFormatError,
    )
    from dalil.ingestion import (
        IngestionPipeline as IngestionPipeline,
        IngestionResult as IngestionResult,
        PreparedDocument as PreparedDocument,
    )
    from dalil.models import (
        Answer as Answer,
        AnswerComplete as AnswerComplete,
        AnswerEvent as AnswerEvent,
        AnswerToken as AnswerToken,
        Chunk as Chunk,
        Citation as Citation,
        Document as Document,
        DocumentRecord as DocumentRecord,
        EmbeddedChunk as EmbeddedChunk,
        EmbeddedSentence as EmbeddedSentence,
        EmbeddedSentences as EmbeddedSentences,
        LexicalSignals as LexicalSignals,
        Outcome as Outcome,
        Page as Page,
        PageImage as PageImage,
        PageLayout as PageLayout,
        PageRoute as PageRoute,
        ParsedDocument as ParsedDocument,
        RawSource as RawSource,
        ScoredChunk as ScoredChunk,
        SentenceMatch as SentenceMatch,
        Span as Span,
        StoredVectors as StoredVectors,
        Turn as Turn,
        Usage as Usage,
        Vector as Vector,
    )
    from dalil.query import (
        NOT_FOUND_MESSAGE as NOT_FOUND_MESSAGE,
        QueryEngine as QueryEngine,
        reciprocal_rank_fusion as reciprocal_rank_fusion,
    )
    from dalil.sage import ComputeKit as ComputeKit, RagSage as RagSage, StoreKit as StoreKit
    from dalil.scope import Scope as Scope

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
