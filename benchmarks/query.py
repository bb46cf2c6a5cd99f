"""How long a search takes without embedding, at 10,000 and 100,000 chunks, and what filters cost.

python -m benchmarks.query [--chunks 10000 100000] [--json]

Passages of real words recombined, 50 chunks a document, vectors around 2,000 centres; half of a store of 100,000 has
`half=1`, 1 % `percent=1`, 0.1 % `mille=1`; one more namespace holds 1,000 chunks. Times are of `Retriever.retrieve`
(both channels, fusion, sentence maximum) with the vectors at hand; recall@10 of the vector search is against a scan of
every vector that the filter admits.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import load
from benchmarks.instant import SENTENCE_WIDTH, WIDTH, ClusteredEmbedder
from benchmarks.reporting import show
from benchmarks.stores import store_folder
from dalil.models import (
    Chunk,
    Document,
    EmbeddedChunk,
    EmbeddedSentence,
    EmbeddedSentences,
    Page,
    Span,
)
from dalil.profiles import load_profile
from dalil.retrieval import Retriever
from dalil.scope import Scope
from dalil.stores.sqlite import (
    SqliteDatabase,
    SqliteDocumentStore,
    SqliteLexicalStore,
    SqliteVectorStore,
)

CHUNKS_PER_DOCUMENT = 50
WORDS_PER_CHUNK = 78
SENTENCES_PER_CHUNK = 4
BIG = Scope("big")
SMALL = Scope("small")
SCOPES = {
    "all": BIG,
    "50 %": Scope("big", {"half": 1}),
    "1 %": Scope("big", {"percent": 1}),
    "0.1 %": Scope("big", {"mille": 1}),
    "namespace of 1,000": SMALL,
}


def words_of_both_languages() -> list[str]:
    """The words of XQuAD's paragraphs, as they come."""
    return [word for passage in load("xquad-en-ar").corpus for word in passage["text"].split()]


