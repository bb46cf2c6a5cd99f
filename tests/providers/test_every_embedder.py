"""What every hosted embedder keeps, whatever its service does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from dalil.errors import EmbeddingAPIError, EmbeddingDimensionError, EmbeddingError, EmbeddingModelNotFoundError
from dalil.ports import Embedder, Identified, QueryEmbedder
from dalil.providers.hosting import RetryPolicy
from dalil.providers.hosting.batching import Limits
from providers.conftest import EMBEDDERS, Connect
from providers.protocols import KEY, Reply, vector_of
from providers.service import Request, Service, hang_up, malformed, refuse, silence

TEXTS = ["one", "قصير", "three", "😀", "five"]
pytestmark = pytest.mark.parametrize("name", EMBEDDERS)


def texts_in(request: Request) -> list[str]:
    return list(request.body.get("input") or request.body["texts"])


def lists(vectors: Sequence[Sequence[float]]) -> list[list[float]]:
    return [list(vector) for vector in vectors]


async def test_one_vector_for_each_text_in_order(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, Identified)
    assert lists(await embedder.embed(TEXTS)) == [vector_of(text) for text in TEXTS]
    assert len(service.requests) == 1
    assert embedder.usage.input_tokens == 3
    assert embedder.usage.requests == 1


async def test_no_texts_cost_no_call(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    assert list(await embedder.embed([])) == []
    assert service.requests == []


async def test_questions_are_told_apart_where_the_model_does(connect: Connect, name: str) -> None:
    embedder, _ = await connect(name)
    if isinstance(embedder, QueryEmbedder):
        assert list(await embedder.embed_query("what?")) == vector_of("query: what?")
    else:
        assert "one-sided" in embedder.identity


async def test_dimensions_are_asked_for_and_part_of_the_identity(connect: Connect, name: str) -> None:
    embedder, _ = await connect(name, dimensions=4)
    assert lists(await embedder.embed(TEXTS)) == [vector_of(text, 4) for text in TEXTS]
    assert " dim=4 " in embedder.identity


async def test_a_service_that_ignores_dimensions_is_noticed(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, dimensions=4)
    answer = service.answer

    def ignoring(request: Request) -> Reply:
        request.body.pop("dimensions", None)
        request.body.pop("output_dimension", None)
        return answer(request)

    service.answer = ignoring
    with pytest.raises(EmbeddingDimensionError):
        await embedder.embed(TEXTS)


async def test_requests_stay_within_the_limits(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, limits=Limits(texts=3, tokens=24, longest_text=50), concurrency=1)
    texts = ["short"] * 7 + ["w" * 60] * 4
    vectors = lists(await embedder.embed(texts))
    assert vectors == [vector_of(text[:50]) for text in texts]
    assert [len(texts_in(request)) for request in service.requests] == [3, 3, 2, 2, 1]


async def test_calls_at_a_time_are_bounded(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, limits=Limits(1, 1000, 1000), concurrency=2)
    await asyncio.gather(*(embedder.embed(TEXTS) for _ in range(4)))
    assert len(service.requests) == 20
    assert service.most_open <= 2


async def test_strange_texts_are_sent_so_that_a_service_can_take_them(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    assert len(await embedder.embed(["", " \n", "a\x00b", "\ud800 lone"])) == 4
    assert all(text.strip() and "\x00" not in text for text in texts_in(service.requests[0]))


@pytest.mark.parametrize(
    "fault",
    [
        refuse(429),
        refuse(429, "retry-after-ms: 20"),
        refuse(429, "retry-after: 0"),
        refuse(429, "date: Tue, 05 May 2026 10:00:00 GMT", "retry-after: Tue, 05 May 2026 10:00:00 GMT"),
        refuse(500),
        refuse(503),
        refuse(529),
        malformed,
        hang_up,
    ],
)
async def test_what_may_pass_is_tried_again(connect: Connect, name: str, fault: Any) -> None:
    embedder, service = await connect(name)
    service.faults = [fault, fault]
    assert lists(await embedder.embed(TEXTS)) == [vector_of(text) for text in TEXTS]
    assert len(service.requests) == 3
    assert embedder.usage.requests == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
async def test_what_cannot_succeed_is_not_tried_again(connect: Connect, name: str, status: int) -> None:
    embedder, service = await connect(name)
    service.faults = [refuse(status, message=f"no, {KEY}")]
    kind = EmbeddingModelNotFoundError if status == 404 else EmbeddingAPIError
    with pytest.raises(kind) as caught:
        await embedder.embed(TEXTS)
    assert len(service.requests) == 1
    assert caught.value.details["status"] == status
    assert KEY not in f"{caught.value!s} {caught.value!r} {caught.value.details}"
    assert caught.value.what_to_do


async def test_a_quota_that_is_spent_is_not_waited_for(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    service.faults = [refuse(429, "x-should-retry: false", code="insufficient_quota")]
    with pytest.raises(EmbeddingAPIError, match="takes no more requests"):
        await embedder.embed(TEXTS)
    assert len(service.requests) == 1


async def test_a_wait_that_is_too_long_is_reported_instead(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    service.faults = [refuse(429, "retry-after: 3600")]
    with pytest.raises(EmbeddingAPIError) as caught:
        await embedder.embed(TEXTS)
    assert caught.value.details["retry_after"] == 3600


async def test_attempts_come_to_an_end(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, retry=RetryPolicy(attempts=3, first_wait=0.001))
    service.fault_of = lambda _: refuse(503)
    with pytest.raises(EmbeddingAPIError, match="HTTP 503"):
        await embedder.embed(TEXTS)
    assert len(service.requests) == 3


async def test_a_service_that_says_nothing_is_asked_twice(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, timeout_seconds=0.15)
    service.faults = [silence, silence]
    with pytest.raises(EmbeddingAPIError, match="took too long"):
        await embedder.embed(TEXTS)
    assert len(service.requests) == 2
    await asyncio.wait_for(service.requests[1].closed.wait(), 2)


async def test_nobody_there(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    await service.stop()
    with pytest.raises(EmbeddingAPIError, match="cannot be reached"):
        await embedder.embed(TEXTS)


def spoiled(name: str, vectors: list[Any]) -> Reply:
    """An answer of the service with these vectors."""
    if name.startswith("cohere"):
        return Reply({"id": "1", "embeddings": {"float": vectors}})
    return Reply({"data": [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]})


@pytest.mark.parametrize(
    ("vectors", "kind"),
    [
        ([[1.0, 2.0]], EmbeddingDimensionError),
        ([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], EmbeddingDimensionError),
        ([[1.0, 2.0], [1.0]], EmbeddingDimensionError),
        ([[], []], EmbeddingDimensionError),
        ([[1.0, float("nan")], [1.0, 2.0]], EmbeddingAPIError),
        ([[1.0, float("inf")], [1.0, 2.0]], EmbeddingAPIError),
        ([[1.0, None], [1.0, 2.0]], EmbeddingAPIError),
    ],
)
async def test_answers_are_checked(connect: Connect, name: str, vectors: list[Any], kind: type[EmbeddingError]) -> None:
    embedder, service = await connect(name)
    service.answer = lambda _: spoiled(name, vectors)
    with pytest.raises(kind):
        await embedder.embed(["one", "two"])
    assert len(service.requests) == 1


async def test_a_width_that_changes_is_noticed(connect: Connect, name: str) -> None:
    embedder, service = await connect(name)
    await embedder.embed(["one"])
    service.answer = lambda _: spoiled(name, [[1.0, 2.0]])
    with pytest.raises(EmbeddingDimensionError):
        await embedder.embed(["two"])


@pytest.mark.parametrize("body", [{}, {"data": None}, {"data": [1]}, {"embeddings": []}, [1], "text"])
async def test_an_answer_of_another_shape_is_an_error(connect: Connect, name: str, body: Any) -> None:
    embedder, service = await connect(name, retry=RetryPolicy(attempts=2, first_wait=0.001))
    service.answer = lambda _: Reply(body)
    with pytest.raises(EmbeddingError):
        await embedder.embed(["one"])


async def test_a_thousand_texts_arrive_once_and_in_order(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, limits=Limits(10, 100_000, 1000), concurrency=4)
    service.fault_of = lambda number: refuse(429) if number % 5 == 0 else None
    texts = [f"text {number}" for number in range(1000)]
    assert lists(await embedder.embed(texts)) == [vector_of(text) for text in texts]
    received = [text for request in service.answered for text in texts_in(request)]
    assert sorted(received) == sorted(texts)
    assert len(service.requests) > len(service.answered) == 100
    assert embedder.usage.requests == 100


async def test_cancelling_closes_the_connections(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, limits=Limits(1, 1000, 1000), concurrency=3)
    service.fault_of = lambda _: silence
    call = asyncio.create_task(embedder.embed(TEXTS))
    await service.has_open(3)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    for request in service.requests:
        await asyncio.wait_for(request.closed.wait(), 2)
    assert len(service.requests) == 3


async def test_when_one_batch_fails_the_others_are_given_up(connect: Connect, name: str) -> None:
    embedder, service = await connect(name, limits=Limits(1, 1000, 1000), concurrency=3)

    def fault_of(number: int) -> Any:
        return refuse(400) if number == 3 else silence

    service.fault_of = fault_of
    with pytest.raises(EmbeddingAPIError):
        await embedder.embed(TEXTS)
    for request in service.requests[:2]:
        await asyncio.wait_for(request.closed.wait(), 2)
    assert len(service.requests) == 3


def test_one_adapter_serves_several_loops(name: str) -> None:
    from providers.conftest import ADAPTERS

    kind, answer, path = ADAPTERS[name]
    services: list[Service] = []

    async def ask(embedder: Any) -> list[list[float]]:
        try:
            return lists(await embedder.embed(TEXTS))
        finally:
            await embedder.aclose()

    async def serve(ready: asyncio.Queue[str]) -> None:
        services.append(Service(answer))
        await services[0].start()
        await ready.put(services[0].address)

    async def main() -> None:
        ready: asyncio.Queue[str] = asyncio.Queue()
        await serve(ready)
        embedder = kind("the-model", api_key=KEY, base_url=await ready.get() + path)
        for _ in range(2):
            found = await asyncio.to_thread(lambda: asyncio.run(ask(embedder)))
            assert found == [vector_of(text) for text in TEXTS]
        assert await ask(embedder) == found
        await services[0].stop()

    asyncio.run(main())
