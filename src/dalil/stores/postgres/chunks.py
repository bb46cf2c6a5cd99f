"""Chunks to rows and back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dalil.models import Chunk, Span
from dalil.stores.postgres.encoding import digest, findable, restored, stored, to_json

COLUMNS = "c.key, c.id, c.document, c.text, c.page, c.ordinal, c.embed_text, c.whole, c.metadata, c.spans"
"""What `chunk_of` reads, of the table `dalil_chunks` under the name c."""


class Row(NamedTuple):
    """A chunk as it is stored, but for its key and vector."""

    document: str
    id: str
    ordinal: int
    page: int
    source: str
    text: str
    embed_text: str
    whole: bool
    metadata: str
    spans: str

    @property
    def digest(self) -> bytes:
        return digest(*(str(value) for value in self))


class Kept(NamedTuple):
    """A chunk's row that is there: its key, and whether it has a vector."""

    key: int
    has_vector: bool


def row_of(chunk: Chunk) -> Row:
    """The stored columns of a chunk.

    Raises:
        UnicodeEncodeError: for lone surrogates.
    """
    context = chunk.embed_text.removesuffix(chunk.text) if chunk.text else chunk.embed_text
    whole = bool(chunk.text) and not chunk.embed_text.endswith(chunk.text)
    return Row(
        stored(chunk.document_id),
        stored(chunk.id),
        chunk.ordinal,
        chunk.page,
        stored(chunk.source),
        stored(chunk.text),
        stored(chunk.embed_text if whole else context),
        whole,
        to_json(dict(chunk.metadata)),
        to_json([list(span) for span in chunk.spans]),
    )


def chunk_of(row: Any) -> Chunk:
    """The chunk of a row of `COLUMNS`."""
    text, embed_text = restored(row["text"]), restored(row["embed_text"])
    return Chunk(
        id=restored(row["id"]),
        document_id=restored(row["document"]),
        text=text,
        page=row["page"],
        ordinal=row["ordinal"],
        embed_text=embed_text if row["whole"] else embed_text + text,
        metadata=json.loads(row["metadata"]),
        spans=tuple(Span(*span) for span in json.loads(row["spans"])),
    )


async def read_chunks(driver: Any, namespace: str, keys: Sequence[int]) -> dict[int, Chunk]:
    """Chunks of the namespace by key; keys that are gone are left out."""
    rows = await driver.fetch(
        f"SELECT {COLUMNS} FROM dalil_chunks AS c WHERE c.namespace = $1 AND c.key = ANY ($2)", namespace, keys
    )
    return {row["key"]: chunk_of(row) for row in rows}


async def insert_rows(driver: Any, namespace: str, rows: Sequence[Row]) -> dict[str, Kept]:
    """Add these rows; the keys they got by their stored ids."""
    if not rows:
        return {}
    added = await driver.fetch(
        "INSERT INTO dalil_chunks (namespace, document, id, ordinal, page, source, text, embed_text, whole, metadata, "
        "spans, digest) SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], "
        "$7::text[], $8::text[], $9::boolean[], $10::text[], $11::text[], $12::bytea[]) RETURNING key, id",
        namespace,
        *(list(column) for column in zip(*rows, strict=True)),
        await asyncio.to_thread(lambda: [row.digest for row in rows]),
    )
    return {row["id"]: Kept(row["key"], False) for row in added}


async def ensure_chunks(driver: Any, namespace: str, chunks: Sequence[Chunk]) -> list[Kept]:
    """The rows of these chunks in order, which are made or brought up to date."""
    rows, digests = await asyncio.to_thread(_digested, chunks)
    found = await driver.fetch(
        "SELECT key, id, digest, embed_hash IS NOT NULL AS has_vector FROM dalil_chunks "
        "WHERE namespace = $1 AND id = ANY ($2)",
        namespace,
        list(rows),
    )
    kept = {row["id"]: Kept(row["key"], row["has_vector"]) for row in found}
    for row in found:
        if row["digest"] != digests[row["id"]]:
            await driver.execute(
                "UPDATE dalil_chunks SET document = $3, ordinal = $4, page = $5, source = $6, text = $7, "
                "embed_text = $8, whole = $9, metadata = $10, spans = $11, digest = $12 "
                "WHERE namespace = $1 AND id = $2",
                namespace,
                row["id"],
                rows[row["id"]].document,
                *rows[row["id"]][2:],
                digests[row["id"]],
            )
    kept.update(await insert_rows(driver, namespace, [row for key, row in rows.items() if key not in kept]))
    return [kept[stored(chunk.id)] for chunk in chunks]


def _digested(chunks: Sequence[Chunk]) -> tuple[dict[str, Row], dict[str, bytes]]:
    rows = {row.id: row for row in map(row_of, chunks)}
    return rows, {identifier: row.digest for identifier, row in rows.items()}


async def chunk_keys(driver: Any, namespace: str, chunk_ids: Sequence[str], allowed: set[str] | None) -> dict[int, str]:
    """The ids of those of these chunks that the namespace holds and the filters admit, by key, in the order given."""
    wanted = list(dict.fromkeys(findable(chunk_ids)))
    rows = await driver.fetch(
        "SELECT key, id, document FROM dalil_chunks WHERE namespace = $1 AND id = ANY ($2)", namespace, wanted
    )
    keys: Mapping[str, int] = {row["id"]: row["key"] for row in rows if allowed is None or row["document"] in allowed}
    return {keys[identifier]: restored(identifier) for identifier in wanted if identifier in keys}
