"""Benchmark stores: a data set ingested by the real engine, with remembered vectors."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.vectors import CachedEmbedder, cache_folder
from dalil import RagSage, RawSource, Scope
from dalil.providers import embedder_by_name

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


def store_folder(name: str) -> Path:
    """Where a benchmark's store lies."""
    return cache_folder() / "stores" / name


def passage_id(source: str) -> str:
    """The data set's id of a stored document."""
    return source.removesuffix(".txt")
