"""Components whose methods are coroutine functions, under the same names, in both faces of a system."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from dalil.rag.system import RAGSystem
from tests.rag.conftest import (
    EchoLLM,
    LineChunker,
    LinesContext,
    MemoryVectorDB,
    build_system,
    pieces_from,
    query_counts,
)


def asynchronous(kind: type, loops: set[asyncio.AbstractEventLoop]) -> Any:
    """An instance of `kind` whose public methods are coroutine functions that note their loop."""

    def coroutine(method: Any) -> Any:
        async def later(self: Any, *args: Any, **kwargs: Any) -> Any:
            await asyncio.sleep(0)
            loops.add(asyncio.get_running_loop())
            return method(self, *args, **kwargs)

        return later

    methods = {name: coroutine(value) for name, value in vars(kind).items() if callable(value) and name[0] != "_"}
    return type(f"Async{kind.__name__}", (kind,), methods)()


@pytest.fixture
def loops() -> set[asyncio.AbstractEventLoop]:
    return set()


@pytest.fixture
def system(loops: set[asyncio.AbstractEventLoop]) -> RAGSystem:
    kinds = {"vector_db": MemoryVectorDB, "llm": EchoLLM, "chunker": LineChunker, "context_manager": LinesContext}
    return build_system(**{name: asynchronous(kind, loops) for name, kind in kinds.items()})


def use(system: RAGSystem, path: Path) -> None:
    assert system.add_texts({"leave": "annual leave\nsick leave", "bad": "unchunkable"}) == {"leave": 2, "bad": 0}
    assert len(system.retrieve("leave")) == 2
    assert system.ask("leave", include_sources=True).startswith("the answer\n\n📚 Sources:")
    assert system.validate_connection("leave")["success"]
    system.save(str(path))
    assert system.remove_document("leave") == 2
    components = {name: getattr(system, name) for name in ("vector_db", "llm", "chunker", "context_manager")}
    assert len(RAGSystem.load(str(path), **components, enable_query_expansion=False).retrieve("leave")) == 2
    system.cleanup()
    assert system.llm.cleaned == 1


def test_the_synchronous_methods_wait_on_one_background_loop(
    system: RAGSystem, loops: set[asyncio.AbstractEventLoop], tmp_path: Path
):
    use(system, tmp_path)
    assert len(loops) == 1


async def test_the_synchronous_methods_work_inside_a_running_loop(
    system: RAGSystem, loops: set[asyncio.AbstractEventLoop], tmp_path: Path
):
    use(system, tmp_path)
    assert asyncio.get_running_loop() not in loops


async def test_the_asynchronous_methods_run_them_on_the_callers_loop(
    system: RAGSystem, loops: set[asyncio.AbstractEventLoop]
):
    assert await system.aadd_documents({"leave": "annual leave\nsick leave", "bad": "unchunkable"}) == {
        "leave": 2,
        "bad": 0,
    }
    assert system.stats["total_chunks"] == 2
    assert len(await system.aretrieve("leave")) == 2
    assert await system.agenerate("leave") == "the answer"
    assert await pieces_from(system.astream("leave")) == ["the answer"]
    assert query_counts(system) == (2, 2, 0)
    assert loops == {asyncio.get_running_loop()}


async def test_leaving_the_asynchronous_context_cleans_them_up(system: RAGSystem):
    async with system:
        pass
    assert (system.vector_db.cleaned, system.llm.cleaned) == (1, 1)


async def test_methods_that_give_awaitables_without_being_coroutine_functions():
    class Later(EchoLLM):
        def generate(self, prompt: str, **settings: Any) -> Any:  # type: ignore[override]
            async def later() -> str:
                return "later"

            return later()

    system = build_system(llm=Later())
    system.add_text("annual leave")
    assert system.generate("leave") == "later"
    assert await system.agenerate("leave") == "later"


@pytest.mark.parametrize("inside_a_loop", [True, False])
def test_query_expansion_and_reranking_by_an_asynchronous_llm(inside_a_loop: bool):
    asked: list[str] = []

    class Expanding(EchoLLM):
        async def generate(self, prompt: str, **settings: Any) -> str:  # type: ignore[override]
            asked.append(prompt)
            return "vacation days" if settings.get("max_tokens") == 300 else "9"

    def retrieve() -> list[str]:
        system = build_system(
            llm=Expanding(), enable_query_expansion=True, enable_reranking=True, rerank_mode="llm", top_k=2
        )
        system.add_texts({"a": "vacation days are thirty", "b": "leave the room"})
        return [piece.doc_id for piece, _ in system.retrieve("leave")]

    async def inside() -> list[str]:
        return retrieve()

    assert sorted(asyncio.run(inside()) if inside_a_loop else retrieve()) == ["a", "b"]
    assert len(asked) == 3
