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
    from dalil.answering.smalltalk import SMALL_TALK as SMALL_TALK
    from dalil.answering.smalltalk import is_small_talk as is_small_talk
    from dalil.config import IngestionConfig as IngestionConfig
    from dalil.config import QueryOptions as QueryOptions
    from dalil.errors import CacheError as CacheError
    from dalil.errors import ChunkingError as ChunkingError
    from dalil.errors import ConfigurationError as ConfigurationError
    from dalil.errors import CorruptDocumentError as CorruptDocumentError
    from dalil.errors import DalilError as DalilError
    from dalil.errors import DocumentError as DocumentError
    from dalil.errors import DocumentNotFoundError as DocumentNotFoundError
    from dalil.errors import DocumentTimeoutError as DocumentTimeoutError
    from dalil.errors import DocumentTooLargeError as DocumentTooLargeError
    from dalil.errors import EmbedderMismatchError as EmbedderMismatchError
    from dalil.errors import EmbeddingAPIError as EmbeddingAPIError
    from dalil.errors import EmbeddingDimensionError as EmbeddingDimensionError
    from dalil.errors import EmbeddingError as EmbeddingError
    from dalil.errors import EmbeddingModelNotFoundError as EmbeddingModelNotFoundError
    from dalil.errors import EmptyDocumentError as EmptyDocumentError
    from dalil.errors import EncryptedDocumentError as EncryptedDocumentError
    from dalil.errors import LLMConnectionError as LLMConnectionError
    from dalil.errors import LLMError as LLMError
    from dalil.errors import LLMGenerationError as LLMGenerationError
    from dalil.errors import LLMRateLimitError as LLMRateLimitError
    from dalil.errors import LLMTimeoutError as LLMTimeoutError
    from dalil.errors import LoaderError as LoaderError
    from dalil.errors import MissingAPIKeyError as MissingAPIKeyError
    from dalil.errors import MissingExtraError as MissingExtraError
    from dalil.errors import NeedsOCRError as NeedsOCRError
    from dalil.errors import NoRelevantDocumentsError as NoRelevantDocumentsError
    from dalil.errors import PromptError as PromptError
    from dalil.errors import QueryExpansionError as QueryExpansionError
    from dalil.errors import RAGError as RAGError
    from dalil.errors import RAGGenerationError as RAGGenerationError
    from dalil.errors import RAGInitializationError as RAGInitializationError
    from dalil.errors import RAGRetrievalError as RAGRetrievalError
    from dalil.errors import SchemaMismatch as SchemaMismatch
    from dalil.errors import StoreBusyError as StoreBusyError
    from dalil.errors import StoreCorruptError as StoreCorruptError
    from dalil.errors import StoreError as StoreError
    from dalil.errors import StoreReadOnlyError as StoreReadOnlyError
    from dalil.errors import StoreUnavailableError as StoreUnavailableError
    from dalil.errors import StoreVersionError as StoreVersionError
    from dalil.errors import UnsupportedFormatError as UnsupportedFormatError
    from dalil.errors import VectorDatabaseError as VectorDatabaseError
    from dalil.errors import VectorDBConnectionError as VectorDBConnectionError
    from dalil.errors import VectorDBPersistenceError as VectorDBPersistenceError
    from dalil.errors import VectorDBSearchError as VectorDBSearchError
    from dalil.errors import VectorDBWriteError as VectorDBWriteError
    from dalil.evaluation.evaluator import Evaluator as Evaluator
    from dalil.evaluation.examples import EvalExample as EvalExample
    from dalil.evaluation.examples import EvalThresholds as EvalThresholds
    from dalil.evaluation.examples import ThresholdCheck as ThresholdCheck
    from dalil.evaluation.goldens import GoldenExample as GoldenExample
    from dalil.evaluation.goldens import GoldenSet as GoldenSet
    from dalil.evaluation.goldens import default_golden_set as default_golden_set
    from dalil.evaluation.judging import Judge as Judge
    from dalil.evaluation.judging import ModelJudge as ModelJudge
    from dalil.evaluation.report import EvalReport as EvalReport
    from dalil.evaluation.results import EvalCaseResult as EvalCaseResult
    from dalil.evaluation.running import run_golden_eval as run_golden_eval
    from dalil.geometry import Box as Box
    from dalil.geometry import PageGeometry as PageGeometry
    from dalil.geometry import PlacedWord as PlacedWord
    from dalil.ingestion import ChunkedDocument as ChunkedDocument
    from dalil.ingestion import IngestionPipeline as IngestionPipeline
    from dalil.ingestion import IngestionResult as IngestionResult
    from dalil.ingestion import PreparedDocument as PreparedDocument
    from dalil.models import Answer as Answer
    from dalil.models import AnswerComplete as AnswerComplete
    from dalil.models import AnswerEvent as AnswerEvent
    from dalil.models import AnswerToken as AnswerToken
    from dalil.models import Chunk as Chunk
    from dalil.models import Citation as Citation
    from dalil.models import Document as Document
    from dalil.models import DocumentRecord as DocumentRecord
    from dalil.models import EmbeddedChunk as EmbeddedChunk
    from dalil.models import EmbeddedSentence as EmbeddedSentence
    from dalil.models import EmbeddedSentences as EmbeddedSentences
    from dalil.models import LexicalSignals as LexicalSignals
    from dalil.models import Outcome as Outcome
    from dalil.models import Page as Page
    from dalil.models import PageImage as PageImage
    from dalil.models import PageLayout as PageLayout
    from dalil.models import PageRoute as PageRoute
    from dalil.models import ParsedDocument as ParsedDocument
    from dalil.models import RawSource as RawSource
    from dalil.models import RecognizedText as RecognizedText
    from dalil.models import ScoredChunk as ScoredChunk
    from dalil.models import SentenceMatch as SentenceMatch
    from dalil.models import Span as Span
    from dalil.models import StoredVectors as StoredVectors
    from dalil.models import Turn as Turn
    from dalil.models import Usage as Usage
    from dalil.models import Vector as Vector
    from dalil.parsing.limits import ParsingLimits as ParsingLimits
    from dalil.providers.config import ProviderConfig as ProviderConfig
    from dalil.query import NOT_FOUND_MESSAGE as NOT_FOUND_MESSAGE
    from dalil.query import QueryEngine as QueryEngine
    from dalil.query import reciprocal_rank_fusion as reciprocal_rank_fusion
    from dalil.rag.base import BaseRAGSystem as BaseRAGSystem
    from dalil.rag.caching import RetrievalCache as RetrievalCache
    from dalil.rag.config import RAGConfig as RAGConfig
    from dalil.rag.context import ContextManager as ContextManager
    from dalil.rag.documents import LoadedDocument as LoadedDocument
    from dalil.rag.evaluating import RAGEvaluator as RAGEvaluator
    from dalil.rag.expansion import QueryExpander as QueryExpander
    from dalil.rag.local import LocalRAGSystem as LocalRAGSystem
    from dalil.rag.merging import merge_retrieval_results as merge_retrieval_results
    from dalil.rag.reranking import Reranker as Reranker
    from dalil.rag.reranking import RerankerConfig as RerankerConfig
    from dalil.rag.reranking import RerankMode as RerankMode
    from dalil.rag.routing import PromptRouter as PromptRouter
    from dalil.rag.routing import QuestionType as QuestionType
    from dalil.rag.system import RAGSystem as RAGSystem
    from dalil.rag.versions import ContentDiff as ContentDiff
    from dalil.rag.versions import DocumentVersionManager as DocumentVersionManager
    from dalil.rag.versions import DocVersion as DocVersion
    from dalil.sage import ComputeKit as ComputeKit
    from dalil.sage import RagSage as RagSage
    from dalil.sage import RagSageConfig as RagSageConfig
    from dalil.sage import StoreKit as StoreKit
    from dalil.scope import Scope as Scope
    from dalil.stores.postgres.config import PostgresConfig as PostgresConfig
    from dalil.tracing import ConsoleTracer as ConsoleTracer
    from dalil.tracing import InMemoryTracer as InMemoryTracer
    from dalil.tracing import JsonLinesTracer as JsonLinesTracer
    from dalil.tracing import OpenTelemetryTracer as OpenTelemetryTracer