def documents(count: int, seed: int) -> Iterator[tuple[Document, list[Chunk]]]:
    """Synthetic documents with so many chunks in all."""
    chooser = random.Random(seed)
    words = words_of_both_languages()
    for number in range(count // CHUNKS_PER_DOCUMENT):
        metadata = {"half": number % 2, "percent": int(number % 100 == 7), "mille": int(number % 1000 == 7)}
        identifier = f"{seed:02x}{number:014x}"
        document = Document(identifier, f"doc{number}", str(number), metadata)
        chunks = []
        for ordinal in range(CHUNKS_PER_DOCUMENT):
            start = chooser.randrange(len(words) - WORDS_PER_CHUNK)
            text = " ".join(chooser.sample(words, WORDS_PER_CHUNK // 2) + words[start : start + WORDS_PER_CHUNK // 2])
            spans = (Span(ordinal + 1, 0, len(text)),)
            source = {"source": document.source}
            chunks.append(Chunk(f"{identifier}:{ordinal}", identifier, text, ordinal + 1, ordinal, "", source, spans))
        yield document, chunks


def centred(random_numbers: np.random.Generator, centres: NDArray[np.float64], count: int) -> NDArray[np.float32]:
    """Unit vectors around random centres."""
    vectors = centres[random_numbers.integers(0, len(centres), count)]
    vectors = vectors + 0.7 * random_numbers.standard_normal(vectors.shape)
    unit: NDArray[np.float32] = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


async def write(
    database: SqliteDatabase, scope: Scope, entries: Sequence[tuple[Document, list[Chunk]]], seed: int
) -> None:
    """Put documents with vectors, sentences and words into the store, in one transaction."""
    random_numbers = np.random.default_rng(seed)
    embedder = ClusteredEmbedder()

    async def work(session: Any) -> None:
        store, vectors, words = SqliteDocumentStore(session), SqliteVectorStore(session), SqliteLexicalStore(session)
        for document, chunks in entries:
            passages = centred(random_numbers, embedder._centres[WIDTH], len(chunks))
            sentences = centred(random_numbers, embedder._centres[SENTENCE_WIDTH], len(chunks) * SENTENCES_PER_CHUNK)
            await store.save(scope, document, chunks)
            await store.save_pages(scope, document.id, [Page(chunk.page, chunk.text) for chunk in chunks])
            await vectors.upsert(scope, [EmbeddedChunk(*pair) for pair in zip(chunks, passages.tolist(), strict=True)])
            await words.index(scope, chunks)
            rows = iter(sentences.tolist())
            await vectors.save_sentences(
                scope,
                [
                    EmbeddedSentences(
                        chunk.id,
                        [
                            EmbeddedSentence(part * 40, part * 40 + 40, next(rows))
                            for part in range(SENTENCES_PER_CHUNK)
                        ],
                    )
                    for chunk in chunks
                ],
            )

    await database.transact(scope, work)


async def build(folder: Path, chunks: int) -> float:
    """Make the store; the seconds that it took."""
    shutil.rmtree(folder, ignore_errors=True)
    database = SqliteDatabase(folder)
    started = time.perf_counter()
    pending = []
    for number, entry in enumerate(documents(chunks, 1)):
        pending.append(entry)
        if len(pending) == 20:
            await write(database, BIG, pending, number)
            pending = []
    if pending:
        await write(database, BIG, pending, 1)
    await write(database, SMALL, list(documents(1000, 2)), 2)
    seconds = time.perf_counter() - started
    await database.dispose()
    return seconds


async def measure(folder: Path, questions: int) -> list[dict[str, Any]]:
    """One row a scope: p50 and p95 in milliseconds, and recall@10 of the vector search."""
    rows = []
    words = words_of_both_languages()
    chooser = random.Random(3)
    asked = [" ".join(chooser.sample(words, 8)) for _ in range(questions)]
    embedder = _Ready(asked)
    database = SqliteDatabase(folder)
    opened = time.perf_counter()
    first = await _retrieve(database, embedder, asked[0], BIG)
    assert first
    rows.append({"scope": "reopen to first result", "ms": round((time.perf_counter() - opened) * 1000, 1)})
    for name, scope in SCOPES.items():
        await _retrieve(database, embedder, asked[0], scope)
        times = []
        for question in asked:
            started = time.perf_counter()
            await _retrieve(database, embedder, question, scope)
            times.append((time.perf_counter() - started) * 1000)
        recall = await _recall(database, embedder, asked[:30], scope)
        rows.append(
            {
                "scope": name,
                "p50_ms": round(float(np.quantile(times, 0.5)), 2),
                "p95_ms": round(float(np.quantile(times, 0.95)), 2),
                "recall@10": round(recall, 4),
            }
        )
    entries = list(documents(CHUNKS_PER_DOCUMENT, 1))
    times = []
    for number in range(10):
        started = time.perf_counter()
        await write(database, BIG, entries, number)
        times.append((time.perf_counter() - started) * 1000)
    rows.append({"scope": "replace a document of 50 chunks", "p50_ms": round(float(np.quantile(times, 0.5)), 1)})
    await database.dispose()
    return rows


class _Ready:
    """Vectors of the questions, made beforehand."""

    identity = ClusteredEmbedder.identity

    def __init__(self, texts: Sequence[str]):
        maker = ClusteredEmbedder()
        self.passages = {text: maker.vector(text, WIDTH).tolist() for text in texts}
        self._sentences = {text: maker.vector(text, SENTENCE_WIDTH).tolist() for text in texts}

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self.passages[text] for text in texts]

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._sentences[text] for text in texts]


async def _retrieve(database: SqliteDatabase, embedder: _Ready, question: str, scope: Scope) -> int:
    async with database.session(scope, read_only=True) as session:
        retriever = Retriever(
            embedder=embedder,
            vector_store=SqliteVectorStore(session),
            lexical_store=SqliteLexicalStore(session),
            fusion=load_profile("accurate").fusion,
        )
        return len((await retriever.retrieve(question, scope, k=20)).candidates)


async def _recall(database: SqliteDatabase, embedder: _Ready, asked: Sequence[str], scope: Scope) -> float:
    async with database.session(scope, read_only=True) as session:
        store = SqliteVectorStore(session)
        namespace = session.namespace(scope)
        assert namespace is not None
        allowed = session.allowed(namespace, scope)
        rows = session.connection.execute(
            "SELECT c.id, c.document, v.data FROM vector v JOIN chunk c ON c.key = v.chunk WHERE v.namespace = ?",
            (namespace,),
        ).fetchall()
        kept = [(key, data) for key, document, data in rows if allowed is None or document in allowed]
        matrix = np.frombuffer(b"".join(data for _, data in kept), np.float32).reshape(len(kept), -1)
        hits = 0.0
        for question in asked:
            vector = embedder.passages[question]
            scores = matrix @ np.asarray(vector, np.float32)
            best = {kept[row][0] for row in np.argsort(-scores)[:10]}
            found = {scored.chunk.id for scored in await store.search(scope, vector, k=10)}
            hits += len(best & found) / min(10, len(kept))
        return hits / len(asked)


async def run(sizes: Sequence[int], questions: int) -> list[dict[str, Any]]:
    rows = []
    for size in sizes:
        folder = store_folder(f"query-{size}")
        seconds = await build(folder, size)
        rows.append({"chunks": size, "scope": "built", "chunks_per_s": round(size / seconds)})
        rows += [{"chunks": size, **row} for row in await measure(folder, questions)]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.query", description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = asyncio.run(run(options.chunks, options.questions))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
