"""The settings of a RAGSystem, and which are refused."""

from __future__ import annotations

from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import ConfigurationError
from dalil.rag.config import RAGConfig

DEFAULTS = {
    "chunk_size": 512,
    "overlap": 128,
    "top_k": 5,
    "min_score": 0.0,
    "enable_reranking": False,
    "rerank_mode": "heuristic",
    "rerank_top_k": None,
    "rerank_original_weight": 0.40,
    "rerank_llm_weight": 0.40,
    "rerank_diversity_weight": 0.10,
    "rerank_length_weight": 0.10,
    "enable_prompt_routing": True,
    "prompt_language": None,
    "include_few_shot": True,
    "context_max_length": 4000,
    "enable_retrieval_cache": True,
    "cache_maxsize": 256,
    "cache_ttl": 300.0,
    "ingest_batch_size": 64,
    "chunking": "structure",
}


def test_fields_and_defaults():
    assert asdict(RAGConfig()) == DEFAULTS
    assert [field.name for field in fields(RAGConfig)] == list(DEFAULTS)


def test_the_defaults_are_valid():
    RAGConfig().validate()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"chunk_size": 0}, "chunk_size"),
        ({"chunk_size": -1, "overlap": -2}, "chunk_size"),
        ({"overlap": -1}, "overlap"),
        ({"chunk_size": 100, "overlap": 100}, "overlap"),
        ({"chunk_size": 100, "overlap": 101}, "overlap"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": -3}, "top_k"),
        ({"rerank_mode": "magic"}, "rerank_mode"),
        ({"rerank_original_weight": 0.5}, "weights"),
        ({"rerank_original_weight": 0.38}, "weights"),
        ({"rerank_length_weight": float("nan")}, "weights"),
        ({"chunking": "by_magic"}, "chunking"),
    ],
)
def test_what_cannot_work_is_refused_by_name(changes: dict, named: str):
    config = RAGConfig(**changes)
    with pytest.raises(ValueError, match=named) as caught:
        config.validate()
    assert isinstance(caught.value, ConfigurationError)


@pytest.mark.parametrize(
    "changes",
    [
        {"chunk_size": 1, "overlap": 0},
        {"chunk_size": 100, "overlap": 99},
        {"top_k": 1},
        *({"rerank_mode": mode} for mode in ("heuristic", "llm", "hybrid")),
        *({"chunking": name} for name in ("structure", "fixed_size", "sentence_aware", "recursive", "semantic")),
        {"cache_ttl": -1},
    ],
)
def test_what_can_work_is_accepted(changes: dict):
    RAGConfig(**changes).validate()


@given(st.floats(min_value=0.391, max_value=0.409))
def test_weights_may_be_off_by_a_hundredth(weight: float):
    RAGConfig(rerank_original_weight=weight).validate()


@pytest.mark.parametrize("weight", [0.389, 0.411])
def test_weights_may_not_be_off_by_more(weight: float):
    with pytest.raises(ConfigurationError, match="sum to 1"):
        RAGConfig(rerank_original_weight=weight).validate()


@pytest.mark.parametrize("weight", [0.39, 0.41])
def test_weights_may_be_off_by_exactly_a_hundredth(weight: float):
    RAGConfig(rerank_original_weight=weight).validate()
