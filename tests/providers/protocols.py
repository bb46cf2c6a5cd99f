"""The providers' protocols, seen from the server: what a request must look like, and what is answered to it."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

KEY = "sk-secret-0123456789"
WIDTH = 8


@dataclass
class Reply:
    """A JSON object, or the events of a stream."""

    body: Any = None
    events: Sequence[str] | None = None


def vector_of(text: str, width: int = WIDTH) -> list[float]:
    """Numbers that stand for the text, exact in 32 bits."""
    return [byte / 256 for byte in hashlib.sha256(text.encode()).digest()[:width]]


def score_of(query: str, text: str) -> float:
    """A score that is known beforehand: the share of the query's letters that the text has."""
    return len(set(query) & set(text)) / len(set(query))


# --- embeddings --------------------------------------------------------------------------------------------


def openai_embeddings(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert set(body) <= {"model", "input", "encoding_format", "dimensions"}
    assert body["model"] == "the-model"
    assert 0 < len(body["input"]) <= 2048
    assert all(isinstance(text, str) and text for text in body["input"])
    width = body.get("dimensions", WIDTH)
    items = []
    for index, text in enumerate(body["input"]):
        numbers: Any = vector_of(text, width)
        if body["encoding_format"] == "base64":
            numbers = base64.b64encode(struct.pack(f"<{width}f", *numbers)).decode()
        items.append({"object": "embedding", "index": index, "embedding": numbers})
    items.reverse()  # the index counts, not the order
    return Reply({"object": "list", "data": items, "model": "m", "usage": {"prompt_tokens": 3, "total_tokens": 3}})


def voyage_embeddings(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert set(body) <= {"model", "input", "input_type", "truncation", "output_dimension"}
    assert body["model"] == "the-model"
    assert body["input_type"] in ("document", "query")
    assert 0 < len(body["input"]) <= 1000
    prefix = "" if body["input_type"] == "document" else "query: "
    items = [
        {"object": "embedding", "embedding": vector_of(prefix + text, body.get("output_dimension", WIDTH)), "index": at}
        for at, text in enumerate(body["input"])
    ]
    items.reverse()
    return Reply({"object": "list", "data": items, "model": "m", "usage": {"total_tokens": 3}})


def cohere_embeddings(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v2/embed"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert set(body) <= {"model", "texts", "input_type", "embedding_types", "truncate", "output_dimension"}
    assert body["embedding_types"] == ["float"]
    assert body["input_type"] in ("search_document", "search_query")
    assert 0 < len(body["texts"]) <= 96
    prefix = "" if body["input_type"] == "search_document" else "query: "
    vectors = [vector_of(prefix + text, body.get("output_dimension", WIDTH)) for text in body["texts"]]
    return Reply({"id": "1", "embeddings": {"float": vectors}, "meta": {"billed_units": {"input_tokens": 3}}})


# --- reranking ---------------------------------------------------------------------------------------------


def _ranked(query: str, texts: Sequence[str], top: int) -> list[dict[str, Any]]:
    scored = [{"index": index, "relevance_score": score_of(query, text)} for index, text in enumerate(texts)]
    return sorted(scored, key=lambda item: -item["relevance_score"])[:top]


def voyage_rerank(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v1/rerank"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert set(body) == {"model", "query", "documents", "top_k", "truncation"}
    found = _ranked(body["query"], body["documents"], body["top_k"])
    return Reply({"object": "list", "data": found, "model": "m", "usage": {"total_tokens": 3}})


def cohere_rerank(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v2/rerank"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert set(body) == {"model", "query", "documents", "top_n"}
    found = _ranked(body["query"], body["documents"], body["top_n"])
    return Reply({"id": "1", "results": found, "meta": {"billed_units": {"search_units": 1}}})


# --- language models ---------------------------------------------------------------------------------------

WORDS = ("The answer", " is", " أربعون", ".")


def openai_chat(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    (message,) = body["messages"]
    assert message["role"] == "user"
    if not isinstance(message["content"], str):
        text, picture = message["content"]
        assert text["type"] == "text"
        assert picture["image_url"]["url"].startswith("data:image/png;base64,")
        assert body["max_tokens"] == 4096
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    def chunk(delta: dict[str, Any], ended: str | None = None) -> dict[str, Any]:
        return {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": ended}], "usage": None}

    chunks = [
        chunk({"role": "assistant", "content": ""}),
        *(chunk({"content": word}) for word in WORDS),
        chunk({}, "stop"),
        {**base, "choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}},
    ]
    return Reply(events=[*(f"data: {json.dumps(item)}\n\n" for item in chunks), "data: [DONE]\n\n"])


def anthropic_messages(request: Any) -> Reply:
    body = request.body
    assert request.path == "/v1/messages"
    assert KEY in (request.headers.get("x-api-key"), request.headers.get("authorization", "").removeprefix("Bearer "))
    assert request.headers["anthropic-version"]
    assert body["stream"] is True
    assert body["max_tokens"] > 0
    (message,) = body["messages"]
    assert message["role"] == "user"
    if not isinstance(message["content"], str):
        picture, text = message["content"]
        assert picture["source"]["type"] == "base64"
        assert picture["source"]["media_type"] == "image/png"
        assert text["type"] == "text"
    started = {"id": "1", "type": "message", "role": "assistant", "content": [], "model": "m", "stop_reason": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**started, "usage": {"input_tokens": 7, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": w}} for w in WORDS),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return Reply(events=[f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events])
