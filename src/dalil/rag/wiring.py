"""What `RAGSystem.local` is wired from."""

from __future__ import annotations

import inspect
import os
from typing import Any

from dalil.assembly import embedder_identity, is_url
from dalil.config import IngestionConfig
from dalil.errors import ConfigurationError
from dalil.ports import Chunker, Embedder, LLMClient
from dalil.providers import embedder_by_name
from dalil.rag.chunks import LocalChunker
from dalil.rag.config import RAGConfig
from dalil.rag.context import ContextManager
from dalil.rag.index import LOOP, LocalIndex
from dalil.rag.local import LocalRAGSystem
from dalil.rag.local_llm import LocalLLM
from dalil.rag.prompting import PromptInput
from dalil.sage import RagSage

EXTRACTIVE = "extractive"


def local_system(
    path: str | os.PathLike[str],
    *,
    llm: Any,
    embedder: str | Embedder | None,
    config: RAGConfig | None,
    namespace: str,
    chunker: Any,
    alpha: float | None,
    prompt: PromptInput | None,
    enable_query_expansion: bool,
    query_expansion_variants: int,
) -> LocalRAGSystem:
    """See `RAGSystem.local`."""
    config = RAGConfig() if config is None else config
    config.validate()
    if is_url(path):
        raise ConfigurationError("RAGSystem.local keeps its store in a folder.", advice="RagSage.open takes a URL.")
    path = os.path.abspath(path)  # the program may change its working directory
    chosen = embedder_by_name(embedder) if isinstance(embedder, str) else embedder
    foreign_llm = llm is not None and not isinstance(llm, str) and not isinstance(llm, LLMClient)
    foreign_chunker = chunker is not None and not isinstance(chunker, str) and not _is_ours(chunker)

    def open_sage() -> RagSage:
        return RagSage.open(
            path,
            embedder=chosen,
            llm=None if foreign_llm else llm,
            chunker=config.chunking if chunker is None or foreign_chunker else chunker,
            ingestion=IngestionConfig(config.chunk_size, config.overlap),
        )

    index = LocalIndex(
        open_sage,
        namespace,
        embedder=None if chosen is None else embedder_identity(chosen),
        alpha=alpha,
        batch=config.ingest_batch_size,
    )

    def cutter() -> Chunker:
        return LOOP.run(index.compute()).chunker  # the semantic one needs the embedder

    return LocalRAGSystem(
        index,
        llm if foreign_llm else LocalLLM(index.compute, follows_prompts=llm not in (None, EXTRACTIVE)),
        chunker if foreign_chunker else LocalChunker(cutter, size=config.chunk_size, overlap=config.overlap),
        ContextManager(config.context_max_length),
        config,
        prompt,
        enable_query_expansion,
        query_expansion_variants,
    )


def _is_ours(chunker: Any) -> bool:
    """Whether it is a Chunker of dalil's port, which cuts pages to a given size, and not one that cuts a text."""
    method = getattr(chunker, "chunk", None)
    return (
        not hasattr(chunker, "chunk_text")
        and callable(method)
        and {"size", "overlap"} <= set(inspect.signature(method).parameters)
    )
