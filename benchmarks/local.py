"""What the friendly face costs: RAGSystem.local against the engine under it, on the same store.

python -m benchmarks.local [--set xquad-en-ar] [--profile accurate] [--limit N] [--json]

nDCG@10 of both, and the median milliseconds that the face adds to a question (its cache off), measured in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any, TypeVar

from benchmarks.data import load
from benchmarks.reporting import show
from benchmarks.retrieval import SETS, by_document, measure, queries_of
from benchmarks.stores import PROFILES, SCOPE, cached_embedder, ingest_passages, store_folder
from dalil import RAGConfig, RagSage, RAGSystem
from dalil.models import ScoredChunk
from dalil.rag.index import LOOP

DEPTH = 10
_Result = TypeVar("_Result")


def run(name: str, profile: str, limit: int | None = None) -> list[dict[str, Any]]:
    """One row a group of questions."""
    data = load(name)
    folder = store_folder(f"{name}-local-{profile}")

    async def fill() -> None:
        await (await ingest_passages(folder, data.corpus, profile)).dispose()

    asyncio.run(fill())
    config = RAGConfig(top_k=DEPTH, enable_retrieval_cache=False)
    sage = RagSage.open(folder, embedder=cached_embedder(profile))
    rows = []
    with RAGSystem.local(folder, embedder=cached_embedder(profile), namespace=SCOPE.namespace, config=config) as rag:
        for label, queries in queries_of(data).items():
            engine: dict[str, dict[str, float]] = {}
            face: dict[str, dict[str, float]] = {}
            added = []
            for turn, query in enumerate(queries[:limit]):
                text = query["text"]
                _asked(sage, text)  # embedded now, so that neither pays for it
                if turn % 2:
                    found, engine_took = _timed(partial(_asked, sage, text))
                    retrieved, face_took = _timed(partial(rag.retrieve, text))
                else:
                    retrieved, face_took = _timed(partial(rag.retrieve, text))
                    found, engine_took = _timed(partial(_asked, sage, text))
                added.append(face_took - engine_took)
                engine[query["id"]] = by_document(found)
                face[query["id"]] = by_document(ScoredChunk(chunk.chunk, score) for chunk, score in retrieved)
            rows.append(
                {
                    "questions": label,
                    "profile": profile,
                    "engine nDCG@10": measure(data.relevant, engine)["nDCG@10"],
                    "face nDCG@10": measure(data.relevant, face)["nDCG@10"],
                    "same order": round(sum(engine[key] == face[key] for key in engine) / len(engine), 4),
                    "ms added": round(1000 * median(added), 2),
                }
            )
    LOOP.run(sage.dispose())
    return rows


def _asked(sage: RagSage, text: str) -> list[ScoredChunk]:
    return LOOP.run(sage.search(text, SCOPE, k=DEPTH))


def _timed(work: Callable[[], _Result]) -> tuple[_Result, float]:
    started = time.perf_counter()
    return work(), time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.local", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", default="xquad-en-ar", choices=SETS)
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--limit", type=int, help="only the first so many questions of each group")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(run(options.set, options.profile, options.limit), as_json=options.json)


if __name__ == "__main__":
    main()
