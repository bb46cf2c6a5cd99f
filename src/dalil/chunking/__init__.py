"""Pages to chunks. `StructureChunker` is the default, `chunker_by_name` gives any; sizes are in estimated tokens."""

from collections.abc import Callable

from dalil.chunking.fixed import FixedSizeChunker
from dalil.chunking.names import CHUNKERS, chunker_by_name
from dalil.chunking.parents import ParentChildChunker
from dalil.chunking.recursive import RecursiveChunker
from dalil.chunking.semantic import SemanticChunker
from dalil.chunking.sentence_aware import SentenceAwareChunker
from dalil.chunking.structure import StructureChunker
from dalil.text import estimate_tokens

__all__ = [
    "CHUNKERS",
    "FixedSizeChunker",
    "ParentChildChunker",
    "RecursiveChunker",
    "SemanticChunker",
    "SentenceAwareChunker",
    "StructureChunker",
    "chunker_by_name",
    "make_token_counter",
]


def make_token_counter() -> Callable[[str], int]:
    """The function by which chunks are measured: estimated tokens of a text."""
    return estimate_tokens
