"""How a RAGSystem is wired."""

from __future__ import annotations

import inspect
import logging

import pytest

from dalil.errors import ConfigurationError, RAGInitializationError
from dalil.rag.caching import RetrievalCache
from dalil.rag.config import RAGConfig
from dalil.rag.expansion import QueryExpander
from dalil.rag.reranking import Reranker, RerankMode
from dalil.rag.routing import PromptRouter
from dalil.rag.system import RAGSystem
from tests.rag.conftest import EchoLLM, LineChunker, LinesContext, MemoryVectorDB, build_system

COMPONENTS = ("vector_db", "llm", "chunker", "context_manager")


def test_the_signature():
    parameters = inspect.signature(RAGSystem).parameters
    assert [(name, parameter.default) for name, parameter in parameters.items()] == [
        *((name, inspect.Parameter.empty) for name in COMPONENTS),
        ("config", None),
        ("prompt", None),
        ("enable_query_expansion", True),
        ("query_expansion_variants", 3),
    ]


def test_components_and_config_are_kept():
    parts = {
        "vector_db": MemoryVectorDB(),
        "llm": EchoLLM(),
        "chunker": LineChunker(),
        "context_manager": LinesContext(),
        "config": RAGConfig(top_k=3),
        "prompt": "{context} {question}",
    }
    system = RAGSystem(**parts)
    for name, part in parts.items():
        assert getattr(system, "_custom_prompt" if name == "prompt" else name) is part


def test_without_a_config_the_defaults_hold():
    assert build_system().config == RAGConfig()


def test_the_config_is_validated():
    with pytest.raises(ConfigurationError):
        build_system(overlap=512)


@pytest.mark.parametrize("name", COMPONENTS)
def test_one_missing_component_is_named(name: str):
    with pytest.raises(RAGInitializationError) as caught:
        build_system(**{name: None})
    assert name in caught.value.message
    assert not any(other in caught.value.message for other in COMPONENTS if other != name)


def test_the_config_is_validated_before_the_components_are_looked_at():
    with pytest.raises(ConfigurationError, match="top_k"):
        build_system(llm=None, top_k=0)


def test_all_missing_components_are_named():
    with pytest.raises(RAGInitializationError) as caught:
        RAGSystem(None, None, None, None)
    assert all(name in caught.value.message for name in COMPONENTS)


def test_a_component_that_is_false_is_not_missing():
    class Empty(MemoryVectorDB):
        def __len__(self) -> int:
            return 0

    assert build_system(vector_db=Empty()).vector_db is not None


@pytest.mark.parametrize("few_shot", [True, False])
def test_a_prompt_router_by_default(few_shot: bool):
    router = build_system(include_few_shot=few_shot).prompt_router
    assert isinstance(router, PromptRouter)
    assert router.include_few_shot is few_shot


def test_no_prompt_router_when_it_is_switched_off():
    assert build_system(enable_prompt_routing=False).prompt_router is None


def test_no_prompt_router_beside_a_custom_prompt():
    assert build_system(prompt="{context}{question}").prompt_router is None


def test_no_reranker_by_default():
    assert build_system().reranker is None


def test_the_reranker_takes_the_fields_of_the_config():
    llm = EchoLLM()
    reranker = build_system(
        llm=llm,
        enable_reranking=True,
        rerank_mode="hybrid",
        rerank_top_k=4,
        rerank_original_weight=0.1,
        rerank_llm_weight=0.2,
        rerank_diversity_weight=0.3,
        rerank_length_weight=0.4,
    ).reranker
    assert isinstance(reranker, Reranker)
    assert reranker.llm is llm
    settings = reranker.config
    assert (settings.mode, settings.top_k) == (RerankMode.HYBRID, 4)
    weights = ("original_score_weight", "llm_score_weight", "diversity_weight", "length_weight")
    assert [getattr(settings, name) for name in weights] == [0.1, 0.2, 0.3, 0.4]


def test_the_query_expander_uses_the_llm_and_the_synonyms():
    llm = EchoLLM()
    expander = build_system(llm=llm, enable_query_expansion=True, query_expansion_variants=2)._query_expander
    assert isinstance(expander, QueryExpander)
    assert (expander.llm, expander.max_variants, expander.use_llm, expander.fallback_synonyms) == (llm, 2, True, True)


def test_no_query_expander_when_it_is_switched_off():
    assert build_system(enable_query_expansion=False)._query_expander is None


def test_the_retrieval_cache_takes_size_and_lifetime_from_the_config():
    cache = build_system(cache_maxsize=9, cache_ttl=7.5)._retrieval_cache
    assert isinstance(cache, RetrievalCache)
    assert (cache.maxsize, cache.ttl) == (9, 7.5)


@pytest.mark.parametrize("ttl", [0, -1])
def test_a_lifetime_of_zero_or_less_means_for_ever(ttl: float):
    assert build_system(cache_ttl=ttl)._retrieval_cache.ttl is None


def test_no_retrieval_cache_when_it_is_switched_off():
    assert build_system(enable_retrieval_cache=False)._retrieval_cache is None


def test_one_summary_line_with_the_four_features(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "dalil.rag"):
        build_system()
    (record,) = [record for record in caplog.records if record.levelno == logging.INFO]
    assert record.args == (False, False, True, True)
