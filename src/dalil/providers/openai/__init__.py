"""OpenAI, and every server that speaks its protocol: embeddings, chat, vision. Needs the extra `openai`."""

from dalil.providers.openai.chat import OpenAILLM
from dalil.providers.openai.embeddings import OpenAIEmbedder

__all__ = ["OpenAIEmbedder", "OpenAILLM"]
