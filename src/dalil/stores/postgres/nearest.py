"""The chunks nearest to a vector: exactly where there are few, by the graph where there are many.

A graph search that filters afterwards loses most of a small tenant's chunks (pgvector looks at 40 to 1,000 neighbours
and then drops what the filter does not admit). So up to `FEW` chunks are all compared; above that the graph is read on
and on until enough of its proposals pass, a few more than asked for, and all proposals are scored exactly.
"""

from __future__ import annotations

from typing import Any

from dalil.models import ScoredChunk
from dalil.stores.postgres.chunks import COLUMNS, chunk_of
from dalil.stores.postgres.encoding import Matrix, cosines, vector_texts

FEW = 20_000
"""Up to so many chunks are compared one by one."""
NOISE = 2e-6
"""pgvector adds in single precision: its distances may be so far off."""
_MOST_EF = 1000  # pgvector's limit


async def nearest(
    driver: Any, namespace: str, query: Matrix, k: int, allowed: set[str] | None, vectors: int
) -> list[ScoredChunk]:
    """The k chunks of the namespace, within these documents, with the greatest cosine; `vectors` it holds in all."""
    few = vectors <= FEW or not query.any()
    if not few and allowed is not None:
        few = await _admitted(driver, namespace, allowed) <= FEW
    count = k + max(16, k // 4) if few else max(50, 3 * k)
    while True:
        found = await _proposed(driver, namespace, query, count, allowed, exact=few)
        if not few and _is_suspect(found, k, count):
            few = True  # too few came through the filter, or what the graph does not hold may be better
            continue
        if len(found) < count or _is_settled(found, k):
            return found[:k]
        count *= 4


async def _admitted(driver: Any, namespace: str, allowed: set[str]) -> int:
    """How many chunks these documents have; counted no further than it matters."""
    found = await driver.fetchval(
        "SELECT count(*) FROM (SELECT 1 FROM dalil_chunks WHERE namespace = $1 AND document = ANY ($2) LIMIT $3) AS c",
        namespace,
        list(allowed),
        FEW + 1,
    )
    return int(found)


async def _proposed(
    driver: Any, namespace: str, query: Matrix, count: int, allowed: set[str] | None, *, exact: bool
) -> list[ScoredChunk]:
    """About the nearest `count` chunks in order, each with its exact cosine."""
    # The vectors have length one: both operators order alike, but only one of them can use the graph, and the other
    # takes zero vectors as they are.
    operator = "<#>" if exact else "<=>"
    condition, values = ("", ()) if allowed is None else (" AND document = ANY ($4)", (list(allowed),))
    if not exact:
        await driver.fetchrow(
            "SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true)",
            str(min(_MOST_EF, max(100, count))),
        )
    rows = await driver.fetch(
        f"WITH near AS MATERIALIZED (SELECT key FROM dalil_chunks WHERE namespace = $1 AND embedding IS NOT NULL"
        f"{condition} ORDER BY embedding {operator} $2::text::vector LIMIT $3) "
        f"SELECT {COLUMNS}, vector_send(c.embedding) AS embedding FROM near JOIN dalil_chunks AS c "
        "ON c.key = near.key AND c.namespace = $1",
        namespace,
        vector_texts(query[None])[0],
        count,
        *values,
    )
    scores = cosines([row["embedding"] for row in rows], query)
    found = [ScoredChunk(chunk_of(row), score) for row, score in zip(rows, scores, strict=True)]
    return sorted(found, key=lambda candidate: candidate.rank)


def _is_suspect(found: list[ScoredChunk], k: int, count: int) -> bool:
    """Whether the graph may have missed some: it gave up early, or zero vectors, which it leaves out, would rank."""
    return len(found) < count or found[k - 1].score <= 0


def _is_settled(found: list[ScoredChunk], k: int) -> bool:
    """Whether nothing that was not proposed can belong to the best k, nor tie with the last of them."""
    return found[-1].score + NOISE < round(found[k - 1].score, 9)
