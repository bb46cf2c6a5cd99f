"""`dalil ask` and `dalil search`."""

from __future__ import annotations

import json
import sys
from typing import Any

from dalil.cli.failures import DONE
from dalil.cli.output import console, print_answer, print_passages
from dalil.cli.places import Place
from dalil.errors import ConfigurationError
from dalil.models import Answer, Citation


async def ask_question(question: str, place: Place, *, as_json: bool, quiet: bool) -> int:
    """Answer one question; finding nothing is no failure."""
    _check(question)
    async with place.open_existing() as sage:
        answer = await sage.query(question, place.scope)
    if as_json:
        print(json.dumps(answer_json(question, answer), ensure_ascii=False))
    else:
        print_answer(console(sys.stdout), answer, with_citations=not quiet)
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
        "start": citation.start,
        "end": citation.end,
        "spans": [list(span) for span in citation.spans],
        "quote": citation.quote,
        "verified": citation.verified,
    }


def _check(question: str) -> None:
    if not question.strip():
        raise ConfigurationError("The question is empty.", advice="Write a question in quotation marks.")
