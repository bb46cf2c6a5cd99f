"""Chunks to rows and back."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from dalil.models import Chunk, Span

_AT_ONCE = 500
_COLUMNS = "c.key, c.id, d.id, c.text, c.page, c.ordinal, c.embed_text, c.whole, c.metadata, c.spans"


def embed_hash(embed_text: str) -> bytes:
    """The key under which a text's vector is found again."""
    return hashlib.blake2b(embed_text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def to_json(value: Any) -> str:
    """Compact JSON that keeps Arabic readable; values that JSON lacks become strings."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def now() -> str:
    return datetime.now(UTC).isoformat()


def read_chunks(connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, Chunk]:
    """Chunks by key; keys that are gone are left out."""
    query = f"SELECT {_COLUMNS} FROM chunk AS c JOIN document AS d ON d.key = c.document WHERE c.key IN"
    return {row[0]: _chunk(row) for row in select_in(connection, query, keys)}


def select_in(
    connection: sqlite3.Connection, query: str, values: Sequence[Any], fixed: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """The rows of `query` + `(values)`, in batches that SQLite can bind."""
    for start in range(0, len(values), _AT_ONCE):
        batch = values[start : start + _AT_ONCE]
        yield from connection.execute(f"{query} ({', '.join('?' * len(batch))})", (*fixed, *batch))


def _chunk(row: tuple[Any, ...]) -> Chunk:
    _, identifier, document_id, text, page, ordinal, embed_text, whole, metadata, spans = row
    return Chunk(
        id=identifier,
        document_id=document_id,
        text=text,
        page=page,
        ordinal=ordinal,
        embed_text=embed_text if whole else embed_text + text,
        metadata=json.loads(metadata),
        spans=tuple(Span(*span) for span in json.loads(spans)),
    )


def chunk_columns(chunk: Chunk) -> tuple[Any, ...]:
    """The stored columns of a chunk: ordinal, page, text, embed_text, whole, metadata, spans."""
    context = chunk.embed_text.removesuffix(chunk.text) if chunk.text else chunk.embed_text
    whole = bool(chunk.text) and not chunk.embed_text.endswith(chunk.text)
    return (
        chunk.ordinal,
        chunk.page,
        chunk.text,
        chunk.embed_text if whole else context,
        whole,
        to_json(dict(chunk.metadata)),
        to_json([list(span) for span in chunk.spans]),
    )


def ensure_chunks(connection: sqlite3.Connection, namespace: int, chunks: Sequence[Chunk]) -> list[int]:
    """The keys of these chunks, whose rows are made or brought up to date; unknown documents get a bare row."""
    query = (
        "SELECT id, key, ordinal, page, text, embed_text, whole, metadata, spans FROM chunk "
        "WHERE namespace = ? AND id IN"
    )
    stored = {row[0]: row[1:] for row in select_in(connection, query, [chunk.id for chunk in chunks], (namespace,))}
    keys: list[int] = []
    documents: dict[str, int] = {}
    for chunk in chunks:
        columns = chunk_columns(chunk)
        if chunk.id in stored:
            key, *known = stored[chunk.id]
            if tuple(known) != columns:
                connection.execute(
                    "UPDATE chunk SET ordinal = ?, page = ?, text = ?, embed_text = ?, whole = ?, metadata = ?, "
                    "spans = ? WHERE key = ?",
                    (*columns, key),
                )
        else:
            if chunk.document_id not in documents:
                documents[chunk.document_id] = _ensure_document(connection, namespace, chunk)
            key = connection.execute(
                "INSERT INTO chunk (ordinal, page, text, embed_text, whole, metadata, spans, namespace, document, id)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*columns, namespace, documents[chunk.document_id], chunk.id),
            ).lastrowid
            assert key is not None
            stored[chunk.id] = (key, *columns)
        keys.append(key)
    return keys


def _ensure_document(connection: sqlite3.Connection, namespace: int, chunk: Chunk) -> int:
    row = connection.execute(
        "SELECT key FROM document WHERE namespace = ? AND id = ?", (namespace, chunk.document_id)
    ).fetchone()
    if row is not None:
        return int(row[0])
    key = connection.execute(
        "INSERT INTO document (namespace, id, source, content_hash, metadata, added_at, saved) "
        "VALUES (?, ?, ?, '', '{}', ?, 0)",
        (namespace, chunk.document_id, chunk.source, now()),
    ).lastrowid
    assert key is not None
    return key
