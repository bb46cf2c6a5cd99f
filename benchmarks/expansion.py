"""Whether the synonym table helps or hurts: the engine's ranking by the question alone and with its variants merged.

python -m benchmarks.expansion --set arcd [--profile fast] [--limit 100] [--json]

Every variant is searched like a question of its own, and the lists are merged as RAGSystem does: each chunk once, with
its highest score. A group's rows marked `+` count only the questions that got a variant. Times are microseconds a
question, over all questions of the set: new to the table, and asked again.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.data import load
from benchmarks.reporting import show
from benchmarks.retrieval import Ranking, by_document, measure, queries_of
from benchmarks.stores import PROFILES, SCOPE, ingest_passages, store_folder
from dalil.models import Chunk, ScoredChunk
from dalil.rag.expansion import QueryExpander, _build_multi_keyword_variants, _build_synonym_variants
from dalil.rag.merging import merge_retrieval_results
from dalil.sage import RagSage
from dalil.text.synonyms import find_synonyms

SETS = ("arcd", "xquad-en-ar")
DEPTH = 20
BATCH = 500
"""Fewer than the variants that are remembered."""
EXPANDERS = {
    "question alone": QueryExpander(fallback_synonyms=False),
    "first keyword": QueryExpander(),
    "multi keyword": QueryExpander(multi_keyword=True),
}


Found = list[tuple[Chunk, float]]


async def rankings(
    sage: RagSage, queries: Sequence[dict[str, Any]], expander: QueryExpander, searched: dict[str, Found]
) -> dict[str, Ranking]:
    """Each question's ranking of documents by all its phrasings; `searched` remembers what each phrasing found."""
    ranked = {}
    for query in queries:
        phrasings = expander.expand(query["text"])
        for phrasing in phrasings:
            if phrasing not in searched:
                scored = await sage.search(phrasing, SCOPE, k=DEPTH)
                searched[phrasing] = [(item.chunk, item.score) for item in scored]
        merged = merge_retrieval_results([searched[phrasing] for phrasing in phrasings], top_k=DEPTH)
        ranked[query["id"]] = by_document(ScoredChunk(chunk, score) for chunk, score in merged)
    return ranked


async def run(name: str, profile: str, limit: int | None = None) -> list[dict[str, Any]]:
    """One row a group of questions and expander, and one for the times."""
    data = load(name)
    rows: list[dict[str, Any]] = []
    async with await ingest_passages(store_folder(f"{name}-{profile}-expansion"), data.corpus, profile) as sage:
        for label, queries in queries_of(data).items():
            searched: dict[str, Found] = {}
            asked = queries[:limit]
            expanded = [query["id"] for query in asked if len(EXPANDERS["first keyword"].expand(query["text"])) > 1]
            for method, expander in EXPANDERS.items():
                found = await rankings(sage, asked, expander, searched)
                groups = {label: found, f"{label} +": {identifier: found[identifier] for identifier in expanded}}
                rows += [
                    {"questions": group, "count": len(part), "profile": profile, "method": method}
                    | measure(data.relevant, part)
                    for group, part in groups.items()
                    if part
                ]
    return [*rows, {"questions": name} | times([query["text"] for query in data.queries])]


def times(questions: Sequence[str]) -> dict[str, float]:
    """Microseconds a question by table: of the first keyword and of all, each new and repeated."""
    find_synonyms(questions[0])  # reads the table
    taken = {}
    for method in ("first keyword", "multi keyword"):
        _build_synonym_variants.cache_clear()
        _build_multi_keyword_variants.cache_clear()
        for again in ("new", "repeated"):
            seconds = 0.0
            for start in range(0, len(questions), BATCH):
                batch = questions[start : start + BATCH]
                if again == "repeated":
                    expand_all(EXPANDERS[method], batch)
                seconds += expand_all(EXPANDERS[method], batch)
            taken[f"{method}, {again}"] = round(seconds / len(questions) * 1e6, 1)
    return taken


def expand_all(expander: QueryExpander, questions: Sequence[str]) -> float:
    """The seconds that expanding all of them takes."""
    started = time.perf_counter()
    for question in questions:
        expander.expand(question)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.expansion", description=__doc__.splitlines()[0])
    parser.add_argument("--set", default="arcd", choices=SETS)
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--limit", type=int, help="only the first so many questions of each group")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(asyncio.run(run(options.set, options.profile, options.limit)), as_json=options.json)


if __name__ == "__main__":
    main()
