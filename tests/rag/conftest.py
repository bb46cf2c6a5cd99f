"""The four components that a RAGSystem is given, small and in memory, and systems built from them."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from dalil.rag.config import RAGConfig
from dalil.rag.system import RAGSystem


@dataclass
class Piece:
    """A chunk."""

    text: str
    doc_id: str
    chunk_id: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


class MemoryVectorDB:
    """Scores a chunk by the share of the query's words that it holds. Remembers its calls."""

    def __init__(self) -> None:
        self.pieces: list[Any] = []
        self.searches: list[tuple[str, int, float]] = []
        self.added: list[list[Any]] = []
        self.cleaned = 0

    def add(self, chunks: list[Any]) -> None:
        self.added.append(list(chunks))
        self.pieces += chunks

    def search(self, query: str, top_k: int, score_threshold: float) -> list[tuple[Any, float]]:
        self.searches.append((query, top_k, score_threshold))
        words = set(query.lower().split())
        scored = [(piece, len(words & set(piece.text.lower().split())) / len(words)) for piece in self.pieces]
        found = [(piece, score) for piece, score in scored if score > 0 and score >= score_threshold]
        return sorted(found, key=lambda pair: -pair[1])[:top_k]

    def remove_by_doc_id(self, doc_id: str) -> int:
        before = len(self.pieces)
        self.pieces = [piece for piece in self.pieces if piece.doc_id != doc_id]
        return before - len(self.pieces)

    def save(self, path: Path) -> None:
        path.write_text(json.dumps([[piece.text, piece.doc_id, piece.chunk_id] for piece in self.pieces]))

    def load(self, path: Path) -> None:
        self.pieces = [Piece(*fields) for fields in json.loads(path.read_text())]

    @property
    def size(self) -> int:
        return len(self.pieces)

    def cleanup(self) -> None:
        self.cleaned += 1


class EchoLLM:
    """Answers the same to every prompt. Remembers its calls."""

    def __init__(self, answer: str = "the answer") -> None:
        self.answer = answer
        self.prompts: list[str] = []
        self.settings: list[dict[str, Any]] = []
        self.cleaned = 0

    def generate(self, prompt: str, **settings: Any) -> str:
        self.prompts.append(prompt)
        self.settings.append(settings)
        return self.answer

    def cleanup(self) -> None:
        self.cleaned += 1


class LineChunker:
    """One chunk for each line that is not blank. Remembers its calls; refuses texts that contain "unchunkable"."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self.cleaned = 0

    def chunk_text(self, text: str, doc_id: str) -> list[Piece]:
        self.calls.append((text, doc_id))
        if "unchunkable" in text:
            raise RuntimeError("too hard to cut")
        lines = [line for line in text.splitlines() if line.strip()]
        return [Piece(line, doc_id, f"{doc_id}:{place}") for place, line in enumerate(lines)]

    def cleanup(self) -> None:
        self.cleaned += 1


class LinesContext:
    """The texts of the chunks, a line each. Remembers its calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[tuple[Any, float]]]] = []
        self.cleaned = 0

    def build(self, query: str, chunks: list[tuple[Any, float]]) -> str:
        self.calls.append((query, list(chunks)))
        return "\n".join(piece.text for piece, _ in chunks)

    def cleanup(self) -> None:
        self.cleaned += 1


class StreamingLLM(EchoLLM):
    """`astream` returns whatever `stream(prompt, **settings)` returns."""

    def __init__(self, stream: Callable[..., Any]) -> None:
        super().__init__()
        self.stream = stream

    def astream(self, prompt: str, **settings: Any) -> Any:
        self.prompts.append(prompt)
        self.settings.append(settings)
        return self.stream(prompt, **settings)


class Broken:
    """A component whose every method raises `error`."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error or ConnectionError("it is down")

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name in ("aadd", "asearch", "generate_async", "astream") or name.startswith("__"):
            raise AttributeError(name)

        def failing(*_: Any, **__: Any) -> Any:
            raise self.error

        return failing


def build_system(**changes: Any) -> RAGSystem:
    """A system of the components above, without query expansion; `changes` go to the constructor.

    Fields of RAGConfig may stand among them.
    """
    settings = {name: changes.pop(name) for name in list(changes) if name in RAGConfig.__dataclass_fields__}
    parts: dict[str, Any] = {
        "vector_db": MemoryVectorDB(),
        "llm": EchoLLM(),
        "chunker": LineChunker(),
        "context_manager": LinesContext(),
        "enable_query_expansion": False,
    }
    if settings:
        changes["config"] = RAGConfig(**settings)
    return RAGSystem(**parts | changes)


@pytest.fixture
def system() -> RAGSystem:
    return build_system()


@pytest.fixture
def filled() -> RAGSystem:
    """Three documents about leave, refunds and the office, in four chunks."""
    system = build_system()
    system.add_texts(
        {
            "leave": "annual leave is thirty days\nsick leave needs a note",
            "refunds": "refunds take ten days",
            "office": "the office opens at nine",
        }
    )
    return system


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads change over as often as Python can, so that what is not locked is soon seen."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


async def pieces_from(stream: AsyncIterator[Any]) -> list[Any]:
    return [piece async for piece in stream]


QUERY_COUNTERS = ("total_queries", "successful_queries", "failed_queries")


def query_counts(system: RAGSystem) -> tuple[int, int, int]:
    """total, successful, failed."""
    return tuple(system.stats[name] for name in QUERY_COUNTERS)  # type: ignore[return-value]
