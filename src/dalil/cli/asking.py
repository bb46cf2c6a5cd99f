"""`dalil ask` and `dalil search`."""

from __future__ import annotations

import json
import sys
from typing import Any

from dalil.cli.explaining import Explanation, explanation_json, print_explanation
from dalil.cli.failures import DONE
from dalil.cli.output import console, print_answer, print_passages
from dalil.cli.places import Place, find_document
from dalil.errors import ConfigurationError
from dalil.models import Answer, Citation
from dalil.tracing import InMemoryTracer


async def ask_question(
    question: str, place: Place, *, as_json: bool, quiet: bool, explain: bool = False, expect: str | None = None
) -> int:
    """Answer one question; finding nothing is no failure. `expect` names a document that should have been found."""
    _check(question)
    if explain or expect is not None:
        return await _explain(question, place, expect, as_json=as_json, quiet=quiet)
    async with place.open_existing() as sage:
        answer = await sage.query(question, place.scope)
    if as_json:
        print(json.dumps(answer_json(question, answer), ensure_ascii=False))
    else:
        print_answer(console(sys.stdout), answer, with_citations=not quiet)
    return DONE


async def _explain(question: str, place: Place, expect: str | None, *, as_json: bool, quiet: bool) -> int:
    tracer = InMemoryTracer(record_content=True)
    async with place.open_existing(tracer) as sage:
        expected = None if expect is None else await find_document(sage, place.scope, expect)
        answer = await sage.query(question, place.scope)
        explanation = Explanation(tracer.spans[-1], reranked=sage.compute.reranker is not None)
    if as_json:
        told = {**answer_json(question, answer), "explanation": explanation_json(explanation, expected)}
        print(json.dumps(told, ensure_ascii=False))
    else:
        out = console(sys.stdout)
        print_answer(out, answer, with_citations=not quiet)
        print_explanation(out, explanation, expected)
    return DONE


async def search_passages(question: str, place: Place, *, k: int, words: bool, as_json: bool, quiet: bool) -> int:
    """Show the best passages."""
    _check(question)
    async with place.open_existing() as sage:
        found = await sage.search(question, place.scope, k=k, mode="words" if words else "hybrid")
    if as_json:
        passages = [
            {
                "source": scored.chunk.source,
                "document_id": scored.chunk.document_id,
                "chunk_id": scored.chunk.id,
                "page": scored.chunk.page,
                "score": round(scored.score, 9),
                "text": scored.chunk.text,
            }
            for scored in found
        ]
        print(json.dumps(passages, ensure_ascii=False))
    else:
        print_passages(console(sys.stdout), found, whole=not quiet)
    return DONE


def answer_json(question: str, answer: Answer) -> dict[str, Any]:
    """An answer as the command's JSON."""
    return {
        "question": question,
        "text": answer.text,
        "outcome": str(answer.outcome),
        "citations": [_citation(citation) for citation in answer.citations],
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "marker": citation.marker,
        "source": citation.source,
        "document_id": citation.document_id,
        "chunk_id": citation.chunk_id,
        "page": citation.page,
        "label": citation.label,
        "start": citation.start,
        "end": citation.end,
        "spans": [list(span) for span in citation.spans],
        "quote": citation.quote,
        "verified": citation.verified,
        "boxes": [[box.page, *(round(edge, 5) for edge in box[1:])] for box in citation.boxes],
    }


def _check(question: str) -> None:
    if not question.strip():
        raise ConfigurationError("The question is empty.", advice="Write a question in quotation marks.")
