"""A language model's judgement of a chunk: how it is asked for, read, remembered, and done without."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from dalil.rag.reranking import Reranker, RerankerConfig


class LLM:
    """Replies with what `reply` makes of the prompt, and keeps every call."""

    def __init__(self, reply: Callable[[str], Any]):
        self.reply = reply
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def generate(self, prompt: str, **kwargs: Any) -> Any:
        self.calls.append((prompt, kwargs))
        return self.reply(prompt)


class AsynchronousLLM(LLM):
    async def generate(self, prompt: str, **kwargs: Any) -> Any:
        self.calls.append((prompt, kwargs))
        return self.reply(prompt)


def by_llm(llm: Any, **settings: Any) -> Reranker:
    """A reranker whose scores are the model's alone."""
    weights = {"original_score_weight": 0.0, "llm_score_weight": 1.0, "diversity_weight": 0.0, "length_weight": 0.0}
    return Reranker(RerankerConfig(mode="llm", **weights, **settings), llm)


def chunks(*texts: str) -> list[tuple[Any, float]]:
    return [(SimpleNamespace(text=text), 0.5) for text in texts]


def scores(reranker: Reranker, *texts: str, query: str = "q") -> dict[str, float]:
    return {chunk.text: score for chunk, score in reranker.rerank(query, chunks(*texts))}


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("8", 0.8),
        ("8/10", 0.8),
        ("Score: 7.5.", 0.75),
        ("٨", 0.8),
        ("الدرجة: ٧٫٥", 0.75),
        ("۹ از ۱۰", 0.9),
        ("10", 1.0),
        ("0", 0.0),
        ("95", 1.0),
        ("-3", 0.0),
        ("I would say 6, not 9", 0.6),
        ("no idea", 0.5),
        ("", 0.5),
        (None, 0.5),
        (4, 0.4),
    ],
)
def test_the_first_number_of_the_reply_over_ten_within_bounds(reply: Any, score: float):
    assert scores(by_llm(LLM(lambda prompt: reply)), "a", "b") == {"a": score, "b": score}


def test_the_better_judged_comes_first():
    llm = LLM(lambda prompt: "9" if "useful" in prompt else "1")
    assert list(scores(by_llm(llm), "idle words", "useful words")) == ["useful words", "idle words"]


def test_a_failed_call_gives_one_half_and_a_warning_and_is_tried_again(caplog: pytest.LogCaptureFixture):
    def reply(prompt: str) -> str:
        if len(llm.calls) <= 2:
            raise TimeoutError("slow")
        return "9"

    llm = LLM(reply)
    reranker = by_llm(llm)
    with caplog.at_level(logging.WARNING, logger="dalil.rag"):
        assert scores(reranker, "a", "b") == {"a": 0.5, "b": 0.5}
    assert len(caplog.records) == 2
    assert scores(reranker, "a", "b") == {"a": 0.9, "b": 0.9}


def test_scores_are_remembered_by_query_and_text_until_cleared():
    llm = LLM(lambda prompt: "8")
    reranker = by_llm(llm)
    scores(reranker, "a", "b")
    scores(reranker, "a", "b")
    assert len(llm.calls) == 2
    scores(reranker, "a", "c")
    assert len(llm.calls) == 3
    scores(reranker, "a", "b", query="another")
    assert len(llm.calls) == 5
    reranker.clear_cache()
    scores(reranker, "a", "b")
    assert len(llm.calls) == 7


def test_what_is_remembered_is_bounded():
    llm = LLM(lambda prompt: "8")
    reranker = by_llm(llm, dedup_enabled=False)
    many = [f"text {number}" for number in range(4097)]
    scores(reranker, *many)
    asked = len(llm.calls)
    scores(reranker, many[-1], many[-2])
    assert len(llm.calls) == asked
    scores(reranker, many[-1], *many[:64])
    assert len(llm.calls) > asked


def test_one_text_is_asked_about_once():
    llm = LLM(lambda prompt: "8")
    assert len(by_llm(llm, dedup_enabled=False).rerank("q", chunks("same", "same", "same"))) == 3
    assert len(llm.calls) == 1


def test_the_heuristic_asks_nobody():
    llm = LLM(lambda prompt: "8")
    Reranker(RerankerConfig(mode="heuristic"), llm).rerank("q", chunks("a", "b"))
    assert not llm.calls


def test_six_calls_run_at_once_and_no_more():
    begun, may_end = threading.Semaphore(0), threading.Event()

    def reply(prompt: str) -> str:
        begun.release()
        may_end.wait(timeout=30)
        return "8"

    texts = [f"text{number}" for number in range(12)]
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(scores, by_llm(LLM(reply)), *texts)
        assert all(begun.acquire(timeout=30) for _ in range(6))
        seventh = begun.acquire(timeout=0.2)
        may_end.set()
        assert not seventh
        assert found.result() == dict.fromkeys(texts, 0.8)


def test_the_model_sees_the_first_150_words():
    llm = LLM(lambda prompt: "8")
    scores(by_llm(llm), " ".join(f"w{number}" for number in range(200)), "other")
    prompt = next(prompt for prompt, _ in llm.calls if "w0" in prompt)
    assert "w149" in prompt
    assert "w150" not in prompt


@pytest.mark.parametrize(
    ("language", "has", "lacks"), [("ar", ["السؤال", "10", "الرقم"], "Question"), ("en", ["Question", "10"], "السؤال")]
)
def test_the_prompt_is_in_the_language_set(language: str, has: list[str], lacks: str):
    llm = LLM(lambda prompt: "8")
    scores(by_llm(llm, llm_eval_language=language), "text one", "text two", query="the query")
    for prompt, _ in llm.calls:
        assert all(word in prompt for word in [*has, "the query"])
        assert lacks not in prompt
    assert [("text one" in prompt, "text two" in prompt) for prompt, _ in sorted(llm.calls)] == [
        (True, False),
        (False, True),
    ]


def test_arabic_is_the_default_language():
    llm = LLM(lambda prompt: "8")
    scores(by_llm(llm), "a", "b")
    assert "السؤال" in llm.calls[0][0]


def test_braces_are_shown_as_they_are():
    llm = LLM(lambda prompt: "8")
    assert scores(by_llm(llm), "{text} {0} {", "other", query="{query} }") == {"{text} {0} {": 0.8, "other": 0.8}
    assert any("{query} }" in prompt and "{text} {0} {" in prompt for prompt, _ in llm.calls)


def test_an_asynchronous_model_is_waited_for():
    assert scores(by_llm(AsynchronousLLM(lambda prompt: "8")), "a", "b") == {"a": 0.8, "b": 0.8}


async def test_an_asynchronous_model_is_waited_for_inside_a_running_loop():
    assert scores(by_llm(AsynchronousLLM(lambda prompt: "8")), "a", "b") == {"a": 0.8, "b": 0.8}


def test_an_asynchronous_model_that_fails_gives_one_half():
    def reply(prompt: str) -> str:
        raise ConnectionError("down")

    assert scores(by_llm(AsynchronousLLM(reply)), "a", "b") == {"a": 0.5, "b": 0.5}
