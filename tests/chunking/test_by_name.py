"""Chunkers by name."""

from __future__ import annotations

import pytest

from dalil.chunking import CHUNKERS, SemanticChunker, chunker_by_name
from dalil.errors import ConfigurationError
from dalil.models import Page
from dalil.ports import Chunker

from .conftest import DOCUMENT

NAMES = ["structure", "fixed_size", "sentence_aware", "recursive", "semantic", "parent_child"]


def test_the_names():
    assert list(CHUNKERS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_name_gives_a_chunker(name: str):
    chunker = chunker_by_name(name, embed=lambda texts: [(1.0,) for _ in texts])
    assert isinstance(chunker, Chunker)
    assert isinstance(chunker, CHUNKERS[name])
    (chunk,) = chunker.chunk(DOCUMENT, [Page(1, "One is here. Two is here.")], size=50, overlap=0)
    assert chunk.text == "One is here. Two is here."


@pytest.mark.parametrize("name", [name for name in NAMES if name != "semantic"])
def test_only_semantic_chunking_needs_an_embedder(name: str):
    assert not isinstance(chunker_by_name(name), SemanticChunker)


def test_semantic_chunking_without_an_embedder():
    with pytest.raises(ConfigurationError, match="Semantic chunking needs an embedder"):
        chunker_by_name("semantic")


def test_an_unknown_name():
    with pytest.raises(ConfigurationError, match="no chunker named 'magic'") as caught:
        chunker_by_name("magic")
    assert all(name in str(caught.value) for name in NAMES)
