"""How often the engine declines what its documents do not hold, and what they do hold.

python -m benchmarks.refusal [--profile accurate] [--limit N] [--json]

XQuAD with the held-out articles off the index (their questions have no answer), and clapnq-dev (half of its questions
have none in the whole pool).
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from typing import Any

from benchmarks.data import data_folder, load
from benchmarks.reporting import show
from benchmarks.stores import PROFILES, SCOPE, ingest_passages, store_folder
from dalil.models import Outcome
from dalil.sage import RagSage


async def refused(sage: RagSage, queries: Sequence[dict[str, Any]]) -> float:
    """The share of these questions that end as not found."""
    declined = 0
    for query in queries:
        answer = await sage.query(query["text"], SCOPE)
        declined += answer.outcome is Outcome.NOT_FOUND
    return round(declined / len(queries), 4)


async def xquad(profile: str, limit: int | None) -> list[dict[str, Any]]:
    """Off-topic questions: their whole article is missing, in both languages."""
    data = load("xquad-en-ar")
    held = json.loads((data_folder() / "xquad-en-ar" / "heldout.json").read_text("utf-8"))
    missing, unanswerable = set(held["heldout_corpus_ids"]), set(held["unanswerable_query_ids"])
    passages = [passage for passage in data.corpus if passage["id"] not in missing]
    rows = []
    async with await ingest_passages(store_folder(f"xquad-heldout-{profile}"), passages, profile) as sage:
        for language in ("en", "ar"):
            asked = [query for query in data.queries if query["lang"] == language]
            without = [query for query in asked if query["id"] in unanswerable][:limit]
            having = [query for query in asked if query["id"] not in unanswerable][:limit]
            rows.append(await _row(sage, f"xquad {language}", profile, without, having))
    return rows


async def clapnq(profile: str, limit: int | None) -> list[dict[str, Any]]:
    """Near-topic questions: a passage about the matter is there, the answer is not."""
    data = load("clapnq-dev")
    lines = (data_folder() / "clapnq-dev" / "queries.jsonl").read_text("utf-8").splitlines()
    queries = [json.loads(line) for line in lines]
    async with await ingest_passages(store_folder(f"clapnq-{profile}"), data.corpus, profile) as sage:
        without = [query for query in queries if not query["answerable"]][:limit]
        having = [query for query in queries if query["answerable"]][:limit]
        return [await _row(sage, "clapnq-dev", profile, without, having)]


async def _row(
    sage: RagSage, name: str, profile: str, without: Sequence[dict[str, Any]], having: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "questions": name,
        "profile": profile,
        "unanswerable": len(without),
        "refused": await refused(sage, without),
        "answerable": len(having),
        "false_refusals": await refused(sage, having),
    }


async def run(profile: str, limit: int | None = None) -> list[dict[str, Any]]:
    return [*await xquad(profile, limit), *await clapnq(profile, limit)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.refusal", description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--limit", type=int, help="only the first so many questions of each kind")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.profile, options.limit))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
