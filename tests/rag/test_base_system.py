"""What every RAG system has, whatever its shape."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from dalil.errors import ConfigurationError
from dalil.rag.base import BaseRAGSystem
from dalil.rag.config import RAGConfig


class Parrot(BaseRAGSystem):
    """Remembers in which threads it was called."""

    def __init__(self, config: RAGConfig | None = None):
        super().__init__(config)
        self.threads: list[int] = []
        self.cleaned = 0

    def add_documents(self, docs: dict[str, str]) -> dict[str, int]:
        self.threads.append(threading.get_ident())
        return dict.fromkeys(docs, 1)

    def retrieve(self, query: str, top_k: int | None = None) -> list[tuple[Any, float]]:
        self.threads.append(threading.get_ident())
        if query == "fail":
            raise ConnectionError("no line")
        return [(query, 1.0)][:top_k]

    def generate(
        self, query: str, include_sources: bool = False, language: str | None = None, **llm_kwargs: Any
    ) -> str:
        self.threads.append(threading.get_ident())
        return f"{query} {include_sources} {language} {llm_kwargs}"

    def cleanup(self) -> None:
        self.cleaned += 1


class Silent(Parrot):
    cleanup = BaseRAGSystem.cleanup


@pytest.mark.parametrize("name", ["add_documents", "retrieve", "generate"])
def test_three_methods_are_abstract(name: str):
    methods = {key: value for key, value in vars(Parrot).items() if not key.startswith("__") and key != name}
    incomplete = type("Incomplete", (BaseRAGSystem,), methods)
    with pytest.raises(TypeError, match=name):
        incomplete()


def test_the_config_is_validated():
    with pytest.raises(ConfigurationError):
        Parrot(RAGConfig(top_k=0))
    config = RAGConfig(top_k=7)
    assert Parrot(config).config is config
    assert Parrot().config == RAGConfig()


def test_what_a_subclass_does_not_offer_says_so():
    system = Parrot()
    for attempt in (
        lambda: system.remove_document("a"),
        lambda: system.save("somewhere"),
        lambda: Parrot.load("somewhere"),
    ):
        with pytest.raises(NotImplementedError, match="Parrot"):
            attempt()


def test_stats_is_a_live_dict_of_five_counters():
    system = Parrot()
    names = ["total_queries", "successful_queries", "failed_queries", "total_documents", "total_chunks"]
    assert system.stats == dict.fromkeys(names, 0)
    system.stats["total_documents"] = 3
    assert system.get_stats()["total_documents"] == 3


def test_get_stats_is_a_copy():
    system = Parrot()
    system.get_stats()["total_queries"] = 9
    assert system.stats["total_queries"] == 0


def test_reset_zeroes_the_query_counters_only():
    system = Parrot()
    live = system.stats
    live.update(dict.fromkeys(live, 4))
    system.reset_stats()
    assert live is system.stats
    assert list(system.stats.values()) == [0, 0, 0, 4, 4]


def test_validate_connection_looks_the_question_up():
    assert Parrot().validate_connection("works") == {"success": True, "reason": "", "components": {"retrieve": True}}
    report = Parrot().validate_connection("fail")
    assert report == {"success": False, "reason": "retrieve: no line", "components": {"retrieve": False}}


def test_cleanup_has_nothing_to_do_by_default():
    assert Silent().cleanup() is None


def test_leaving_the_context_cleans_up_and_lets_errors_through():
    with pytest.raises(RuntimeError, match="inside"), Parrot() as system:
        raise RuntimeError("inside")
    assert system.cleaned == 1


async def test_leaving_the_asynchronous_context_cleans_up_and_lets_errors_through():
    with pytest.raises(RuntimeError, match="inside"):
        async with Parrot() as system:
            raise RuntimeError("inside")
    assert system.cleaned == 1


async def test_asynchronous_methods_wrap_the_synchronous_ones_in_a_thread():
    system = Parrot()
    assert await system.aadd_documents({"a": "text"}) == {"a": 1}
    assert await system.aretrieve("q", 1) == [("q", 1.0)]
    assert await system.agenerate("q", include_sources=True, language="ar", heat=1) == "q True ar {'heat': 1}"
    assert len(system.threads) == 3
    assert threading.get_ident() not in system.threads
