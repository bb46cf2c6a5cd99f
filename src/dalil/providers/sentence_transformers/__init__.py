"""Models of sentence-transformers, run on this machine. Needs the extra `sentence-transformers`."""

from dalil.providers.sentence_transformers.embeddings import SentenceTransformersEmbedder
from dalil.providers.sentence_transformers.reranking import SentenceTransformersReranker

__all__ = ["SentenceTransformersEmbedder", "SentenceTransformersReranker"]
