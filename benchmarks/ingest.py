"""How quickly documents go in: the engine's own share over the bare embedder, with an instant one, and unchanged.

python -m benchmarks.ingest [--chunks 2000] [--files 1000] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.data import data_folder, load
from benchmarks.instant import InstantEmbedder
from benchmarks.reporting import show
from benchmarks.stores import SCOPE, store_folder
from dalil import RagSage, RawSource
from dalil.ports import Embedder
from dalil.providers import embedder_by_name
from dalil.text import sentences_of


def sources_of(count: int) -> list[RawSource]:
    """So many abstracts of scifact, a document each (about one chunk a document)."""
    passages = load("scifact").corpus[:count]
    return [RawSource(f"{p['id']}.txt", content=p["text"], metadata={"title": p["title"]}) for p in passages]


async def ingest(folder: Path, sources: Sequence[RawSource], embedder: Embedder) -> tuple[float, int]:
    """Seconds, and the chunks that came of it."""
    shutil.rmtree(folder, ignore_errors=True)
    chunks = 0
    async with RagSage.open(folder, embedder=embedder) as sage:
        await sage.migrate()  # making the store is not what is measured
        started = time.perf_counter()
        async for result in sage.ingest_many(sources, SCOPE):
            chunks += result.chunk_count
        seconds = time.perf_counter() - started
    return seconds, chunks


async def own_share(count: int) -> dict[str, Any]:
    """The fast profile through the engine, against embedding the same texts (chunks and their sentences) bare."""
    from dalil.assembly import ComputeKit
    from dalil.config import IngestionConfig
    from dalil.identity import document_id
    from dalil.models import Document

    sources = sources_of(count)
    embedder = embedder_by_name("fast")
    await embedder.embed(["warm"])
    kit = ComputeKit.local(embedder, _NoModel())
    texts: list[str] = []
    sentences: dict[str, None] = {}
    config = IngestionConfig()
    for source in sources:
        parsed = kit.parser.parse(source)
        document = Document(document_id(source.name), source.name, "", dict(source.metadata))
        for chunk in kit.chunker.chunk(document, parsed.pages, size=config.chunk_size, overlap=config.chunk_overlap):
            texts.append(await kit.contextualizer.contextualize(document, chunk, full_text=""))
            sentences.update(dict.fromkeys(chunk.text[start:end] for start, end in sentences_of(chunk)))
    started = time.perf_counter()
    await embedder.embed(texts)
    await embedder.embed_sentences(list(sentences))  # type: ignore[attr-defined]
    bare = time.perf_counter() - started
    seconds, chunks = await ingest(store_folder("ingest-share"), sources, embedder)
    return {
        "measure": "engine over bare embedder (fast)",
        "chunks": chunks,
        "bare_s": round(bare, 2),
        "engine_s": round(seconds, 2),
        "ratio": round(seconds / bare, 3),
    }


class _NoModel:
    async def generate(self, prompt: str) -> Any:
        yield prompt

    async def transcribe(self, image: Any) -> str:
        return ""


async def instant(count: int) -> dict[str, Any]:
    """Words and chunks a second when embedding costs nothing."""
    sources = sources_of(count)
    words = sum(len(source.read().split()) for source in sources)
    seconds, chunks = await ingest(store_folder("ingest-instant"), sources, InstantEmbedder())
    return {
        "measure": "instant embedder",
        "chunks": chunks,
        "words_per_s": round(words / seconds),
        "chunks_per_s": round(chunks / seconds),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


async def unchanged(count: int) -> dict[str, Any]:
    """The second run over the same files, against the first (fast profile)."""
    sources = sources_of(count)
    folder = store_folder("ingest-unchanged")
    shutil.rmtree(folder, ignore_errors=True)
    times = []
    async with RagSage.open(folder, embedder="fast") as sage:
        for _ in range(2):
            started = time.perf_counter()
            async for _result in sage.ingest_many(sources, SCOPE):
                pass
            times.append(time.perf_counter() - started)
    return {
        "measure": "unchanged again",
        "files": count,
        "first_s": round(times[0], 2),
        "again_s": round(times[1], 3),
        "ratio": round(times[1] / times[0], 4),
    }


async def pdf_pages(limit: int) -> dict[str, Any]:
    """Pages a second of real quarterly reports, parsed and stored with an instant embedder."""
    files = sorted((data_folder() / "sec-10q-pdf" / "pdfs").glob("*.pdf"))[:limit]
    sources = [RawSource(file.name, path=file) for file in files]
    shutil.rmtree(store_folder("ingest-pdf"), ignore_errors=True)
    async with RagSage.open(store_folder("ingest-pdf"), embedder=InstantEmbedder()) as sage:
        started = time.perf_counter()
        async for _ in sage.ingest_many(sources, SCOPE):
            pass
        seconds = time.perf_counter() - started
        pages = sum(record.pages for record in await sage.records(SCOPE))
    return {
        "measure": "PDF, instant embedder",
        "files": len(files),
        "pages": pages,
        "pages_per_s": round(pages / seconds, 1),
    }


async def run(chunks: int, files: int, pdfs: int) -> list[dict[str, Any]]:
    return [await instant(chunks), await own_share(chunks), await unchanged(files), await pdf_pages(pdfs)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.ingest", description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=2000)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--pdfs", type=int, default=14)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.chunks, options.files, options.pdfs))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
