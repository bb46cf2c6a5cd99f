from __future__ import annotations

from collections.abc import Mapping, Sequence

from dalil.answering.evidence import Evidence, number_evidence
from dalil.models import Chunk, Page, ScoredChunk, Span
from dalil.scope import Scope

SCOPE = Scope("tests")


def chunk_of(text: str, *, document: str = "d0c", ordinal: int = 0, page: int = 1, start: int = 0, **metadata) -> Chunk:
    """A chunk that stands at `start` of one page."""
    return Chunk(
        id=f"{document}:{ordinal}",
        document_id=document,
        text=text,
        page=page,
        ordinal=ordinal,
        metadata={"source": f"{document}.txt", **metadata},
        spans=(Span(page, start, start + len(text)),),
    )


def chunk_over_pages(*texts: str, document: str = "d0c") -> Chunk:
    """A chunk that holds the whole of several pages."""
    spans = tuple(Span(number, 0, len(text)) for number, text in enumerate(texts, start=1))
    return Chunk(f"{document}:0", document, "\n".join(texts), 1, 0, metadata={"source": document}, spans=spans)


def sources(*chunks: Chunk | str, question: str = "question", scores: Sequence[float] = ()) -> tuple[Evidence, ...]:
    """Numbered evidence, best first."""
    made = [
        chunk_of(chunk, document=f"d{number}") if isinstance(chunk, str) else chunk
        for number, chunk in enumerate(chunks)
    ]
    scores = scores or [1.0 - 0.1 * number for number in range(len(made))]
    return number_evidence(question, [ScoredChunk(chunk, score) for chunk, score in zip(made, scores, strict=True)])


class Pages:
    """A PageStore over a dictionary."""

    def __init__(self, texts: Mapping[tuple[str, int], str]) -> None:
        self.texts = texts

    async def save_pages(self, scope: Scope, document_id: str, pages: Sequence[Page]) -> None:
        raise NotImplementedError

    async def page_text(self, scope: Scope, document_id: str, number: int) -> str | None:
        return self.texts.get((document_id, number))

    async def pages(self, scope: Scope, document_id: str) -> Sequence[Page]:
        raise NotImplementedError
