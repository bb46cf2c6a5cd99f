"""Voyage AI: embeddings and reranking, asked over HTTP. Needs the extra `voyage`."""

from dalil.providers.voyage.embeddings import VoyageEmbedder
from dalil.providers.voyage.reranking import VoyageReranker

__all__ = ["VoyageEmbedder", "VoyageReranker"]
