"""An embedder that remembers its vectors in a file outside the project, so that a benchmark embeds nothing twice."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
from array import array
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from dalil.models import Vector


def cache_folder() -> Path:
    """Where benchmark vectors are kept: `DALIL_BENCH_CACHE`, or a folder in the user's cache."""
    return Path(os.environ.get("DALIL_BENCH_CACHE") or Path.home() / ".cache" / "dalil-benchmarks")


class CachedEmbedder:
    """The same vectors as `inner`, from the cache where they are there. One file serves several processes."""

    def __init__(self, inner: Any):
        self.inner = inner
        self.profile = inner.profile
        self.identity = inner.identity
        cache_folder().mkdir(parents=True, exist_ok=True)
        self._file = cache_folder() / "vectors.sqlite"
        with self._connection() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, data BLOB) WITHOUT ROWID")

    def _connection(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=60, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self._remembered("passage", texts, self.inner.embed)

    async def embed_query(self, text: str) -> Vector:
        if not hasattr(self.inner, "embed_query"):
            return (await self.embed([text]))[0]

        async def one(texts: Sequence[str]) -> Sequence[Vector]:
            return [await self.inner.embed_query(text) for text in texts]

        return (await self._remembered("query", [text], one))[0]

    async def embed_sentences(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await self._remembered("sentence", texts, self.inner.embed_sentences)

    async def _remembered(
        self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]
    ) -> Sequence[Vector]:
        keys = [
            hashlib.sha256(f"{self.identity}\0{kind}\0{text}".encode("utf-8", "replace")).digest() for text in texts
        ]
        found: dict[bytes, Vector] = await asyncio.to_thread(self._read, keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        pending = list(missing.items())
        for start in range(0, len(pending), 64):
            batch = pending[start : start + 64]
            vectors = await embed([text for _, text in batch])
            fresh = {key: vector for (key, _), vector in zip(batch, vectors, strict=True)}
            await asyncio.to_thread(self._write, fresh)
            found.update(fresh)
        return [found[key] for key in keys]

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        found: dict[bytes, Vector] = {}
        connection = self._connection()
        try:
            for key in keys:
                row = connection.execute("SELECT data FROM vector WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    found[key] = array("f", row[0])
        finally:
            connection.close()
        return found

    def _write(self, vectors: dict[bytes, Vector]) -> None:
        connection = self._connection()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR REPLACE INTO vector VALUES (?, ?)",
                [(key, array("f", vector).tobytes()) for key, vector in vectors.items()],
            )
            connection.execute("COMMIT")
        finally:
            connection.close()
