"""What every hosted reranker keeps, whatever its service does."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dalil.errors import LLMConnectionError, LLMGenerationError, LLMRateLimitError, LLMTimeoutError
from dalil.models import Chunk, ScoredChunk
from dalil.ports import Reranker
from dalil.providers.hosting import RetryPolicy
from dalil.providers.hosting.batching import Limits
from providers.conftest import RERANKERS, Connect
from providers.protocols import KEY, Reply, score_of
from providers.service import hang_up, malformed, refuse, silence

QUERY = "abcdefgh"
TEXTS = ["ab", "abcdefgh", "xyz", "abcd", "قصير"]
pytestmark = pytest.mark.parametrize("name", RERANKERS)


def candidates(texts: list[str]) -> list[ScoredChunk]:
    return [ScoredChunk(Chunk(f"d:{at}", "d", text, 1, at), 0.0) for at, text in enumerate(texts)]


async def test_the_best_come_first_with_the_services_scores(connect: Connect, name: str) -> None:
    reranker, _ = await connect(name)
    assert isinstance(reranker, Reranker)
    found = await reranker.rerank(QUERY, candidates(TEXTS), top_k=3)
    assert [(scored.chunk.text, scored.score) for scored in found] == [("abcdefgh", 1.0), ("abcd", 0.5), ("ab", 0.25)]
    assert reranker.usage.requests == 1
    assert reranker.usage.input_tokens + reranker.usage.search_units > 0


async def test_what_is_read_is_the_passage_in_its_place(connect: Connect, name: str) -> None:
    reranker, service = await connect(name)
    chunk = Chunk("d:0", "d", "text", 1, 0, embed_text="Title\ntext")
    await reranker.rerank(QUERY, [ScoredChunk(chunk, 0.0)], top_k=5)
    assert service.requests[0].body["documents"] == ["Title\ntext"]


@pytest.mark.parametrize(("texts", "top_k"), [([], 3), (TEXTS, 0), (TEXTS, -1)])
async def test_nothing_to_rank_costs_no_call(connect: Connect, name: str, texts: list[str], top_k: int) -> None:
    reranker, service = await connect(name)
    assert list(await reranker.rerank(QUERY, candidates(texts), top_k=top_k)) == []
    assert service.requests == []


async def test_many_candidates_are_ranked_in_parts(connect: Connect, name: str) -> None:
    reranker, service = await connect(name, limits=Limits(7, 10_000, 1000), concurrency=2)
    texts = ["abcdefgh"[: 1 + number % 8] + str(number) for number in range(50)]
    found = await reranker.rerank(QUERY, candidates(texts), top_k=20)
    expected = sorted(range(50), key=lambda at: (-score_of(QUERY, texts[at]), at))[:20]
    assert [scored.chunk.ordinal for scored in found] == expected
    assert len(service.requests) == 8
    assert service.most_open <= 2


@pytest.mark.parametrize(
    "fault", [refuse(429), refuse(429, "retry-after: 0"), refuse(500), refuse(503), malformed, hang_up]
)
async def test_what_may_pass_is_tried_again(connect: Connect, name: str, fault: Any) -> None:
    reranker, service = await connect(name)
    service.faults = [fault, fault]
    assert len(await reranker.rerank(QUERY, candidates(TEXTS), top_k=2)) == 2
    assert len(service.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_what_cannot_succeed_is_not_tried_again(connect: Connect, name: str, status: int) -> None:
    reranker, service = await connect(name)
    service.faults = [refuse(status, message=f"no, {KEY}")]
    with pytest.raises(LLMGenerationError) as caught:
        await reranker.rerank(QUERY, candidates(TEXTS), top_k=2)
    assert len(service.requests) == 1
    assert KEY not in str(caught.value)


async def test_limits_silence_and_absence_are_told_apart(connect: Connect, name: str) -> None:
    reranker, service = await connect(name, timeout_seconds=0.15, retry=RetryPolicy(attempts=2, first_wait=0.001))
    service.faults = [refuse(429), refuse(429), silence, silence]
    with pytest.raises(LLMRateLimitError):
        await reranker.rerank(QUERY, candidates(TEXTS), top_k=2)
    with pytest.raises(LLMTimeoutError):
        await reranker.rerank(QUERY, candidates(TEXTS), top_k=2)
    await service.stop()
    with pytest.raises(LLMConnectionError):
        await reranker.rerank(QUERY, candidates(TEXTS), top_k=2)


@pytest.mark.parametrize(
    "results",
    [
        [],
        [{"index": 0, "relevance_score": 1.0}],
        [{"index": 0, "relevance_score": 1.0}, {"index": 0, "relevance_score": 0.5}],
        [{"index": 0, "relevance_score": 1.0}, {"index": 9, "relevance_score": 0.5}],
        [{"index": 0, "relevance_score": 1.0}, {"index": -1, "relevance_score": 0.5}],
        [{"index": 0, "relevance_score": float("nan")}, {"index": 1, "relevance_score": 0.5}],
        [{"index": 0}, {"index": 1}],
        "text",
        None,
    ],
)
async def test_answers_are_checked(connect: Connect, name: str, results: Any) -> None:
    reranker, service = await connect(name, retry=RetryPolicy(attempts=2, first_wait=0.001))
    service.answer = lambda _: Reply({"data": results, "results": results})
    with pytest.raises(LLMGenerationError, match="cannot be read"):
        await reranker.rerank(QUERY, candidates(TEXTS), top_k=2)


async def test_cancelling_closes_the_connection(connect: Connect, name: str) -> None:
    reranker, service = await connect(name)
    service.faults = [silence]
    call = asyncio.create_task(reranker.rerank(QUERY, candidates(TEXTS), top_k=2))
    await service.has_open(1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(service.requests[0].closed.wait(), 2)
