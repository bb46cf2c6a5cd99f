"""Many documents at once: in small commits, with progress, and none stopping the others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from dalil import RawSource
from dalil.errors import EmbeddingError
from dalil.ingestion import IngestionResult, IngestProgress, IngestStatus
from dalil.sage import RagSage

from .conftest import SCOPE, CountingEmbedder, Open, lamps, sources, text_of


async def all_of(sage: RagSage, documents: Any, **options: Any) -> list[IngestionResult]:
    return [result async for result in sage.ingest_many(documents, SCOPE, **options)]


async def test_bad_documents_never_stop_the_rest(sage: RagSage, tmp_path: Path) -> None:
    documents = lamps(20)
    documents[3] = RawSource("bad.txt", content=b"")
    documents[7] = RawSource("missing.txt", path=tmp_path / "missing.txt")
    documents[11] = RawSource("binary.pdf", content=bytes(range(256)) * 9)
    documents[19] = RawSource("folder", path=tmp_path)
    results = {result.source: result for result in await all_of(sage, documents)}
    assert len(results) == 20
    failed = {name: result for name, result in results.items() if result.status is IngestStatus.FAILED}
    assert set(failed) == {"bad.txt", "missing.txt", "binary.pdf", "folder"}
    assert all(result.error is not None and name in str(result.error) for name, result in failed.items())
    assert all(result.chunk_count == 0 for result in failed.values())
    assert len(await sources(sage)) == 16


async def test_a_text_that_cannot_be_embedded_fails_alone(sage: RagSage) -> None:
    documents = lamps(10)
    documents[4] = RawSource("heavy.txt", content="This is unembeddable.")
    results = await all_of(sage, documents)
    failed = [result for result in results if result.status is IngestStatus.FAILED]
    assert [result.source for result in failed] == ["heavy.txt"]
    assert isinstance(failed[0].error, EmbeddingError)
    assert len(await sources(sage)) == 9


async def test_results_come_in_the_order_of_the_sources(sage: RagSage) -> None:
    await all_of(sage, lamps(6)[::2])
    documents = [*lamps(6), RawSource("empty.txt", content=""), *lamps(20)[7:]]
    results = await all_of(sage, documents)
    assert [result.source for result in results] == [document.name for document in documents]


async def test_at_most_eight_documents_are_committed_at_a_time(sage: RagSage, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    commit = RagSage._commit

    async def counted(self: RagSage, prepared: Sequence[Any], scope: Any) -> list[IngestionResult]:
        sizes.append(len(prepared))
        return await commit(self, prepared, scope)

    monkeypatch.setattr(RagSage, "_commit", counted)
    await all_of(sage, lamps(50))
    assert sum(sizes) == 50
    assert max(sizes) <= 8


async def test_a_result_is_true_when_it_is_given(sage: RagSage) -> None:
    async with aclosing(sage.ingest_many(lamps(20), SCOPE)) as results:
        async for result in results:
            assert result.source in await sources(sage)


async def test_progress_only_grows_and_ends_complete(sage: RagSage) -> None:
    seen: list[IngestProgress] = []
    documents = lamps(30)
    documents[5] = RawSource("bad.txt", content=b"")
    await all_of(sage, documents, on_progress=seen.append)
    assert seen
    for name in ("done", "chunks_read", "chunks_embedded", "words"):
        values = [getattr(progress, name) for progress in seen]
        assert values == sorted(values), name
    assert {progress.documents for progress in seen} == {30}
    assert (seen[-1].done, seen[-1].chunks_read, seen[-1].chunks_embedded) == (30, 29, 29)
    assert seen[-1].words > 0
    assert {progress.current for progress in seen} >= {document.name for document in documents}


async def test_sources_that_are_not_counted_are_taken_as_they_come(sage: RagSage) -> None:
    seen: list[IngestProgress] = []
    results = await all_of(sage, iter(lamps(10)), on_progress=seen.append)
    assert len(results) == 10
    assert {progress.documents for progress in seen} == {None}


async def test_no_documents_are_no_failure(sage: RagSage) -> None:
    assert await all_of(sage, []) == []


async def test_whoever_stops_early_keeps_what_was_committed(open_sage: Open, embedder: CountingEmbedder) -> None:
    sage = open_sage()
    given: list[str] = []
    async with aclosing(sage.ingest_many(lamps(40), SCOPE)) as results:
        async for result in results:
            given.append(result.source)
            if len(given) == 10:
                break
    stored = await sources(sage)
    assert set(given) <= set(stored)
    assert len(stored) < 40
    embedder.texts.clear()
    again = await all_of(open_sage(), lamps(40))
    assert sum(result.status is IngestStatus.UNCHANGED for result in again) == len(stored)
    assert len(await sources(sage)) == 40


async def test_the_same_name_twice_in_a_batch_is_one_document(sage: RagSage) -> None:
    documents = [
        RawSource("a.txt", content="The lamp is green."),
        RawSource("a.txt", content="The lamp is green."),
        RawSource("a.txt", content="The chair is red."),
    ]
    results = await all_of(sage, documents)
    assert [result.status for result in results] == [
        IngestStatus.ADDED,
        IngestStatus.UNCHANGED,
        IngestStatus.REPLACED,
    ]
    assert await sources(sage) == ["a.txt"]
    assert await text_of(sage, "a.txt") == "The chair is red."
    assert [scored.chunk.text for scored in await sage.search("lamp chair", SCOPE)] == ["The chair is red."]


@pytest.mark.parametrize("between", [0, 20])
async def test_copies_in_a_batch_share_their_vectors_and_say_so(
    sage: RagSage, embedder: CountingEmbedder, between: int
) -> None:
    twins = [RawSource(name, content="The chair is red.") for name in ("first.txt", "second.txt")]
    results = {result.source: result for result in await all_of(sage, [twins[0], *lamps(between), twins[1]])}
    assert len(embedder.texts) == between + 1
    assert results["second.txt"].status is IngestStatus.ADDED
    assert results["second.txt"].chunk_count == 1
    assert not results["first.txt"].deduplicated
    assert results["second.txt"].deduplicated
