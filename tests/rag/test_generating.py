"""From a question to an answer, in synchronous and in asynchronous code: the same strings, the same counts."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, EchoLLM, LinesContext, build_system, query_counts

Ask = Callable[..., Awaitable[str]]


async def synchronously(system: RAGSystem, *args: Any, **kwargs: Any) -> str:
    return system.generate(*args, **kwargs)


async def asynchronously(system: RAGSystem, *args: Any, **kwargs: Any) -> str:
    return await system.agenerate(*args, **kwargs)


@pytest.fixture(params=[synchronously, asynchronously])
def ask(request: pytest.FixtureRequest) -> Ask:
    return request.param


async def test_the_answer_is_what_the_llm_says(filled: RAGSystem, ask: Ask):
    assert await ask(filled, "annual leave") == "the answer"
    assert query_counts(filled) == (1, 1, 0)


async def test_retrieved_chunks_become_the_context_and_the_context_the_prompt(filled: RAGSystem, ask: Ask):
    await ask(filled, "annual leave")
    assert filled.context_manager.calls == [("annual leave", filled.retrieve("annual leave"))]
    (prompt,) = filled.llm.prompts
    assert "annual leave is thirty days\nsick leave needs a note" in prompt
    assert "annual leave" in prompt


@pytest.mark.parametrize("question", ["", "   ", "\n\t", None, 7])
async def test_a_blank_question_is_answered_with_a_request(ask: Ask, question: Any):
    system = build_system(vector_db=Broken())
    assert await ask(system, question) == "⚠️ Please enter a valid question."


async def test_a_blank_question_counts_as_asked_and_as_nothing_else(filled: RAGSystem, ask: Ask):
    await ask(filled, "  ")
    assert query_counts(filled) == (1, 0, 0)


async def test_without_chunks_nothing_relevant_was_found(filled: RAGSystem, ask: Ask, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO, "dalil.rag"):
        assert await ask(filled, "volcano") == "No relevant information found."
    assert query_counts(filled) == (1, 0, 1)
    assert filled.llm.prompts == []
    assert "volcano" in caplog.text


async def test_a_failed_search_is_told_and_counted(ask: Ask):
    system = build_system(vector_db=Broken())
    assert await ask(system, "question") == "❌ Search error occurred."
    assert query_counts(system) == (1, 0, 1)


@pytest.mark.parametrize("part", ["context_manager", "prompt", "llm"])
async def test_any_other_failure_is_told_logged_and_counted(
    filled: RAGSystem, ask: Ask, part: str, caplog: pytest.LogCaptureFixture
):
    error = ValueError("no more tokens")

    def broken_prompt(context: str, question: str) -> str:
        raise error

    if part == "prompt":
        filled.set_prompt(broken_prompt)
    else:
        setattr(filled, part, Broken(error))
    assert await ask(filled, "annual leave") == "❌ There was an error: no more tokens"
    assert query_counts(filled) == (1, 0, 1)
    assert [record for record in caplog.records if record.levelno == logging.ERROR]


async def test_sources_are_left_out_unless_asked_for(filled: RAGSystem, ask: Ask):
    assert "📚" not in await ask(filled, "annual leave")


async def test_sources_stand_under_the_answer(filled: RAGSystem, ask: Ask):
    assert await ask(filled, "refunds", include_sources=True) == ("the answer\n\n📚 Sources:\n• refunds (score: 1.00)")


async def test_at_most_three_sources(ask: Ask):
    system = build_system()
    system.add_texts({name: f"leave {name}" for name in "abcde"})
    assert (await ask(system, "leave", include_sources=True)).count("•") == 3


async def test_llm_settings_go_to_the_llm_untouched(filled: RAGSystem, ask: Ask):
    await ask(filled, "annual leave", temperature=0.2, max_tokens=200)
    assert filled.llm.settings == [{"temperature": 0.2, "max_tokens": 200}]


@pytest.mark.parametrize(
    ("question", "language", "cue"),
    [
        ("annual leave", None, "Answer:"),
        ("annual leave", "ar", "الإجابة:"),
        ("سياسة الإرجاع", None, "الإجابة:"),
        ("سياسة الإرجاع", "en", "Answer:"),
    ],
)
@pytest.mark.parametrize("routing", [True, False])
async def test_the_prompt_is_in_the_language_asked_for_else_in_the_questions(
    ask: Ask, question: str, language: str | None, cue: str, routing: bool
):
    system = build_system(enable_prompt_routing=routing)
    system.add_text(question)
    await ask(system, question, language=language)
    assert system.llm.prompts[0].endswith(cue)


@pytest.mark.parametrize("routing", [True, False])
async def test_the_configs_language_holds_where_the_caller_gives_none(ask: Ask, routing: bool):
    system = build_system(prompt_language="ar", enable_prompt_routing=routing)
    system.add_text("annual leave")
    await ask(system, "annual leave")
    await ask(system, "annual leave", language="en")
    assert [prompt.endswith("الإجابة:") for prompt in system.llm.prompts] == [True, False]


async def test_braces_in_context_and_question_change_nothing(ask: Ask):
    text = 'set {"a": {0}} and {question} or {unknown!r:>{width}} }{'
    for changes in ({}, {"enable_prompt_routing": False}, {"prompt": "C {context} Q {question}"}):
        system = build_system(**changes)
        system.add_text(text)
        assert await ask(system, text) == "the answer"
        assert system.llm.prompts[0].count(text) == 2


def test_ask_is_generate():
    class Recording(RAGSystem):
        def generate(self, query: str, include_sources: bool = False, language: Any = None, **llm_kwargs: Any) -> str:
            return f"{query} {include_sources} {language} {llm_kwargs}"

    plain = build_system()
    system = Recording(plain.vector_db, plain.llm, plain.chunker, plain.context_manager)
    assert system.ask("q") == "q False None {}"
    assert system.ask("q", True, "ar", temperature=1) == "q True ar {'temperature': 1}"
    assert system.stats["total_queries"] == 0


def test_generate_remembers_what_was_retrieved(filled: RAGSystem):
    filled.generate("annual leave")
    filled.generate("annual leave")
    assert len(filled.vector_db.searches) == 1


async def test_agenerate_leaves_the_cache_alone(filled: RAGSystem):
    await filled.agenerate("annual leave")
    await filled.agenerate("annual leave")
    assert len(filled.vector_db.searches) == 2


async def test_generate_async_is_preferred(filled: RAGSystem):
    class Both(Broken):
        async def generate_async(self, prompt: str, **settings: Any) -> str:
            await asyncio.sleep(0)
            return f"asynchronous {settings}"

    filled.llm = Both()
    assert await filled.agenerate("annual leave", heat=1) == "asynchronous {'heat': 1}"


async def test_context_prompt_and_llm_run_in_threads(filled: RAGSystem):
    threads = []

    class PlacedContext(LinesContext):
        def build(self, query: str, chunks: Any) -> str:
            threads.append(threading.get_ident())
            return super().build(query, chunks)

    class PlacedLLM(EchoLLM):
        def generate(self, prompt: str, **settings: Any) -> str:
            threads.append(threading.get_ident())
            return super().generate(prompt, **settings)

    def placed_prompt(context: str, question: str) -> str:
        threads.append(threading.get_ident())
        return context

    filled.context_manager, filled.llm = PlacedContext(), PlacedLLM()
    filled.set_prompt(placed_prompt)
    assert await filled.agenerate("annual leave") == "the answer"
    assert len(threads) == 3
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("name", ["ask", "generate", "agenerate"])
def test_the_signatures(name: str):
    parameters = list(inspect.signature(getattr(RAGSystem, name)).parameters.values())
    query = "question" if name == "ask" else "query"
    assert [parameter.name for parameter in parameters] == ["self", query, "include_sources", "language", "llm_kwargs"]
    assert [parameter.default for parameter in parameters[2:4]] == [False, None]


async def test_cancelling_is_not_an_answer(filled: RAGSystem):
    class Endless(EchoLLM):
        async def generate_async(self, prompt: str, **settings: Any) -> str:
            started.set()
            await asyncio.Event().wait()
            return ""

    started = asyncio.Event()
    filled.llm = Endless()
    asking = asyncio.create_task(filled.agenerate("annual leave"))
    await started.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert query_counts(filled) == (1, 0, 0)
