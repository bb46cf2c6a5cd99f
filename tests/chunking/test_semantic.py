"""Chunks begin where the matter changes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from dalil.chunking import SemanticChunker
from dalil.errors import ConfigurationError, EmbeddingDimensionError
from dalil.models import Chunk, Page, Vector

from .conftest import DOCUMENT

LEAVE = [f"Leave rule {number} is about paid leave." for number in range(6)]
TEA = [f"Tea rule {number} is about hot tea." for number in range(6)]
SALARY = [f"القاعدة {number} عن الرواتب." for number in range(6)]


def by_matter(texts: Sequence[str]) -> Sequence[Vector]:
    return [("Leave" in text, "Tea" in text, "الرواتب" in text) for text in texts]


def semantic_chunks(text: str, size: int = 200, overlap: int = 0, **settings) -> Sequence[Chunk]:
    return SemanticChunker(by_matter, **settings).chunk(DOCUMENT, [Page(1, text)], size=size, overlap=overlap)


def test_a_chunk_for_each_matter():
    chunks = semantic_chunks(" ".join([*LEAVE, *TEA, *SALARY]), size=160)
    assert [chunk.text for chunk in chunks] == [" ".join(matter) for matter in (LEAVE, TEA, SALARY)]


def test_one_matter_is_one_chunk():
    (chunk,) = semantic_chunks(" ".join(LEAVE))
    assert chunk.text == " ".join(LEAVE)


def test_matters_share_nothing_but_the_pieces_of_a_large_one_do():
    chunks = semantic_chunks(" ".join([*LEAVE, *TEA]), size=40, overlap=10)
    assert len(chunks) > 2
    for before, after in pairwise(chunks):
        shared = max(0, before.spans[-1].end - after.spans[0].start)
        if after.text.startswith(TEA[0]):
            assert shared == 0
        else:
            assert before.text[-shared:] in [*LEAVE, *TEA]


def test_a_matter_below_the_minimum_stays_with_its_neighbour():
    text = " ".join([*LEAVE, *TEA[:1], *SALARY])
    assert any(chunk.text.startswith(TEA[0]) for chunk in semantic_chunks(text, window=1, minimum=0))
    assert all(TEA[0] != chunk.text for chunk in semantic_chunks(text, window=1, minimum=0.1))


def test_a_single_sentence_needs_no_embedder():
    def fails(texts: Sequence[str]) -> Sequence[Vector]:
        raise AssertionError("nothing to compare")

    (chunk,) = SemanticChunker(fails).chunk(DOCUMENT, [Page(1, "One sentence.")], size=50, overlap=0)
    assert chunk.text == "One sentence."


def test_vectors_of_no_length_are_like_nothing():
    chunker = SemanticChunker(lambda texts: [(0.0, 0.0) for _ in texts])
    (chunk,) = chunker.chunk(DOCUMENT, [Page(1, " ".join(LEAVE))], size=200, overlap=0)
    assert chunk.text == " ".join(LEAVE)


def test_an_embedder_that_loses_a_sentence_is_told():
    chunker = SemanticChunker(lambda texts: [(1.0, 0.0)])
    with pytest.raises(EmbeddingDimensionError, match="1 vectors for 6 sentences"):
        chunker.chunk(DOCUMENT, [Page(1, " ".join(LEAVE))], size=200, overlap=0)


@pytest.mark.parametrize("setting", [{"window": 0}, {"percentile": 0}, {"percentile": 100}, {"minimum": 1}])
def test_settings_that_cannot_work(setting: dict[str, int]):
    with pytest.raises(ConfigurationError, match="Semantic chunking needs"):
        SemanticChunker(by_matter, **setting)
