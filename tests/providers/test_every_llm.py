"""What every hosted language model keeps, whatever its service does."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest

from dalil.errors import LLMConnectionError, LLMError, LLMGenerationError, LLMRateLimitError, LLMTimeoutError
from dalil.models import PageImage
from dalil.offloop import off_loop
from dalil.ports import LLMClient
from dalil.providers.hosting import RetryPolicy
from providers.conftest import LLMS, Connect
from providers.protocols import KEY, WORDS, Reply
from providers.service import hang_up, malformed, refuse, silence, stream_then, until_closed

PNG = b"\x89PNG\r\n\x1a\n rest of the picture"
FIRST_WORDS = 4  # events until two words have been said
pytestmark = pytest.mark.parametrize("name", LLMS)


async def said_by(llm: Any, prompt: str = "What is the answer?") -> list[str]:
    return [fragment async for fragment in llm.generate(prompt)]


async def test_the_reply_comes_in_fragments(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    assert isinstance(llm, LLMClient)
    assert await said_by(llm) == list(WORDS)
    assert service.requests[0].body["messages"][0]["content"] == "What is the answer?"
    assert (llm.usage.requests, llm.usage.input_tokens, llm.usage.output_tokens) == (1, 7, 5)


async def test_fragments_come_as_they_are_written(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    service.faults = [stream_then(FIRST_WORDS, until_closed)]
    async with aclosing(llm.generate("?")) as fragments:
        assert await asyncio.wait_for(anext(fragments), 2) == WORDS[0]


async def test_a_number_of_tokens_is_asked_for(connect: Connect, name: str) -> None:
    llm, service = await connect(name, max_tokens=77)
    await said_by(llm)
    assert service.requests[0].body["max_tokens"] == 77
    assert "temperature" not in service.requests[0].body


async def test_strange_prompts_can_be_sent(connect: Connect, name: str) -> None:
    llm, _ = await connect(name)
    assert await said_by(llm, "a\x00b \ud800 {braces}") == list(WORDS)


@pytest.mark.parametrize(
    "fault",
    [
        refuse(429),
        refuse(429, "retry-after: 0"),
        refuse(500),
        refuse(503),
        refuse(529),
        hang_up,
        stream_then(1, None),
    ],
)
async def test_what_fails_before_the_first_word_is_tried_again(connect: Connect, name: str, fault: Any) -> None:
    llm, service = await connect(name)
    service.faults = [fault, fault]
    assert await said_by(llm) == list(WORDS)
    assert len(service.requests) == 3
    assert llm.usage.requests == 1


async def test_a_stream_that_breaks_off_is_an_error_and_not_begun_anew(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    service.faults = [stream_then(FIRST_WORDS, None)]
    said: list[str] = []

    async def read() -> None:
        async for fragment in llm.generate("?"):
            said.append(fragment)

    with pytest.raises(LLMGenerationError, match="broke off"):
        await read()
    assert said
    assert said == list(WORDS)[: len(said)]
    assert len(service.requests) == 1


async def test_a_stream_that_ends_early_without_a_break_is_noticed(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    answer = service.answer
    service.answer = lambda request: Reply(events=(answer(request).events or ())[:FIRST_WORDS])
    with pytest.raises(LLMGenerationError, match="before the reply did"):
        await said_by(llm)


async def test_a_stream_that_stalls_is_given_up(connect: Connect, name: str) -> None:
    llm, service = await connect(name, timeout_seconds=0.2)
    service.faults = [stream_then(FIRST_WORDS, until_closed)]
    with pytest.raises(LLMTimeoutError):
        await said_by(llm)
    assert len(service.requests) == 1
    await asyncio.wait_for(service.requests[0].closed.wait(), 2)


async def test_a_first_word_that_does_not_come(connect: Connect, name: str) -> None:
    llm, service = await connect(name, timeout_seconds=0.2)
    service.faults = [silence, silence]
    with pytest.raises(LLMTimeoutError, match="took too long"):
        await said_by(llm)
    assert len(service.requests) == 2


async def test_an_error_inside_the_stream(connect: Connect, name: str) -> None:
    llm, service = await connect(name, retry=RetryPolicy(attempts=2, first_wait=0.001))
    error = {"type": "error", "error": {"type": "overloaded_error", "code": "overloaded_error", "message": "busy"}}
    service.answer = lambda _: Reply(events=[f"event: error\ndata: {json.dumps(error)}\n\n"])
    with pytest.raises(LLMRateLimitError, match="busy"):
        await said_by(llm)
    assert len(service.requests) == 2


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, LLMGenerationError),
        (401, LLMGenerationError),
        (403, LLMGenerationError),
        (404, LLMGenerationError),
        (422, LLMGenerationError),
        (302, LLMGenerationError),
    ],
)
async def test_what_cannot_succeed_is_not_tried_again(
    connect: Connect, name: str, status: int, kind: type[LLMError]
) -> None:
    llm, service = await connect(name)
    service.faults = [refuse(status, "location: http://127.0.0.1:9/", message=f"no, {KEY}")]
    with pytest.raises(kind) as caught:
        await said_by(llm)
    assert len(service.requests) == 1
    assert KEY not in f"{caught.value!s} {caught.value!r} {caught.value.details}"
    assert caught.value.what_to_do


async def test_a_rate_limit_that_lasts(connect: Connect, name: str) -> None:
    llm, service = await connect(name, retry=RetryPolicy(attempts=3, first_wait=0.001))
    service.fault_of = lambda _: refuse(429)
    with pytest.raises(LLMRateLimitError):
        await said_by(llm)
    assert len(service.requests) == 3


async def test_garbage_in_the_place_of_a_stream(connect: Connect, name: str) -> None:
    llm, service = await connect(name, retry=RetryPolicy(attempts=2, first_wait=0.001))
    service.fault_of = lambda _: malformed
    with pytest.raises(LLMGenerationError):
        await said_by(llm)


async def test_nobody_there(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    await service.stop()
    with pytest.raises(LLMConnectionError):
        await said_by(llm)


async def test_a_reader_who_leaves_closes_the_connection(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    service.faults = [stream_then(FIRST_WORDS, until_closed)]
    async with aclosing(llm.generate("?")) as fragments:
        await anext(fragments)
    await asyncio.wait_for(service.requests[0].closed.wait(), 2)


async def test_cancelling_closes_the_connection_on_the_models_loop(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    service.faults = [stream_then(FIRST_WORDS, until_closed)]

    async def read() -> None:
        async with aclosing(llm.generate("?")) as fragments:
            async for _ in fragments:
                pass

    reading = asyncio.create_task(off_loop(read()))
    await service.has_open(1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.wait_for(service.requests[0].closed.wait(), 2)


async def test_a_page_is_transcribed(connect: Connect, name: str) -> None:
    llm, service = await connect(name, vision_model="the-seeing-one")
    assert await llm.transcribe(PageImage("scan.pdf#page=1", PNG)) == "".join(WORDS)
    assert service.requests[0].body["model"] == "the-seeing-one"


async def test_a_fence_around_a_transcription_is_taken_off(connect: Connect, name: str) -> None:
    from dalil.providers.hosting.pictures import unfenced

    assert unfenced("```markdown\n# Title\n\ntext\n```\n") == "# Title\n\ntext"
    assert unfenced("before\n```\ncode\n```") == "before\n```\ncode\n```"


async def test_a_picture_that_is_not_at_hand_is_no_text(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    assert await llm.transcribe(PageImage("scan.pdf#page=1")) == ""
    assert service.requests == []


async def test_a_picture_that_is_none_is_refused(connect: Connect, name: str) -> None:
    llm, service = await connect(name)
    with pytest.raises(LLMGenerationError, match="PNG"):
        await llm.transcribe(PageImage("scan.pdf#page=1", b"BM bitmap"))
    assert service.requests == []
