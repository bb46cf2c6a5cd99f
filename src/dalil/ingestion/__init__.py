"""The write path: one document in, retrievable chunks out."""

from dalil.ingestion.contextualizing import HeadingWindowContextualizer, TitleContextualizer
from dalil.ingestion.many import IngestProgress, ingest_many
from dalil.ingestion.pipeline import IngestionPipeline
from dalil.ingestion.prepared import ChunkedDocument, IngestionResult, IngestStatus, PreparedDocument

__all__ = [
    "ChunkedDocument",
    "HeadingWindowContextualizer",
    "IngestProgress",
    "IngestStatus",
    "IngestionPipeline",
    "IngestionResult",
    "PreparedDocument",
    "TitleContextualizer",
    "ingest_many",
]
