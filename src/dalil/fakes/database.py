"""What the fake stores share: one state, and sessions that replace it whole or leave it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from dalil.errors import StoreReadOnlyError
from dalil.models import Chunk, Document, EmbeddedSentence, Page, Vector
from dalil.scope import Scope


@dataclass(frozen=True)
class Entry:
    """A saved document and what is kept beside it."""

    document: Document
    pages: dict[int, Page] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    added_at: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True)
class Namespace:
    """Everything of one tenant, by chunk id but for the documents. Values are never changed, only replaced."""

    documents: dict[str, Entry] = field(default_factory=dict)
    chunks: dict[str, Chunk] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)
    sentences: dict[str, tuple[EmbeddedSentence, ...]] = field(default_factory=dict)
    words: dict[str, Counter[str]] = field(default_factory=dict)

    def copy(self) -> Namespace:
        return Namespace(*(dict(part) for part in vars(self).values()))

    def admits(self, scope: Scope, document_id: str) -> bool:
        """Whether the scope's filters let the document through; one that was never saved has no metadata."""
        entry = self.documents.get(document_id)
        return scope.admits(document_id, entry.document.metadata if entry else {})

    def admits_chunk(self, scope: Scope, chunk: Chunk) -> bool:
        """Whether the filters let the chunk's document through; a store on its own has only the chunk to ask."""
        if chunk.document_id in self.documents:
            return self.admits(scope, chunk.document_id)
        return scope.admits(chunk.document_id, chunk.metadata)

    def admitted(self, scope: Scope) -> Iterator[Chunk]:
        return (chunk for chunk in self.chunks.values() if self.admits_chunk(scope, chunk))

    def of_document(self, document_id: str) -> list[str]:
        return [chunk.id for chunk in self.chunks.values() if chunk.document_id == document_id]

    def remove(self, document_id: str) -> None:
        """Remove the document with its chunks, vectors, sentences and words."""
        for chunk_id in self.of_document(document_id):
            for part in (self.chunks, self.vectors, self.sentences, self.words):
                part.pop(chunk_id, None)
        self.documents.pop(document_id, None)


@dataclass
class State:
    """All namespaces, and the width of the vectors once there were any."""

    namespaces: dict[str, Namespace] = field(default_factory=dict)
    dimension: int | None = None

    def copy(self) -> State:
        return replace(self, namespaces={name: held.copy() for name, held in self.namespaces.items()})


class FakeSession:
    """What the three stores are made from. Without a database it is simply a state that they share."""

    def __init__(self, state: State | None = None, *, read_only: bool = False) -> None:
        self.state = State() if state is None else state
        self.read_only = read_only

    def reading(self, scope: Scope) -> Namespace:
        """The scope's namespace; an empty one that is not kept when there is none."""
        return self.state.namespaces.get(scope.namespace) or Namespace()

    def writing(self, scope: Scope) -> Namespace:
        """The scope's namespace, made when it is missing.

        Raises:
            StoreReadOnlyError: if the session was opened to read.
        """
        if self.read_only:
            raise StoreReadOnlyError("This session was opened to read only.", advice="Open it without read_only=True.")
        return self.state.namespaces.setdefault(scope.namespace, Namespace())


class FakeDatabase:
    """The Database port in memory: writers take turns, readers keep the state they began with."""

    def __init__(self) -> None:
        self._state = State()
        self._writing = asyncio.Lock()

    @asynccontextmanager
    async def session(self, scope: Scope, *, read_only: bool = False) -> AsyncIterator[FakeSession]:
        """A session whose writes are kept when the block ends, and forgotten when it raises."""
        del scope  # every store call brings its own
        if read_only:
            yield FakeSession(self._state, read_only=True)
            return
        async with self._writing:
            session = FakeSession(self._state.copy())
            yield session
            self._state = session.state

    async def migrate(self) -> None:
        """Nothing to do."""

    async def dispose(self) -> None:
        """Nothing to close; what was stored stays."""
