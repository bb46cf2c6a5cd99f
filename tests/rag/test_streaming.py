"""An answer piece by piece, whatever shape the LLM streams in."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from dalil.rag.system import RAGSystem
from tests.rag.conftest import Broken, EchoLLM, StreamingLLM, build_system, pieces_from, query_counts


def streaming(stream: Callable[..., Any], **changes: Any) -> RAGSystem:
    system = build_system(llm=StreamingLLM(stream), **changes)
    system.add_text("annual leave is thirty days", doc_id="leave")
    return system


async def tokens(prompt: str, **settings: Any) -> AsyncIterator[str]:
    yield "thirty"
    yield " days"


def tokens_now(prompt: str, **settings: Any) -> Iterator[Any]:
    yield "thirty"
    yield 30


class Tokens:
    """An asynchronous iterator that is no generator."""

    def __init__(self) -> None:
        self.left = ["thirty", " days"]

    def __aiter__(self) -> Tokens:
        return self

    async def __anext__(self) -> str:
        if not self.left:
            raise StopAsyncIteration
        return self.left.pop(0)


async def later_tokens(prompt: str, **settings: Any) -> AsyncIterator[str]:
    return tokens(prompt)


async def later_iterator(prompt: str, **settings: Any) -> Tokens:
    return Tokens()


async def later_string(prompt: str, **settings: Any) -> str:
    return "thirty days\nof leave"


async def later_number(prompt: str, **settings: Any) -> int:
    return 42


async def later_list(prompt: str, **settings: Any) -> list[str]:
    return ["a", "b"]


async def later_nothing(prompt: str, **settings: Any) -> str:
    return ""


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        pytest.param(tokens, ["thirty", " days"], id="asynchronous generator"),
        pytest.param(lambda prompt, **_: Tokens(), ["thirty", " days"], id="asynchronous iterator"),
        pytest.param(later_tokens, ["thirty", " days"], id="coroutine giving an asynchronous generator"),
        pytest.param(later_iterator, ["thirty", " days"], id="coroutine giving an asynchronous iterator"),
        pytest.param(later_string, ["thirty ", "days\nof ", "leave "], id="coroutine giving a string"),
        pytest.param(later_nothing, [], id="coroutine giving an empty string"),
        pytest.param(later_number, ["42"], id="coroutine giving something else"),
        pytest.param(later_list, ["['a', 'b']"], id="coroutine giving a list"),
        pytest.param(tokens_now, ["thirty", "30"], id="generator"),
        pytest.param(lambda prompt, **_: ["a", 1], ["a", "1"], id="list"),
        pytest.param(lambda prompt, **_: "thirty days", ["thirty ", "days "], id="string"),
        pytest.param(lambda prompt, **_: 42, ["42"], id="something else"),
    ],
)
async def test_every_shape_is_streamed_and_counts_as_one_success(stream: Callable[..., Any], expected: list[str]):
    system = streaming(stream)
    assert await pieces_from(system.astream("annual leave")) == expected
    assert query_counts(system) == (1, 1, 0)


async def test_pieces_of_an_asynchronous_generator_are_passed_on_as_they_are():
    async def numbers(prompt: str, **settings: Any) -> AsyncIterator[int]:
        yield 1

    assert await pieces_from(streaming(numbers).astream("annual leave")) == [1]


async def test_the_llm_gets_the_resolved_prompt_and_the_settings():
    system = streaming(tokens)
    await pieces_from(system.astream("annual leave", language="ar", temperature=0.2))
    (prompt,) = system.llm.prompts
    assert "annual leave is thirty days" in prompt
    assert prompt.endswith("الإجابة:")
    assert system.llm.settings == [{"temperature": 0.2}]


async def test_a_synchronous_iterable_does_not_block_the_loop():
    threads = []

    def slow(prompt: str, **settings: Any) -> Iterator[str]:
        threads.append(threading.get_ident())
        yield "a"

    await pieces_from(streaming(slow).astream("annual leave"))
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("stream", [later_string, tokens_now], ids=["words", "synchronous iterable"])
async def test_others_have_their_turn_between_two_pieces(stream: Callable[..., Any]):
    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    turns = 0
    task = asyncio.create_task(others())
    seen = [turns async for _ in streaming(stream).astream("annual leave")]
    task.cancel()
    assert len(seen) > 1
    assert seen == sorted(set(seen))


@pytest.mark.parametrize("asynchronous", [True, False])
async def test_an_llm_without_astream_falls_back_to_generate(asynchronous: bool):
    system = build_system()
    system.add_text("annual leave")
    if asynchronous:

        class Both(Broken):
            async def generate_async(self, prompt: str, **settings: Any) -> str:
                return "the answer"

        system.llm = Both()
    assert await pieces_from(system.astream("annual leave")) == ["the answer"]
    assert query_counts(system) == (1, 1, 0)


@pytest.mark.parametrize("question", ["", "  ", None])
async def test_a_blank_question(question: Any):
    system = streaming(tokens)
    assert await pieces_from(system.astream(question)) == ["⚠️ Please enter a valid question."]
    assert query_counts(system) == (1, 0, 0)


async def test_no_evidence_counts_as_a_failure():
    system = streaming(tokens)
    assert await pieces_from(system.astream("volcano")) == ["No relevant information found."]
    assert query_counts(system) == (1, 0, 1)


async def test_a_failed_search():
    system = streaming(tokens)
    system.vector_db = Broken()
    assert await pieces_from(system.astream("leave")) == ["❌ Search error occurred."]
    assert query_counts(system) == (1, 0, 1)


@pytest.mark.parametrize("part", ["context_manager", "llm"])
async def test_any_other_failure(part: str):
    system = streaming(tokens)
    setattr(system, part, Broken(ValueError("no more tokens")))
    assert await pieces_from(system.astream("leave")) == ["❌ There was an error: no more tokens"]
    assert query_counts(system) == (1, 0, 1)


async def test_a_stream_that_breaks_off_ends_with_the_error():
    async def breaking(prompt: str, **settings: Any) -> AsyncIterator[str]:
        yield "thirty"
        raise ConnectionError("line cut")

    system = streaming(breaking)
    assert await pieces_from(system.astream("leave")) == ["thirty", "❌ There was an error: line cut"]
    assert query_counts(system) == (1, 0, 1)


async def test_a_stream_left_early_is_neither_success_nor_failure_and_closes_the_llms():
    closed = []

    async def long(prompt: str, **settings: Any) -> AsyncIterator[str]:
        try:
            while True:
                yield "word"
        finally:
            closed.append(True)

    system = streaming(long)
    stream = system.astream("leave")
    async for _ in stream:
        break
    await stream.aclose()
    assert closed == [True]
    assert query_counts(system) == (1, 0, 0)


async def test_the_cache_is_neither_asked_nor_filled():
    system = streaming(tokens)
    await pieces_from(system.astream("leave"))
    assert system.get_cache_stats()["misses"] == 0


def test_the_signature():
    assert list(inspect.signature(RAGSystem.astream).parameters) == ["self", "query", "language", "llm_kwargs"]
    assert inspect.isasyncgenfunction(RAGSystem.astream)


async def test_an_answer_of_an_echoing_llm_is_the_buffered_answer():
    system = streaming(tokens)
    assert "".join(await pieces_from(system.astream("leave"))) == "thirty days"
    system.llm = EchoLLM("thirty days")
    assert await system.agenerate("leave") == "thirty days"
