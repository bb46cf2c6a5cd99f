"""How well passages are found: dense alone, words alone, RRF, and dalil's own fusion, with the same vectors.

python -m benchmarks.retrieval --set xquad-en-ar [--profile accurate] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.data import RetrievalSet, load
from benchmarks.stores import PROFILES, SCOPE, engine_parts, ingest_passages, passage_id, store_folder
from dalil.models import ScoredChunk
from dalil.profiles import load_profile
from dalil.query import reciprocal_rank_fusion
from dalil.sage import RagSage

DEPTH = 100
SETS = ("xquad-en-ar", "arcd", "scifact", "mlqa-ar-dev", "2wikimultihopqa-101")
Ranking = dict[str, float]


def queries_of(data: RetrievalSet) -> dict[str, list[dict[str, Any]]]:
    """The questions that are scored together: by language, and for arcd by split."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for query in data.queries:
        label = f"{data.name} {query.get('split') or query.get('lang', '')}".strip()
        groups.setdefault(label, []).append(query)
    return groups


async def rankings(sage: RagSage, queries: Sequence[dict[str, Any]], profile: str) -> dict[str, dict[str, Ranking]]:
    """For each method, each question's ranking of documents."""
    found: dict[str, dict[str, Ranking]] = {"dense": {}, "words": {}, "rrf": {}, "hybrid": {}}
    async with engine_parts(sage, load_profile(profile).fusion) as (retriever, _):
        for query in queries:
            retrieval = await retriever.retrieve(query["text"], SCOPE, k=DEPTH)
            dense, words = list(retrieval.dense), list(retrieval.lexical)
            found["dense"][query["id"]] = by_document(dense)
            found["words"][query["id"]] = by_document(words)
            found["rrf"][query["id"]] = by_document(reciprocal_rank_fusion(dense, words))
            found["hybrid"][query["id"]] = by_document(candidate.scored for candidate in retrieval.candidates)
    return found


def by_document(scored: Iterable[ScoredChunk]) -> Ranking:
    """Documents by their best chunk. Later ranks get strictly lower scores, so that ties stay in dalil's order."""
    documents = dict.fromkeys(passage_id(item.chunk.source) for item in scored)
    return {document: 1.0 / (1 + rank) for rank, document in enumerate(documents)}


def measure(relevant: dict[str, dict[str, int]], found: dict[str, Ranking]) -> dict[str, float]:
    """nDCG@10, P@1, R@10 and hit rate at 10, by ir-measures."""
    import ir_measures
    from ir_measures import P, R, Success, nDCG

    wanted = {"nDCG@10": nDCG @ 10, "P@1": P @ 1, "R@10": R @ 10, "hit@10": Success @ 10}
    qrels = {query: relevant[query] for query in found}
    scores = ir_measures.calc_aggregate(list(wanted.values()), qrels, found)
    return {name: round(float(scores[measured]), 4) for name, measured in wanted.items()}


async def run(name: str, profile: str, limit: int | None = None) -> list[dict[str, Any]]:
    """One row a group of questions and method."""
    data = load(name)
    sage = await ingest_passages(store_folder(f"{name}-{profile}"), data.corpus, profile)
    rows = []
    async with sage:
        for label, queries in queries_of(data).items():
            found = await rankings(sage, queries[:limit], profile)
            for method, ranking in found.items():
                rows.append(
                    {"questions": label, "profile": profile, "method": method, **measure(data.relevant, ranking)}
                )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.retrieval", description=__doc__.splitlines()[0])
    parser.add_argument("--set", default="xquad-en-ar", choices=SETS)
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--limit", type=int, help="only the first so many questions of each group")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.set, options.profile, options.limit))
    if options.json:
        print(json.dumps(rows))
        return
    for row in rows:
        measures = "  ".join(f"{name} {value:.4f}" for name, value in row.items() if isinstance(value, float))
        print(f"{row['questions']:<24} {row['profile']:<9} {row['method']:<7} {measures}")


if __name__ == "__main__":
    main()
