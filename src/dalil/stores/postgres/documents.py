"""Documents, their pages and their chunks."""

from __future__ import annotations

import asyncio
import builtins
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from dalil.models import Chunk, Document, DocumentRecord, Page
from dalil.scope import Scope
from dalil.stores.pages import packed_geometry, page_details, stored_page
from dalil.stores.postgres.chunks import insert_rows, row_of
from dalil.stores.postgres.encoding import is_encodable, restored, stored, to_json
from dalil.stores.postgres.filters import allowed_documents, fields_of
from dalil.stores.postgres.removing import COUNT, purge, remove_document
from dalil.stores.postgres.sessions import reading, writing

_DOCUMENT = "d.id, d.source, d.content_hash, d.metadata"
_PAGE = "number, text, details, geometry"


class PostgresDocumentStore:
    """The DocumentStore port over one session, with pages, records and purging."""

    def __init__(self, session: AsyncSession):
        self._session = session

    async def save(self, scope: Scope, document: Document, chunks: Sequence[Chunk]) -> None:
        """Put `document` with `chunks` in the place of whatever stood under its id: pages, vectors and words go."""
        async with writing(self._session, scope) as (driver, _):
            namespace, identifier = stored(scope.namespace), stored(document.id)
            rows = await asyncio.to_thread(lambda: [row_of(chunk)._replace(document=identifier) for chunk in chunks])
            await remove_document(driver, namespace, identifier)
            await driver.execute(
                "WITH document AS (INSERT INTO dalil_documents (namespace, id, source, content_hash, metadata) "
                "VALUES ($1, $5, $6, $7, $8)), "
                "fields AS (INSERT INTO dalil_fields (namespace, field, document) "
                f"SELECT $1, field, $5 FROM unnest($9::bytea[]) AS field) {COUNT}",
                namespace,
                *(0, 0, 0),
                identifier,
                stored(document.source),
                stored(document.content_hash),
                to_json(dict(document.metadata)),
                fields_of(document.metadata),
            )
            await insert_rows(driver, namespace, rows)

    async def find_by_hash(self, scope: Scope, content_hash: str) -> Document | None:
        """A document of the scope with these bytes, the first by source name."""
        found = await self._documents(scope, "d.content_hash = $2", content_hash)
        return found[0] if found else None

    async def get(self, scope: Scope, document_id: str) -> Document | None:
        """The document, if the scope holds it."""
        found = await self._documents(scope, "d.id = $2", document_id)
        return found[0] if found else None

    async def list(self, scope: Scope) -> Sequence[Document]:
        """The scope's documents by source name."""
        return await self._documents(scope)

    async def delete(self, scope: Scope, document_id: str) -> None:
        """Remove the document with everything that belongs to it, if the scope holds it."""
        async with writing(self._session, scope) as (driver, namespace):
            if await _admits(driver, namespace, scope, document_id):
                await remove_document(driver, namespace, stored(document_id))

    async def purge(self, scope: Scope) -> None:
        """Remove everything of the scope's namespace."""
        async with writing(self._session, scope) as (driver, namespace):
            await purge(driver, namespace)

    # --- pages -------------------------------------------------------------------------------------------

    async def save_pages(self, scope: Scope, document_id: str, pages: Sequence[Page]) -> None:
        """Put these pages in the place of the document's own; the document must have been saved."""
        async with writing(self._session, scope) as (driver, namespace):
            if not await _admits(driver, namespace, scope, document_id):
                return
            await driver.execute(
                "WITH held AS (SELECT 1 FROM dalil_documents WHERE namespace = $1 AND id = $2), "
                "others AS (DELETE FROM dalil_pages WHERE namespace = $1 AND document = $2 AND number <> ALL ($3)) "
                "INSERT INTO dalil_pages (namespace, document, number, text, details, geometry) "
                "SELECT $1, $2, given.* FROM held, unnest($3::bigint[], $4::text[], $5::text[], $6::bytea[]) AS given "
                "ON CONFLICT (namespace, document, number) DO UPDATE "
                "SET text = excluded.text, details = excluded.details, geometry = excluded.geometry",
                namespace,
                stored(document_id),
                [page.number for page in pages],
                [stored(page.text) for page in pages],
                [page_details(page) for page in pages],
                [packed_geometry(page) for page in pages],
            )

    async def page_text(self, scope: Scope, document_id: str, number: int) -> str | None:
        """The stored text of one page; None when there is no such page in the scope."""
        async with reading(self._session, scope) as (driver, namespace):
            if not await _admits(driver, namespace, scope, document_id):
                return None
            text = await driver.fetchval(
                "SELECT text FROM dalil_pages WHERE namespace = $1 AND document = $2 AND number = $3",
                namespace,
                stored(document_id),
                number,
            )
            return None if text is None else restored(text)

    async def pages(self, scope: Scope, document_id: str) -> Sequence[Page]:
        """Every page of the document in order; empty when the scope does not hold it."""
        async with reading(self._session, scope) as (driver, namespace):
            if not await _admits(driver, namespace, scope, document_id):
                return []
            rows = await driver.fetch(
                f"SELECT {_PAGE} FROM dalil_pages WHERE namespace = $1 AND document = $2 ORDER BY number",
                namespace,
                stored(document_id),
            )
            return [_page(row) for row in rows]

    async def page(self, scope: Scope, document_id: str, number: int) -> Page | None:
        """One page with all that is kept of it; None when there is no such page in the scope."""
        async with reading(self._session, scope) as (driver, namespace):
            if not await _admits(driver, namespace, scope, document_id):
                return None
            row = await driver.fetchrow(
                f"SELECT {_PAGE} FROM dalil_pages WHERE namespace = $1 AND document = $2 AND number = $3",
                namespace,
                stored(document_id),
                number,
            )
            return None if row is None else _page(row)

    # --- records -----------------------------------------------------------------------------------------

    async def save_warnings(self, scope: Scope, document_id: str, warnings: Sequence[str]) -> None:
        """Keep what the reader warned of beside the document."""
        async with writing(self._session, scope) as (driver, namespace):
            if await _admits(driver, namespace, scope, document_id):
                await driver.execute(
                    "UPDATE dalil_documents SET warnings = $3 WHERE namespace = $1 AND id = $2",
                    namespace,
                    stored(document_id),
                    to_json([*warnings]),
                )

    async def record(self, scope: Scope, document_id: str) -> DocumentRecord | None:
        """The document with its size, time of adding and warnings."""
        found = await self._records(scope, "d.id = $2", document_id)
        return found[0] if found else None

    async def records(self, scope: Scope) -> Sequence[DocumentRecord]:
        """The records of the scope's documents by source name."""
        return await self._records(scope)

    async def _documents(self, scope: Scope, *condition: str) -> builtins.list[Document]:
        return [_document(row) for row in await self._rows(scope, "", *condition)]

    async def _records(self, scope: Scope, *condition: str) -> builtins.list[DocumentRecord]:
        columns = (
            ", d.added_at, d.warnings, "
            "(SELECT count(*) FROM dalil_pages AS p WHERE p.namespace = $1 AND p.document = d.id) AS pages, "
            "(SELECT count(*) FROM dalil_chunks AS c WHERE c.namespace = $1 AND c.document = d.id) AS chunks"
        )
        return [
            DocumentRecord(
                _document(row), row["pages"], row["chunks"], row["added_at"], tuple(json.loads(row["warnings"]))
            )
            for row in await self._rows(scope, columns, *condition)
        ]

    async def _rows(self, scope: Scope, columns: str, condition: str = "", value: str = "") -> builtins.list[Any]:
        """The rows of the scope's documents by source; `condition` compares with `value`, which is `$2`."""
        if not is_encodable(value):
            return []
        async with reading(self._session, scope) as (driver, namespace):
            allowed = await allowed_documents(driver, namespace, scope)
            rows = await driver.fetch(
                f"SELECT {_DOCUMENT}{columns} FROM dalil_documents AS d WHERE d.namespace = $1"
                f"{condition and ' AND ' + condition} ORDER BY d.source",
                namespace,
                *([stored(value)] if condition else []),
            )
            return [row for row in rows if allowed is None or row["id"] in allowed]


async def _admits(driver: Any, namespace: str, scope: Scope, document_id: str) -> bool:
    """Whether the filters let the document through, if it is there."""
    if not is_encodable(document_id):
        return False
    allowed = await allowed_documents(driver, namespace, scope)
    return allowed is None or stored(document_id) in allowed


def _document(row: Any) -> Document:
    return Document(
        restored(row["id"]), restored(row["source"]), restored(row["content_hash"]), json.loads(row["metadata"])
    )


def _page(row: Any) -> Page:
    return stored_page(row["number"], restored(row["text"]), row["details"], row["geometry"])
