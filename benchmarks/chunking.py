"""Which way of cutting finds what: every chunker at several sizes, and parents in the place of what was found.

python -m benchmarks.chunking [--set chunking-eval] [--profile fast] [--k 5] [--sizes 128 256] [--json]

chunking-eval: recall, precision and IoU of the gold spans, as in benchmarks.spans. A row "parent_child, parents" reads
the parents of the k best children, four times their size.
2wikimultihopqa-101: the share of the gold passages, and of the questions with all of them, among the first 8 passages.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.data import RetrievalSet, load
from benchmarks.reporting import show
from benchmarks.spans import SCOPE, ingest_texts, measured
from benchmarks.stores import PROFILES, cached_embedder, passage_id, store_folder
from benchmarks.vectors import CachedEmbedder
from dalil import IngestionConfig, RagSage, RawSource, Scope
from dalil.answering.extractive import ExtractiveAnswerer
from dalil.assembly import ComputeKit, StoreKit
from dalil.chunking import CHUNKERS, chunker_by_name
from dalil.models import ScoredChunk, Vector
from dalil.offloop import wait_off_loop
from dalil.retrieval.parents import parents_of
from dalil.stores.sqlite import SqliteDatabase, SqliteDocumentStore

FIRST = 8
"""How many passages are looked at for a question that takes several."""


def opened(chunker: str, name: str, profile: str) -> RagSage:
    """An engine with this chunker over a fresh store."""
    folder = store_folder(f"chunking-{name}-{chunker}-{profile}")
    shutil.rmtree(folder, ignore_errors=True)
    embedder = cached_embedder(profile)
    compute = ComputeKit.local(embedder, ExtractiveAnswerer())
    compute = replace(compute, chunker=chunker_by_name(chunker, embed=blocking(embedder)))
    return RagSage(database=SqliteDatabase(folder), compute=compute, stores=StoreKit.sqlite())


def blocking(embedder: CachedEmbedder) -> Callable[[Sequence[str]], Sequence[Vector]]:
    """The embedder's sentence space for a caller that waits."""
    return lambda texts: wait_off_loop(embedder.embed_sentences(texts))


async def read_parents(sage: RagSage, scope: Scope, found: Sequence[ScoredChunk]) -> Sequence[ScoredChunk]:
    """What an answer from `found` rests on."""
    async with sage.database.session(scope, read_only=True) as session:
        return await parents_of(scope, found, SqliteDocumentStore(session))


async def spans(data: RetrievalSet, chunker: str, profile: str, k: int, size: int) -> list[dict[str, Any]]:
    """One row, and one more for parents."""
    async with opened(chunker, data.name, profile) as sage:
        await ingest_texts(sage, data.corpus, size)

        async def children(question: str, scope: Scope) -> Sequence[ScoredChunk]:
            return await sage.search(question, scope, k=k)

        async def parents(question: str, scope: Scope) -> Sequence[ScoredChunk]:
            return await read_parents(sage, scope, await children(question, scope))

        ways = {chunker: children}
        if chunker == "parent_child":
            ways = {"parent_child, children": children, "parent_child, parents": parents}
        chunks = (await sage.status()).namespaces[0].chunks
        common = {"profile": profile, "size": size, "k": k, "chunks": chunks}
        return [{"chunker": way, **common, **await measured(data.queries, find)} for way, find in ways.items()]


async def passages(data: RetrievalSet, chunker: str, profile: str, size: int) -> list[dict[str, Any]]:
    """One row: a passage is a document, and stands where its best chunk does."""
    recall = complete = 0.0
    async with opened(chunker, data.name, profile) as sage:
        sources = [
            RawSource(f"{passage['id']}.txt", content=passage["text"], metadata={"title": passage["title"]})
            for passage in data.corpus
        ]
        async for result in sage.ingest_many(sources, SCOPE, IngestionConfig(chunk_size=size, chunk_overlap=size // 8)):
            assert result.error is None
        for query in data.queries:
            found = await sage.search(query["text"], SCOPE, k=10 * FIRST)
            first = list(dict.fromkeys(passage_id(scored.chunk.source) for scored in found))[:FIRST]
            gold = data.relevant[query["id"]]
            share = sum(passage in first for passage in gold) / len(gold)
            recall += share
            complete += share == 1.0
        chunks = (await sage.status()).namespaces[0].chunks
    count = len(data.queries)
    row = {"chunker": chunker, "profile": profile, "size": size, "chunks": chunks}
    return [{**row, f"recall@{FIRST}": round(recall / count, 4), f"all@{FIRST}": round(complete / count, 4)}]


async def run(name: str, profile: str, k: int, sizes: Sequence[int], chunkers: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of every chunker at every size."""
    data = load(name)
    rows = []
    for chunker in chunkers:
        for size in sizes:
            if name == "chunking-eval":
                rows += await spans(data, chunker, profile, k, size)
            else:
                rows += await passages(data, chunker, profile, size)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.chunking", description=__doc__.splitlines()[0])
    parser.add_argument("--set", default="chunking-eval", choices=("chunking-eval", "2wikimultihopqa-101"))
    parser.add_argument("--profile", default="fast", choices=PROFILES)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[128, 256])
    parser.add_argument("--chunkers", nargs="+", default=list(CHUNKERS), choices=list(CHUNKERS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.set, options.profile, options.k, options.sizes, options.chunkers))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
