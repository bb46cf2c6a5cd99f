"""Benchmark stores: a data set ingested by the real engine, with remembered vectors."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from benchmarks.vectors import CachedEmbedder, cache_folder
from dalil import RagSage, RawSource, Scope
from dalil.ports import LexicalStore
from dalil.providers import embedder_by_name
from dalil.retrieval import Retriever, WeightedFusion
from dalil.sage import StoreKit

SCOPE = Scope("benchmark")
PROFILES = ("accurate", "fast")


def cached_embedder(profile: str) -> CachedEmbedder:
    """The embedder of a profile, with its vectors kept between runs."""
    return CachedEmbedder(embedder_by_name(profile))


async def ingest_passages(folder: Path, passages: Iterable[dict[str, Any]], profile: str) -> RagSage:
    """A fresh store in which every passage is a document, named by its id, with its title as metadata."""
    shutil.rmtree(folder, ignore_errors=True)
    sage = RagSage.open(folder, embedder=cached_embedder(profile))
    sources = [
        RawSource(
            f"{passage['id']}.txt",
            content=passage["text"],
            media_type="text/plain",
            metadata={"title": passage["title"]} if passage.get("title") else {},
        )
        for passage in passages
    ]
    done = 0
    async for result in sage.ingest_many(sources, SCOPE):
        if result.error is not None:
            sys.exit(f"{result.source}: {result.error}")
        done += 1
        if sys.stderr.isatty() and done % 50 == 0:
            print(f"\r{done}/{len(sources)}", end="", file=sys.stderr)
    return sage


@asynccontextmanager
async def engine_parts(sage: RagSage, fusion: WeightedFusion) -> AsyncIterator[tuple[Retriever, LexicalStore]]:
    """The retriever of an engine over one read-only session, with these fusion weights, and its word store."""
    await sage.migrate()
    stores = StoreKit.sqlite()
    async with sage.database.session(SCOPE, read_only=True) as session:
        words = stores.lexical_store(session)
        retriever = Retriever(
            embedder=sage.embedder, vector_store=stores.vector_store(session), lexical_store=words, fusion=fusion
        )
        yield retriever, words


def store_folder(name: str) -> Path:
    """Where a benchmark's store lies."""
    return cache_folder() / "stores" / name


def passage_id(source: str) -> str:
    """The data set's id of a stored document."""
    return source.removesuffix(".txt")
