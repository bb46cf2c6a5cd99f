"""How often the answer holds the gold answer, end to end, with the gate on; and whether every citation stands.

python -m benchmarks.answers [--profile accurate] [--limit N] [--json]

XQuAD, 480 paragraphs of both languages in one store, all questions. An answer has at most two sentences and 80 words.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from typing import Any

from benchmarks.data import load
from benchmarks.reporting import show
from benchmarks.stores import PROFILES, SCOPE, ingest_passages, passage_id, store_folder
from dalil.models import Answer, Outcome
from dalil.sage import RagSage
from dalil.text import normalise

SET = "xquad-en-ar"
_MARKER = re.compile(r"\[(\d+)\]")


def contains(answer: Answer, gold: list[str]) -> bool:
    """Whether one of the gold answers stands in the text, spelling variants and spaces aside."""
    text = " ".join(normalise(_MARKER.sub(" ", answer.text)).split())
    return any(" ".join(normalise(wanted).split()) in text for wanted in gold)


def dead_markers(answer: Answer) -> int:
    """Markers in the text that no citation stands behind."""
    cited = {citation.marker for citation in answer.citations}
    return sum(int(number) not in cited for number in _MARKER.findall(answer.text))


async def false_quotes(sage: RagSage, answer: Answer) -> int:
    """Citations whose quote is not the stored page text at its spans."""
    wrong = 0
    for citation in answer.citations:
        pages = {page.number: page.text for page in await sage.pages(SCOPE, citation.document_id)}
        stored = "\n".join(pages[span.page][span.start : span.end] for span in citation.spans)
        wrong += not citation.verified or not citation.spans or stored != citation.quote
    return wrong


async def run(profile: str, limit: int | None = None) -> list[dict[str, Any]]:
    """One row a language."""
    data = load(SET)
    rows = []
    async with await ingest_passages(store_folder(f"{SET}-{profile}"), data.corpus, profile) as sage:
        for language in ("en", "ar"):
            queries = [query for query in data.queries if query["lang"] == language][:limit]
            counts = dict.fromkeys(
                ("contained", "refused", "cited_gold", "citations", "false_quotes", "dead_markers"), 0
            )
            longest = 0
            for query in queries:
                answer = await sage.query(query["text"], SCOPE)
                counts["contained"] += contains(answer, query["answers"])
                counts["refused"] += answer.outcome is Outcome.NOT_FOUND
                cited = {passage_id(citation.source) for citation in answer.citations}
                counts["cited_gold"] += bool(cited & set(data.relevant[query["id"]]))
                counts["citations"] += len(answer.citations)
                counts["false_quotes"] += await false_quotes(sage, answer)
                counts["dead_markers"] += dead_markers(answer)
                longest = max(longest, len(_MARKER.sub(" ", answer.text).split()))
            shares = {
                f"{name}_share": round(counts[name] / len(queries), 4)
                for name in ("contained", "refused", "cited_gold")
            }
            rows.append(
                {
                    "language": language,
                    "profile": profile,
                    "questions": len(queries),
                    **shares,
                    **counts,
                    "words": longest,
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.answers", description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--limit", type=int, help="only the first so many questions of each language")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.profile, options.limit))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
