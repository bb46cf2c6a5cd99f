"""How exactly retrieved passages cover the gold spans of long texts: recall, precision and IoU in characters.

python -m benchmarks.spans [--profile accurate] [--k 5] [--json]

chunking-eval: 472 questions over five texts. Measures as in Chroma's report "Evaluating Chunking Strategies": over the
union of the k best chunks of the question's text.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from benchmarks.data import load
from benchmarks.reporting import show
from benchmarks.stores import PROFILES, cached_embedder, store_folder
from dalil import IngestionConfig, RagSage, RawSource, Scope
from dalil.models import ScoredChunk

SCOPE = Scope("benchmark")
Find = Callable[[str, Scope], Awaitable[Sequence[ScoredChunk]]]


def characters(spans: Iterable[tuple[int, int]]) -> set[int]:
    """The positions that spans cover."""
    return {position for start, end in spans for position in range(start, end)}


async def ingest_texts(sage: RagSage, corpus: Iterable[Mapping[str, Any]], size: int) -> None:
    """Every text as a document that a filter on `text` finds."""
    config = IngestionConfig(chunk_size=size, chunk_overlap=size // 8)
    sources = [RawSource(f"{text['id']}.txt", content=text["text"], metadata={"text": text["id"]}) for text in corpus]
    async for result in sage.ingest_many(sources, SCOPE, config):
        assert result.error is None


async def measured(queries: Sequence[Mapping[str, Any]], find: Find) -> dict[str, float]:
    """The means over all questions of what `find` gives for a question in the scope of its text."""
    totals = {"recall": 0.0, "precision": 0.0, "iou": 0.0}
    for query in queries:
        found = await find(query["text"], SCOPE.with_filters(text=query["corpus_id"]))
        got = characters((span.start, span.end) for scored in found for span in scored.chunk.spans)
        gold = characters(tuple(span) for span in query["spans"])
        shared = len(got & gold)
        totals["recall"] += shared / len(gold)
        totals["precision"] += shared / len(got) if got else 0.0
        totals["iou"] += shared / len(got | gold)
    return {name: round(total / len(queries), 4) for name, total in totals.items()}


async def run(profile: str, k: int, size: int = 512, limit: int | None = None) -> list[dict[str, Any]]:
    """One row: the means over all questions."""
    data = load("chunking-eval")
    folder = store_folder(f"chunking-eval-{profile}-{size}")
    shutil.rmtree(folder, ignore_errors=True)
    async with RagSage.open(folder, embedder=cached_embedder(profile)) as sage:
        await ingest_texts(sage, data.corpus, size)
        means = await measured(data.queries[:limit], lambda question, scope: sage.search(question, scope, k=k))
        status = await sage.status()
    return [{"profile": profile, "size": size, "k": k, "chunks": status.namespaces[0].chunks, **means}]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.spans", description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.profile, options.k, options.size, options.limit))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
