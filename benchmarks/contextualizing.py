"""What it does for search to embed and index a chunk with where it stands.

python -m benchmarks.contextualizing [--set scifact] [--profile fast] [--json]

nDCG@10 and R@10 of the hybrid search with each chunk's text alone, with title and headings (what `RagSage.open` does),
and with headings and neighbours. Documents count by their best chunk. sec-10q-pdf is read from its PDFs, and its gold
names documents only.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchmarks.data import RetrievalSet, data_folder, load, load_questions
from benchmarks.reporting import show
from benchmarks.retrieval import by_document, measure
from benchmarks.stores import PROFILES, SCOPE, cached_embedder, store_folder
from dalil import ComputeKit, IngestionConfig, RagSage, RawSource
from dalil.answering.extractive import ExtractiveAnswerer
from dalil.ingestion.contextualizing import HeadingWindowContextualizer, TitleContextualizer
from dalil.ports import Contextualizer
from dalil.profiles import load_profile
from dalil.sage import StoreKit
from dalil.stores.sqlite import SqliteDatabase

SETS = ("scifact", "2wikimultihopqa-101", "sec-10q-pdf")
CONTEXTS: dict[str, Contextualizer | None] = {
    "text alone": None,
    "title and headings": TitleContextualizer(),
    "headings and neighbours": HeadingWindowContextualizer(),
}


def sources_of(name: str, data: RetrievalSet) -> list[RawSource]:
    """The documents of a set: its passages, or its PDFs."""
    if name == "sec-10q-pdf":
        return [RawSource(f"{file.name}.txt", path=file) for file in sorted((data_folder() / name / "pdfs").iterdir())]
    return [
        RawSource(
            f"{passage['id']}.txt",
            content=passage["text"],
            media_type="text/plain",
            metadata={"title": passage["title"]} if passage.get("title") else {},
        )
        for passage in data.corpus
    ]


async def measured(
    data: RetrievalSet, sources: Sequence[RawSource], context: Contextualizer | None, profile: str
) -> dict[str, float]:
    """The ranking measures with one way of telling chunks where they stand."""
    folder = store_folder(f"context-{data.name}-{profile}")
    shutil.rmtree(folder, ignore_errors=True)
    embedder = cached_embedder(profile)
    kit = ComputeKit.local(embedder, ExtractiveAnswerer())
    sage = RagSage(
        database=SqliteDatabase(folder),
        compute=kit if context is None else replace(kit, contextualizer=context),
        stores=StoreKit.sqlite(),
        ingestion=IngestionConfig(contextualize=context is not None),
        profile=load_profile(profile),
    )
    found = {}
    async with sage:
        async for result in sage.ingest_many(sources, SCOPE):
            if result.error is not None:
                raise result.error
        for query in data.queries:
            found[query["id"]] = by_document(await sage.search(query["text"], SCOPE, k=100))
    return measure(data.relevant, found)


async def run(name: str, profile: str) -> list[dict[str, Any]]:
    """One row a contextualizer."""
    data = load_questions(name) if name == "sec-10q-pdf" else load(name)
    sources = sources_of(name, data)
    return [
        {"set": name, "profile": profile, "context": label, **await measured(data, sources, context, profile)}
        for label, context in CONTEXTS.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.contextualizing", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--set", default="scifact", choices=SETS)
    parser.add_argument("--profile", default="fast", choices=PROFILES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    show(asyncio.run(run(options.set, options.profile)), as_json=options.json)


if __name__ == "__main__":
    main()
