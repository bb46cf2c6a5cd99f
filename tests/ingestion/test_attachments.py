"""Documents that stand in others: stored beside them, found by their own names, gone when their parents are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dalil import RawSource
from dalil.assembly import ComputeKit
from dalil.fakes import FakeDocumentParser, FakeLLMClient
from dalil.identity import document_id
from dalil.ingestion import IngestStatus
from dalil.ingestion.attachments import attached_sources
from dalil.models import ParsedDocument
from dalil.sage import RagSage

from .conftest import SCOPE, CountingEmbedder, sources, text_of


class MailParser(FakeDocumentParser):
    """Lines of the form "@NAME TEXT" are attachments; a / in TEXT starts a line of the attachment."""

    def parse(self, source: RawSource) -> ParsedDocument:
        lines = source.read().decode().split("\n")
        attachments = [line[1:].partition(" ")[::2] for line in lines if line.startswith("@")]
        body = "\n".join(line for line in lines if not line.startswith("@"))
        parsed = super().parse(replace(source, content=body, path=None))
        return replace(
            parsed,
            attachments=tuple(RawSource(name, content=text.replace("/", "\n")) for name, text in attachments),
        )


@pytest.fixture
async def sage(tmp_path: Path, embedder: CountingEmbedder):
    made = RagSage.open(tmp_path / "store", embedder=embedder)
    kit = replace(ComputeKit.local(embedder, FakeLLMClient()), parser=MailParser())
    async with RagSage(database=made.database, compute=kit, stores=made._stores) as sage:
        yield sage


def mail(*lines: str, name: str = "a.eml", **metadata: str) -> RawSource:
    return RawSource(name, content="\n".join(lines), metadata=metadata)


async def test_attachments_are_documents_of_their_own(sage: RagSage) -> None:
    result = await sage.ingest(mail("The lamp is green.", "@chair.txt A chair is red.", team="east"), SCOPE)
    assert [(each.source, each.status) for each in result.attachments] == [("a.eml/chair.txt", IngestStatus.ADDED)]
    assert await sources(sage) == ["a.eml", "a.eml/chair.txt"]
    assert await text_of(sage, "a.eml/chair.txt") == "A chair is red."
    parent, child = await sage.documents(SCOPE)
    assert parent.metadata["attachments"] == ["a.eml/chair.txt"]
    assert child.metadata["attached_to"] == "a.eml"
    assert child.metadata["team"] == "east"
    found = await sage.search("chair", SCOPE.with_filters(team="east"))
    assert found[0].chunk.source == "a.eml/chair.txt"
    assert await sage.search("chair", SCOPE.with_filters(team="west")) == []


async def test_they_come_with_many_documents_too(sage: RagSage) -> None:
    many = [mail("A lamp.", f"@x.txt Chair {number}.", name=f"{number}.eml") for number in range(12)]
    results = [result async for result in sage.ingest_many(many, SCOPE)]
    assert [result.source for result in results] == [f"{number}.eml" for number in range(12)]
    assert all(result.attachments[0].status is IngestStatus.ADDED for result in results)
    assert len(await sources(sage)) == 24
    again = [result async for result in sage.ingest_many(many, SCOPE)]
    assert {result.status for result in again} == {IngestStatus.UNCHANGED}


async def test_those_that_a_new_version_lacks_are_removed(sage: RagSage, embedder: CountingEmbedder) -> None:
    await sage.ingest(mail("A lamp.", "@b.txt A chair.", "@c.eml Hello./@d.txt A table."), SCOPE)
    assert await sources(sage) == ["a.eml", "a.eml/b.txt", "a.eml/c.eml", "a.eml/c.eml/d.txt"]
    embedder.texts.clear()
    result = await sage.ingest(mail("A green lamp.", "@b.txt A chair."), SCOPE)
    assert result.status is IngestStatus.REPLACED
    assert [each.status for each in result.attachments] == [IngestStatus.UNCHANGED]
    assert await sources(sage) == ["a.eml", "a.eml/b.txt"]
    assert len(embedder.texts) == 1


async def test_they_go_with_their_parent(sage: RagSage) -> None:
    await sage.ingest(mail("A lamp.", "@c.eml Hello./@d.txt A table."), SCOPE)
    await sage.ingest(mail("Another lamp.", "@d.txt A table.", name="b.eml"), SCOPE)
    await sage.delete_document(SCOPE, document_id("a.eml"))
    assert await sources(sage) == ["b.eml", "b.eml/d.txt"]
    assert await sage.search("hello", SCOPE, mode="words") == []


async def test_one_alone_can_be_removed(sage: RagSage) -> None:
    await sage.ingest(mail("A lamp.", "@b.txt A chair."), SCOPE)
    await sage.delete_document(SCOPE, document_id("a.eml/b.txt"))
    assert await sources(sage) == ["a.eml"]


async def test_one_that_cannot_be_read_is_told_and_fails_nothing_else(sage: RagSage) -> None:
    source = mail("A lamp.", "@b.txt A chair.", "@c.txt  ", "@d.txt A table.")
    (result,) = [result async for result in sage.ingest_many([source], SCOPE)]
    assert result.status is IngestStatus.ADDED
    assert [each.status for each in result.attachments] == [
        IngestStatus.ADDED, IngestStatus.FAILED, IngestStatus.ADDED,
    ]  # fmt: skip
    assert result.warnings == ("an attachment could not be read: a.eml/c.txt holds no readable text.",)
    record = await sage.record(SCOPE, result.document.id)
    assert record is not None
    assert record.warnings == result.warnings


async def test_one_that_cannot_be_read_any_more_keeps_its_older_version(sage: RagSage) -> None:
    await sage.ingest(mail("A lamp.", "@b.txt A chair."), SCOPE)
    result = await sage.ingest(mail("A green lamp.", "@b.txt  "), SCOPE)
    assert result.attachments[0].status is IngestStatus.FAILED
    assert await text_of(sage, "a.eml/b.txt") == "A chair."


async def test_they_do_not_stand_deeper_in_each_other_than_three(sage: RagSage) -> None:
    class Nested(MailParser):
        def parse(self, source: RawSource) -> ParsedDocument:
            parsed = super().parse(source)
            return replace(parsed, attachments=(RawSource("x.eml", content=f"{source.read().decode()} again."),))

    nested = RagSage(database=sage.database, compute=replace(sage.compute, parser=Nested()), stores=sage._stores)
    result = await nested.ingest(mail("A lamp"), SCOPE)
    assert await sources(sage) == ["a.eml", "a.eml/x.eml", "a.eml/x.eml/x.eml", "a.eml/x.eml/x.eml/x.eml"]
    depth, deepest = 0, result
    while deepest.attachments:
        depth, deepest = depth + 1, deepest.attachments[0]
    assert (depth, deepest.status) == (4, IngestStatus.FAILED)


async def test_a_failing_embedder_leaves_neither_parent_nor_attachment(sage: RagSage) -> None:
    with pytest.raises(Exception, match="too much for me"):
        await sage.ingest(mail("A lamp.", "@b.txt An unembeddable chair."), SCOPE)
    assert await sources(sage) == []


async def test_a_document_that_only_says_so_is_no_attachment(sage: RagSage) -> None:
    await sage.ingest(mail("A lamp.", name="other.txt"), SCOPE)
    await sage.ingest(RawSource("a.eml", content="Hello.", metadata={"attachments": ["other.txt", "a.eml", 3]}), SCOPE)
    await sage.delete_document(SCOPE, document_id("a.eml"))
    assert await sources(sage) == ["other.txt"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.txt", "a.txt", "a.txt"], ["a.txt", "a (2).txt", "a (3).txt"]),
        (["../../etc/passwd", "C:\\docs\\x.pdf", "", "..", "a\x1b[31m.txt"],
         ["passwd", "x.pdf", "attachment-3", "attachment-4", "a[31m.txt"]),
        (["تقرير.pdf"], ["تقرير.pdf"]),
    ],
)  # fmt: skip
def test_names_are_plain_and_unique(names: Sequence[str], expected: Sequence[str]) -> None:
    parent = RawSource("m.eml", content="", password="secret")
    made = attached_sources(parent, [RawSource(name, content="x") for name in names])
    assert [source.name for source in made] == [f"m.eml/{name}" for name in expected]
    assert all(source.password == "secret" for source in made)
