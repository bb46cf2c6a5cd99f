"""The engines under test behind one small hand: add, delete, find; and the data that tests put into them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from dalil.fakes import FakeDatabase, FakeDocumentStore, FakeLexicalStore, FakeVectorStore
from dalil.identity import content_hash, document_id
from dalil.models import Chunk, Document, EmbeddedChunk, Page, ScoredChunk, Span
from dalil.scope import Scope
from dalil.stores.postgres import Database, PostgresDocumentStore, PostgresLexicalStore, PostgresVectorStore
from dalil.stores.sqlite import SqliteDatabase, SqliteDocumentStore, SqliteLexicalStore, SqliteVectorStore
from stores.postgres import server

ENGINES = ("fakes", "sqlite", "postgres")
PERSISTENT = ("sqlite", "postgres")
SCOPE = Scope("tenant")
OTHER = Scope("another tenant")
DIMENSION = 16

_databases: dict[Path, str] = {}  # PostgreSQL's databases by the folder that stands for each
Found = list[tuple[str, int, float]]


@dataclass(frozen=True)
class Stores:
    """The three stores of one session."""

    documents: Any
    vectors: Any
    words: Any

    async def add(
        self, source: str, *texts: str, scope: Scope = SCOPE, vectors: Sequence[Any] | None = None, **metadata: Any
    ) -> Document:
        """One page and one chunk a text, in every store."""
        document = a_document(source, *texts, **metadata)
        chunks = [a_chunk(source, ordinal, text) for ordinal, text in enumerate(texts)]
        await self.documents.save(scope, document, chunks)
        await self.documents.save_pages(scope, document.id, [Page(n, text) for n, text in enumerate(texts, start=1)])
        given = vectors if vectors is not None else [a_vector(text) for text in texts]
        await self.vectors.upsert(scope, [EmbeddedChunk(c, v) for c, v in zip(chunks, given, strict=True)])
        await self.words.index(scope, chunks)
        return document


class Engine:
    """A database with its three kinds of store; each method runs in a session of its own."""

    def __init__(self, name: str, database: Any, kinds: tuple[Callable[[Any], Any], ...]):
        self.name = name
        self.database = database
        self._kinds = kinds

    @asynccontextmanager
    async def session(self, scope: Scope = SCOPE, *, read_only: bool = False) -> AsyncIterator[Stores]:
        async with self.database.session(scope, read_only=read_only) as session:
            yield Stores(*(kind(session) for kind in self._kinds))

    async def add(self, source: str, *texts: str, **options: Any) -> Document:
        async with self.session() as stores:
            return await stores.add(source, *texts, **options)

    async def add_all(self, documents: Mapping[str, Sequence[str]], scope: Scope = SCOPE) -> None:
        async with self.session() as stores:
            for source, texts in documents.items():
                await stores.add(source, *texts, scope=scope)

    async def delete(self, *sources: str, scope: Scope = SCOPE) -> None:
        async with self.session() as stores:
            for source in sources:
                await stores.documents.delete(scope, document_id(source))

    async def by_words(self, query: str, scope: Scope = SCOPE, k: int = 10) -> Found:
        async with self.session(read_only=True) as stores:
            return places(await stores.words.search(scope, query, k=k))

    async def by_vector(self, text: str, scope: Scope = SCOPE, k: int = 10) -> Found:
        async with self.session(read_only=True) as stores:
            return places(await stores.vectors.search(scope, a_vector(text), k=k))

    async def sources(self, scope: Scope = SCOPE) -> list[str]:
        async with self.session(read_only=True) as stores:
            return [document.source for document in await stores.documents.list(scope)]


def new_engine(name: str, folder: Path, **options: Any) -> Engine:
    """The engine in this folder (for PostgreSQL, in the database that stands for it); `options` are its database's."""
    if name == "fakes":
        return Engine(name, FakeDatabase(), (FakeDocumentStore, FakeVectorStore, FakeLexicalStore))
    if name == "postgres":
        if folder not in _databases:
            _databases[folder] = server.new_database(DIMENSION)
        database = Database(server.config(_databases[folder], pool_size=2), **options)
        return Engine(name, database, (PostgresDocumentStore, PostgresVectorStore, PostgresLexicalStore))
    kinds = (SqliteDocumentStore, SqliteVectorStore, SqliteLexicalStore)
    return Engine(name, SqliteDatabase(folder, **options), kinds)


def forget(folder: Path) -> None:
    """Give up the databases that stand for folders in `folder`."""
    gone = [_databases.pop(place) for place in list(_databases) if place.is_relative_to(folder)]
    if gone:
        server.give_back(*gone, dimension=DIMENSION)


def a_document(source: str, *texts: str, **metadata: Any) -> Document:
    data = "\f".join(texts).encode("utf-8", "surrogatepass")
    return Document(document_id(source), source, content_hash(data), metadata)


def a_chunk(source: str, ordinal: int, text: str, *, embed_text: str = "") -> Chunk:
    return Chunk(
        id=f"{document_id(source)}:{ordinal}",
        document_id=document_id(source),
        text=text,
        page=ordinal + 1,
        ordinal=ordinal,
        embed_text=embed_text,
        metadata={"source": source},
        spans=(Span(ordinal + 1, 0, len(text)),),
    )


def a_vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """A direction of its own for every text, always the same."""
    random = Random(text)
    return [random.gauss(0.0, 1.0) for _ in range(dimension)]


def wide(*numbers: float) -> list[float]:
    """A vector of these numbers, as wide as the others."""
    return [*numbers, *[0.0] * (DIMENSION - len(numbers))]


def places(found: Sequence[ScoredChunk]) -> Found:
    """What a search found, as (source, ordinal, score)."""
    return [(scored.chunk.source, scored.chunk.ordinal, scored.score) for scored in found]


def sources_of(found: Found) -> list[str]:
    return [source for source, _, _ in found]


def same_ranking(left: Found, right: Found, within: float = 1e-6) -> bool:
    """The same chunks in the same order with the same scores."""
    return [place[:2] for place in left] == [place[:2] for place in right] and all(
        abs(a[2] - b[2]) <= within for a, b in zip(left, right, strict=True)
    )
