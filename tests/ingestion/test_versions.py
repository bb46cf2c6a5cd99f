"""New, unchanged, changed, renamed: what ingesting again does, and what it costs."""

from __future__ import annotations

import pytest

from dalil import RawSource
from dalil.errors import DocumentError, EmptyDocumentError
from dalil.ingestion import IngestStatus
from dalil.models import PageRoute
from dalil.sage import RagSage

from .conftest import SCOPE, CountingEmbedder, Open, lamps, sources, text_of


async def test_unchanged_documents_cost_no_embedding(open_sage: Open, embedder: CountingEmbedder) -> None:
    documents = lamps(500)
    first = [result async for result in open_sage().ingest_many(documents, SCOPE)]
    assert {result.status for result in first} == {IngestStatus.ADDED}
    assert len(embedder.texts) == 500
    second = [result async for result in open_sage().ingest_many(documents, SCOPE)]
    assert {(result.status, result.deduplicated, result.chunk_count) for result in second} == {
        (IngestStatus.UNCHANGED, True, 0)
    }
    assert len(embedder.texts) == 500


async def test_one_unchanged_document(sage: RagSage, embedder: CountingEmbedder) -> None:
    first = await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    assert (first.status, first.deduplicated, first.chunk_count) == (IngestStatus.ADDED, False, 1)
    second = await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    assert (second.status, second.deduplicated, second.chunk_count) == (IngestStatus.UNCHANGED, True, 0)
    assert second.document == first.document
    assert len(embedder.texts) == 1


async def test_changed_content_replaces(sage: RagSage) -> None:
    await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    result = await sage.ingest(RawSource("a.txt", content="The chair is red."), SCOPE)
    assert (result.status, result.chunk_count) == (IngestStatus.REPLACED, 1)
    assert await sources(sage) == ["a.txt"]
    assert await text_of(sage, "a.txt") == "The chair is red."
    assert await sage.search("lamp green", SCOPE, mode="words") == []
    found = await sage.search("lamp green", SCOPE)
    assert all("lamp" not in scored.chunk.text for scored in found)


async def test_unchanged_chunks_of_a_changed_document_keep_their_vectors(
    sage: RagSage, embedder: CountingEmbedder
) -> None:
    sections = [f"# Part {number}\n\n" + f"Lamp {number} is green and stands there. " * 60 for number in range(6)]
    first = await sage.ingest(RawSource("a.md", content="\n\n".join(sections)), SCOPE)
    assert first.chunk_count >= 6
    embedder.texts.clear()
    sections[3] = "# Part 3\n\nThe chair is red."
    second = await sage.ingest(RawSource("a.md", content="\n\n".join(sections)), SCOPE)
    assert second.status is IngestStatus.REPLACED
    assert len(embedder.texts) == 1
    assert "The chair is red." in embedder.texts[0]


async def test_the_same_bytes_under_another_name_are_another_document(
    sage: RagSage, embedder: CountingEmbedder
) -> None:
    first = await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    second = await sage.ingest(RawSource("b.txt", content="The lamp is green."), SCOPE)
    assert (second.status, second.deduplicated, second.chunk_count) == (IngestStatus.ADDED, True, 1)
    assert second.document.id != first.document.id
    assert len(embedder.texts) == 1
    assert await sources(sage) == ["a.txt", "b.txt"]
    await sage.delete_document(SCOPE, first.document.id)
    assert [scored.chunk.source for scored in await sage.search("lamp", SCOPE)] == ["b.txt"]


async def test_other_metadata_is_taken_over_without_embedding(sage: RagSage, embedder: CountingEmbedder) -> None:
    await sage.ingest(RawSource("a.txt", content="The lamp is green.", metadata={"year": 1903}), SCOPE)
    changed = await sage.ingest(RawSource("a.txt", content="The lamp is green.", metadata={"year": 1904}), SCOPE)
    assert changed.status is IngestStatus.REPLACED
    assert len(embedder.texts) == 1
    assert (await sage.documents(SCOPE))[0].metadata["year"] == 1904
    assert await sage.search("lamp", SCOPE.with_filters(year=1903)) == []
    assert len(await sage.search("lamp", SCOPE.with_filters(year=1904))) == 1
    again = await sage.ingest(RawSource("a.txt", content="The lamp is green.", metadata={"year": 1904}), SCOPE)
    assert again.status is IngestStatus.UNCHANGED


async def test_collections_in_metadata_do_not_look_changed(sage: RagSage) -> None:
    tagged = RawSource("a.txt", content="The lamp is green.", metadata={"tags": ("a", "b"), "year": 1903})
    await sage.ingest(tagged, SCOPE)
    assert (await sage.ingest(tagged, SCOPE)).status is IngestStatus.UNCHANGED


@pytest.mark.parametrize("content", [b"", b" \n ", b"\x89PNG\r\n\x1a\n0000", bytes(range(256)) * 9])
async def test_a_replacement_without_readable_text_leaves_the_older_version(sage: RagSage, content: bytes) -> None:
    await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    with pytest.raises(DocumentError):
        await sage.ingest(RawSource("a.txt", content=content), SCOPE)
    failed = [result async for result in sage.ingest_many([RawSource("a.txt", content=content)], SCOPE)]
    assert [result.status for result in failed] == [IngestStatus.FAILED]
    assert await text_of(sage, "a.txt") == "The lamp is green."
    assert len(await sage.search("lamp", SCOPE)) == 1


async def test_an_empty_document_says_so(sage: RagSage) -> None:
    with pytest.raises(EmptyDocumentError):
        await sage.ingest(RawSource("a.txt", content=""), SCOPE)
    assert await sources(sage) == []


async def test_route_counts_have_a_number_for_each_route(sage: RagSage) -> None:
    added = await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    unchanged = await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    assert added.route_counts == {PageRoute.TEXT: 1, PageRoute.VISION: 0}
    assert unchanged.route_counts == {PageRoute.TEXT: 0, PageRoute.VISION: 0}
    failed = [result async for result in sage.ingest_many([RawSource("b.txt", content="")], SCOPE)]
    assert set(failed[0].route_counts) == {"text", "vision"}


async def test_the_same_name_in_two_namespaces_is_two_documents(sage: RagSage) -> None:
    from dalil import Scope

    other = Scope("other")
    await sage.ingest(RawSource("a.txt", content="The lamp is green."), SCOPE)
    assert (await sage.ingest(RawSource("a.txt", content="The lamp is red."), other)).status is IngestStatus.ADDED
    assert await text_of(sage, "a.txt") == "The lamp is green."
