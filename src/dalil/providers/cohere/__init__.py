"""Cohere: embeddings and reranking, asked over HTTP. Needs the extra `cohere`."""

from dalil.providers.cohere.embeddings import CohereEmbedder
from dalil.providers.cohere.reranking import CohereReranker

__all__ = ["CohereEmbedder", "CohereReranker"]
