"""Documents, their pages and their chunks."""

from __future__ import annotations

import builtins
import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dalil.models import Chunk, Document, DocumentRecord, Page
from dalil.scope import Scope
from dalil.stores.pages import packed_geometry, page_details, stored_page
from dalil.stores.sqlite import lexical, vectors
from dalil.stores.sqlite.connections import is_encodable
from dalil.stores.sqlite.filters import field_rows
from dalil.stores.sqlite.rows import chunk_columns, now, to_json
from dalil.stores.sqlite.session import SqliteSession

_DOCUMENT = "d.id, d.source, d.content_hash, d.metadata"
_PAGE = "number, text, details, geometry"


class SqliteDocumentStore:
    """The DocumentStore port over one session, with pages, records and purging."""

    def __init__(self, session: SqliteSession):
        self._session = session

    async def save(self, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None:
        """Put `document` with `chunks` in the place of whatever stood under its id: pages, vectors and words go."""
        self._session.check_writable()
        await self._session.run(lambda connection: self._save(connection, scope, document, chunks))

    async def find_by_hash(self, scope: Scope, content_hash: str) -> Document | None:
        """A document of the scope with these bytes, the first by source name."""
        found = await self._documents(scope, "d.content_hash = ?", content_hash)
        return found[0] if found else None

    async def get(self, scope: Scope, document_id: str) -> Document | None:
        """The document, if the scope holds it."""
        found = await self._documents(scope, "d.id = ?", document_id)
        return found[0] if found else None

    async def list(self, scope: Scope) -> Sequence[Document]:
        """The scope's documents by source name."""
        return await self._documents(scope, "?", True)

    async def delete(self, scope: Scope, document_id: str) -> None:
        """Remove the document with everything that belongs to it, if the scope holds it."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            namespace, key = self._find(connection, scope, document_id)
            if key is not None:
                _remove(self._session, namespace, key)

        await self._session.run(work)

    async def purge(self, scope: Scope) -> None:
        """Remove everything of the scope's namespace."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            namespace = self._session.namespace(scope)
            if namespace is None:
                return
            for (key,) in connection.execute("SELECT key FROM document WHERE namespace = ?", (namespace,)).fetchall():
                _remove(self._session, namespace, key)
            self._session.forget_namespace(scope)
            connection.execute("DELETE FROM term WHERE namespace = ?", (namespace,))
            connection.execute("DELETE FROM namespace WHERE key = ?", (namespace,))

        await self._session.run(work)

    # --- pages -------------------------------------------------------------------------------------------

    async def save_pages(self, scope: Scope, document_id: str, pages: Sequence[Page]) -> None:
        """Put these pages in the place of the document's own; the document must have been saved."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            _, key = self._find(connection, scope, document_id)
            if key is None:
                return
            connection.execute("DELETE FROM page WHERE document = ?", (key,))
            connection.executemany(
                "INSERT INTO page (document, number, text, details, geometry) VALUES (?, ?, ?, ?, ?)",
                ((key, page.number, page.text, page_details(page), packed_geometry(page)) for page in pages),
            )

        await self._session.run(work)

    async def page_text(self, scope: Scope, document_id: str, number: int) -> str | None:
        """The stored text of one page; None when there is no such page in the scope."""

        def work(connection: sqlite3.Connection) -> str | None:
            _, key = self._find(connection, scope, document_id)
            row = connection.execute(
                "SELECT text FROM page WHERE document = ? AND number = ?", (key, number)
            ).fetchone()
            return row[0] if row else None

        return await self._session.run(work)

    async def pages(self, scope: Scope, document_id: str) -> Sequence[Page]:
        """Every page of the document in order; empty when the scope does not hold it."""

        def work(connection: sqlite3.Connection) -> Sequence[Page]:
            _, key = self._find(connection, scope, document_id)
            query = f"SELECT {_PAGE} FROM page WHERE document = ? ORDER BY number"
            return [stored_page(*row) for row in connection.execute(query, (key,))]

        return await self._session.run(work)

    async def page(self, scope: Scope, document_id: str, number: int) -> Page | None:
        """One page with all that is kept of it; None when there is no such page in the scope."""

        def work(connection: sqlite3.Connection) -> Page | None:
            _, key = self._find(connection, scope, document_id)
            query = f"SELECT {_PAGE} FROM page WHERE document = ? AND number = ?"
            row = connection.execute(query, (key, number)).fetchone()
            return stored_page(*row) if row else None

        return await self._session.run(work)

    # --- records -----------------------------------------------------------------------------------------

    async def save_warnings(self, scope: Scope, document_id: str, warnings: Sequence[str]) -> None:
        """Keep what the reader warned of beside the document."""
        self._session.check_writable()

        def work(connection: sqlite3.Connection) -> None:
            _, key = self._find(connection, scope, document_id)
            connection.execute("UPDATE document SET warnings = ? WHERE key = ?", (to_json([*warnings]), key))

        await self._session.run(work)

    async def record(self, scope: Scope, document_id: str) -> DocumentRecord | None:
        """The document with its size, time of adding and warnings."""
        found = await self._session.run(lambda connection: self._records(connection, scope, "d.id = ?", document_id))
        return found[0] if found else None

    async def records(self, scope: Scope) -> Sequence[DocumentRecord]:
        """The records of the scope's documents by source name."""
        return await self._session.run(lambda connection: self._records(connection, scope, "?", True))

    # --- the statements ----------------------------------------------------------------------------------

    def _save(self, connection: sqlite3.Connection, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None:
        namespace = self._session.ensure_namespace(scope)
        row = connection.execute(
            "SELECT key FROM document WHERE namespace = ? AND id = ?", (namespace, document.id)
        ).fetchone()
        if row is not None:
            _remove(self._session, namespace, row[0])
        key = connection.execute(
            "INSERT INTO document (namespace, id, source, content_hash, metadata, added_at, saved) "
            "VALUES (?, ?, ?, ?, ?, ?, 1)",
            (
                namespace,
                document.id,
                document.source,
                document.content_hash,
                to_json(dict(document.metadata)),
                now(),
            ),
        ).lastrowid
        assert key is not None
        connection.executemany(
            "INSERT INTO field (namespace, name, value, document) VALUES (?, ?, ?, ?)",
            field_rows(namespace, key, document.metadata),
        )
        for chunk in chunks:
            row_key = connection.execute(
                "INSERT INTO chunk (ordinal, page, text, embed_text, whole, metadata, spans, namespace, document, id)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*chunk_columns(chunk), namespace, key, chunk.id),
            ).lastrowid
            assert row_key is not None
            self._session.remember_saved(namespace, chunk, row_key)

    def _find(self, connection: sqlite3.Connection, scope: Scope, document_id: str) -> tuple[int, int | None]:
        namespace = self._session.namespace(scope)
        if namespace is None or not is_encodable(document_id):
            return 0, None
        row = connection.execute(
            "SELECT key FROM document WHERE namespace = ? AND id = ?", (namespace, document_id)
        ).fetchone()
        if row is None:
            return namespace, None
        allowed = self._session.allowed(namespace, scope)
        return namespace, row[0] if allowed is None or row[0] in allowed else None

    async def _documents(self, scope: Scope, condition: str, value: Any) -> builtins.list[Document]:
        records = await self._session.run(lambda connection: self._rows(connection, scope, condition, value))
        return [_document(row) for _, row in records]

    def _rows(
        self, connection: sqlite3.Connection, scope: Scope, condition: str, value: Any, columns: str = ""
    ) -> builtins.list[tuple[int, tuple[Any, ...]]]:
        namespace = self._session.namespace(scope)
        if namespace is None or (isinstance(value, str) and not is_encodable(value)):
            return []
        allowed = self._session.allowed(namespace, scope)
        query = (
            f"SELECT d.key, {_DOCUMENT}{columns} FROM document AS d "
            f"WHERE d.namespace = ? AND d.saved AND {condition} ORDER BY d.source"
        )
        rows = connection.execute(query, (namespace, value)).fetchall()
        return [(row[0], row[1:]) for row in rows if allowed is None or row[0] in allowed]

    def _records(
        self, connection: sqlite3.Connection, scope: Scope, condition: str, value: Any
    ) -> builtins.list[DocumentRecord]:
        columns = (
            ", d.added_at, d.warnings, (SELECT count(*) FROM page WHERE document = d.key), "
            "(SELECT count(*) FROM chunk WHERE document = d.key)"
        )
        return [
            DocumentRecord(
                _document(row[:4]), row[6], row[7], datetime.fromisoformat(row[4]), tuple(json.loads(row[5]))
            )
            for _, row in self._rows(connection, scope, condition, value, columns)
        ]


def _document(row: tuple[Any, ...]) -> Document:
    return Document(row[0], row[1], row[2], json.loads(row[3]))


def _remove(session: SqliteSession, namespace: int, document: int) -> None:
    session.forget_saved()
    vectors.remove(session.connection, document)
    lexical.remove(session, namespace, document)
    session.connection.execute("DELETE FROM document WHERE key = ?", (document,))