_WHERE = {
    "dalil.answering.extractive": "ExtractiveAnswerer",
    "dalil.answering.smalltalk": "SMALL_TALK is_small_talk",
    "dalil.config": "IngestionConfig QueryOptions",
    "dalil.errors": (
        "CacheError ChunkingError ConfigurationError CorruptDocumentError DalilError DocumentError "
        "DocumentNotFoundError DocumentTimeoutError DocumentTooLargeError EmbedderMismatchError EmbeddingAPIError "
        "EmbeddingDimensionError "
        "EmbeddingError EmbeddingModelNotFoundError EmptyDocumentError EncryptedDocumentError LLMConnectionError "
        "LLMError LLMGenerationError LLMRateLimitError LLMTimeoutError LoaderError MissingAPIKeyError "
        "MissingExtraError NeedsOCRError NoRelevantDocumentsError PromptError QueryExpansionError RAGError "
        "RAGGenerationError "
        "RAGInitializationError RAGRetrievalError SchemaMismatch StoreBusyError StoreCorruptError StoreError "
        "StoreReadOnlyError StoreUnavailableError StoreVersionError UnsupportedFormatError VectorDatabaseError "
        "VectorDBConnectionError VectorDBPersistenceError VectorDBSearchError VectorDBWriteError"
    ),
    "dalil.evaluation.evaluator": "Evaluator",
    "dalil.evaluation.examples": "EvalExample EvalThresholds ThresholdCheck",
    "dalil.evaluation.goldens": "GoldenExample GoldenSet default_golden_set",
    "dalil.evaluation.judging": "Judge ModelJudge",
    "dalil.evaluation.report": "EvalReport",
    "dalil.evaluation.results": "EvalCaseResult",
    "dalil.evaluation.running": "run_golden_eval",
    "dalil.ingestion": "ChunkedDocument IngestionPipeline IngestionResult PreparedDocument",
    "dalil.geometry": "Box PageGeometry PlacedWord",
    "dalil.models": (
        "Answer AnswerComplete AnswerEvent AnswerToken Chunk Citation Document DocumentRecord EmbeddedChunk "
        "EmbeddedSentence EmbeddedSentences LexicalSignals Outcome Page PageImage PageLayout PageRoute "
        "ParsedDocument RawSource RecognizedText ScoredChunk SentenceMatch Span StoredVectors Turn Usage Vector"
    ),
    "dalil.parsing.limits": "ParsingLimits",
    "dalil.query": "NOT_FOUND_MESSAGE QueryEngine reciprocal_rank_fusion",
    "dalil.providers.config": "ProviderConfig",
    "dalil.rag.base": "BaseRAGSystem",
    "dalil.rag.caching": "RetrievalCache",
    "dalil.rag.config": "RAGConfig",
    "dalil.rag.context": "ContextManager",
    "dalil.rag.documents": "LoadedDocument",
    "dalil.rag.evaluating": "RAGEvaluator",
    "dalil.rag.expansion": "QueryExpander",
    "dalil.rag.local": "LocalRAGSystem",
    "dalil.rag.merging": "merge_retrieval_results",
    "dalil.rag.reranking": "Reranker RerankerConfig RerankMode",
    "dalil.rag.routing": "PromptRouter QuestionType",
    "dalil.rag.system": "RAGSystem",
    "dalil.rag.versions": "ContentDiff DocumentVersionManager DocVersion",
    "dalil.sage": "ComputeKit RagSage RagSageConfig StoreKit",
    "dalil.stores.postgres.config": "PostgresConfig",
    "dalil.tracing": "ConsoleTracer InMemoryTracer JsonLinesTracer OpenTelemetryTracer",
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
