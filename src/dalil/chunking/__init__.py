"""Pages to chunks. `StructureChunker` is the default; `make_token_counter` gives the measure of their size."""

from collections.abc import Callable

from dalil.chunking.structure import StructureChunker
from dalil.text import estimate_tokens

__all__ = ["StructureChunker", "make_token_counter"]


def make_token_counter() -> Callable[[str], int]:
    """The function by which chunks are measured: estimated tokens of a text."""
    return estimate_tokens
