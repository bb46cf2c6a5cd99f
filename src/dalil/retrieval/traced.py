"""What a trace says of a retrieval."""

from __future__ import annotations

from typing import Any

from dalil.models import Chunk
from dalil.retrieval.gate import Verdict
from dalil.retrieval.parents import parent_id_of
from dalil.retrieval.retriever import Retrieval


def retrieval_attributes(retrieval: Retrieval, k: int, verdict: Verdict | None, *, content: bool) -> dict[str, Any]:
    """How many and which chunks each channel found and fusion kept, and what the gate says of them.

    With `content` the question too, and every chunk with its place and text.
    """
    fused = [candidate.chunk.id for candidate in retrieval.candidates]
    told: dict[str, Any] = {
        "k": k,
        "dense": len(retrieval.dense),
        "lexical": len(retrieval.lexical),
        "fused": len(fused),
        "dense_ids": [scored.chunk.id for scored in retrieval.dense],
        "lexical_ids": [scored.chunk.id for scored in retrieval.lexical],
        "fused_ids": fused,
    }
    if verdict is not None:
        told |= {"answerable": verdict.answerable, "confidence": verdict.confidence}
    if content:
        told |= {"query": retrieval.question, "documents": _documents(retrieval)}
    return told


def _documents(retrieval: Retrieval) -> list[dict[str, Any]]:
    """Every chunk once, the fused ones first and with their scores."""
    found = {scored.chunk.id: _document(scored.chunk) for scored in (*retrieval.dense, *retrieval.lexical)}
    fused = {
        candidate.chunk.id: {**_document(candidate.chunk), "score": candidate.score}
        for candidate in retrieval.candidates
    }
    return list((fused | {key: document for key, document in found.items() if key not in fused}).values())


def _document(chunk: Chunk) -> dict[str, Any]:
    parent = parent_id_of(chunk)
    return {
        "id": chunk.id,
        "document_id": chunk.document_id,
        "source": chunk.source,
        "page": chunk.page,
        "content": chunk.text,
        **({"parent_id": parent} if parent else {}),
    }
