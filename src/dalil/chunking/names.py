"""Chunkers by name: what a string in a configuration or an option stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dalil.chunking.fixed import FixedSizeChunker
from dalil.chunking.parents import ParentChildChunker
from dalil.chunking.recursive import RecursiveChunker
from dalil.chunking.semantic import Embed, SemanticChunker
from dalil.chunking.sentence_aware import SentenceAwareChunker
from dalil.chunking.structure import StructureChunker
from dalil.errors import ConfigurationError
from dalil.ports import Chunker

SEMANTIC = "semantic"

CHUNKERS: Mapping[str, Callable[..., Chunker]] = {
    "structure": StructureChunker,
    "fixed_size": FixedSizeChunker,
    "sentence_aware": SentenceAwareChunker,
    "recursive": RecursiveChunker,
    SEMANTIC: SemanticChunker,
    "parent_child": ParentChildChunker,
}


def chunker_by_name(name: str, *, embed: Embed | None = None) -> Chunker:
    """The chunker called `name`; "semantic" embeds sentences with `embed`, the others do not need it.

    Raises:
        ConfigurationError: if there is none of that name, or "semantic" has no `embed`.
    """
    if name not in CHUNKERS:
        raise ConfigurationError(f"There is no chunker named {name!r}.", advice=f"Use one of: {', '.join(CHUNKERS)}.")
    if name != SEMANTIC:
        return CHUNKERS[name]()
    if embed is None:
        raise ConfigurationError("Semantic chunking needs an embedder.", advice="Give one, or use another chunker.")
    return SemanticChunker(embed)
