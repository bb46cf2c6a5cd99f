"""Taking out what belongs to a document, a chunk's words, or a whole namespace; and the counts that go with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from dalil.stores.postgres.postings import without
from dalil.stores.postgres.schema import TENANT_TABLES

COUNT = (
    "INSERT INTO dalil_namespaces AS n (namespace, vectors, worded, tokens) VALUES ($1, $2::bigint, $3::bigint, "
    "$4::bigint) ON CONFLICT (namespace) DO UPDATE SET vectors = n.vectors + excluded.vectors, "
    "worded = n.worded + excluded.worded, tokens = n.tokens + excluded.tokens"
)
"""Adds chunks with a vector (`$2`), chunks with words (`$3`) and their tokens (`$4`) to what is known of a namespace,
whose row is made when it is missing."""


async def remove_document(driver: Any, namespace: str, document: str) -> None:
    """Everything that is stored under the document's id."""
    keys = await driver.fetch(
        "WITH pages AS (DELETE FROM dalil_pages WHERE namespace = $1 AND document = $2), "
        "fields AS (DELETE FROM dalil_fields WHERE namespace = $1 AND document = $2), "
        "documents AS (DELETE FROM dalil_documents WHERE namespace = $1 AND id = $2) "
        "DELETE FROM dalil_chunks WHERE namespace = $1 AND document = $2 RETURNING key, embed_hash IS NOT NULL",
        namespace,
        document,
    )
    if not keys:
        return
    chunks = [row[0] for row in keys]
    await remove_words(driver, namespace, chunks)
    await driver.execute(
        f"WITH sentences AS (DELETE FROM dalil_sentences WHERE namespace = $1 AND chunk = ANY ($5)) {COUNT}",
        namespace,
        -sum(row[1] for row in keys),
        0,
        0,
        chunks,
    )


async def remove_vectors(driver: Any, namespace: str, document: str) -> None:
    """The vectors and sentences of the document; its chunks stay."""
    keys = await driver.fetch(
        "UPDATE dalil_chunks SET embedding = NULL, embed_hash = NULL "
        "WHERE namespace = $1 AND document = $2 AND embed_hash IS NOT NULL RETURNING key",
        namespace,
        document,
    )
    if keys:
        await driver.execute(COUNT, namespace, -len(keys), 0, 0)
    await driver.execute(
        "DELETE FROM dalil_sentences WHERE namespace = $1 AND chunk IN "
        "(SELECT key FROM dalil_chunks WHERE namespace = $1 AND document = $2)",
        namespace,
        document,
    )


async def words_of(driver: Any, namespace: str, document: str) -> list[int]:
    """The keys of the document's chunks that have words."""
    rows = await driver.fetch(
        "SELECT key FROM dalil_chunks WHERE namespace = $1 AND document = $2", namespace, document
    )
    return [row[0] for row in rows]


async def remove_words(driver: Any, namespace: str, chunks: Sequence[int]) -> None:
    """The words of these chunks, and what they add to the namespace's statistics."""
    rows = await driver.fetch(
        "DELETE FROM dalil_words WHERE namespace = $1 AND chunk = ANY ($2) RETURNING chunk, document, length, tokens",
        namespace,
        chunks,
    )
    if not rows:
        return
    containing: Counter[str] = Counter()
    documents: dict[str, set[str]] = {}
    for row in rows:
        own = set(row["tokens"].split())
        containing.update(own)
        documents.setdefault(row["document"], set()).update(own)
    gone = {row["chunk"] for row in rows}
    for document, words in documents.items():
        await _remove_postings(driver, namespace, document, sorted(words), gone)
    terms = sorted(containing)
    await driver.execute(
        "WITH gone AS (SELECT * FROM unnest($5::text[], $6::bigint[]) AS gone (term, chunks)), "
        "last AS (DELETE FROM dalil_terms AS t USING gone WHERE t.namespace = $1 AND t.term = gone.term "
        "AND t.containing <= gone.chunks), "
        "others AS (UPDATE dalil_terms AS t SET containing = t.containing - gone.chunks FROM gone "
        f"WHERE t.namespace = $1 AND t.term = gone.term AND t.containing > gone.chunks) {COUNT}",
        namespace,
        0,
        -len(rows),
        -sum(row["length"] for row in rows),
        terms,
        [containing[term] for term in terms],
    )


async def _remove_postings(driver: Any, namespace: str, document: str, terms: Sequence[str], gone: set[int]) -> None:
    rows = await driver.fetch(
        "DELETE FROM dalil_postings WHERE namespace = $1 AND document = $2 AND term = ANY ($3) RETURNING term, chunks",
        namespace,
        document,
        terms,
    )
    left = [(row["term"], kept) for row in rows if (kept := without(row["chunks"], gone))]
    if left:  # only some of the document's chunks lose their words
        await driver.execute(
            "INSERT INTO dalil_postings (namespace, document, term, chunks) "
            "SELECT $1, $2, * FROM unnest($3::text[], $4::bytea[])",
            namespace,
            document,
            [term for term, _ in left],
            [kept for _, kept in left],
        )


async def purge(driver: Any, namespace: str) -> None:
    """Everything of the namespace."""
    for table in TENANT_TABLES:
        await driver.execute(f"DELETE FROM {table} WHERE namespace = $1", namespace)
