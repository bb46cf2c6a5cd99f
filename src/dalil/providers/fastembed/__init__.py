"""ONNX models by fastembed, run on this machine. Needs the extra `fastembed`."""

from dalil.providers.fastembed.embeddings import FastembedEmbedder
from dalil.providers.fastembed.reranking import FastembedReranker

__all__ = ["FastembedEmbedder", "FastembedReranker"]
