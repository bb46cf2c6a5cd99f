"""What a password opened is for whoever knows the password."""

from __future__ import annotations

from typing import Any

import pytest

from dalil import RawSource, Scope
from dalil.assembly import ComputeKit
from dalil.errors import EncryptedDocumentError
from dalil.fakes import FakeDocumentParser, FakeLLMClient
from dalil.ingestion.caching import MemoryCache
from dalil.models import ParsedDocument
from dalil.sage import RagSage

from .conftest import SCOPE, CountingEmbedder

PASSWORD = "asdfzxcv"


class LockedParser(FakeDocumentParser):
    def parse(self, source: RawSource) -> ParsedDocument:
        if source.password != PASSWORD:
            raise EncryptedDocumentError(f"{source.name} is locked with a password.")
        return super().parse(source)


async def test_what_was_opened_is_not_open_to_others(tmp_path: Any, embedder: CountingEmbedder) -> None:
    made = RagSage.open(tmp_path / "store", embedder=embedder)
    kit = ComputeKit.local(embedder, FakeLLMClient())
    cache = MemoryCache()
    for namespace, password in (("one", PASSWORD), ("two", None), ("three", "wrong")):
        source = RawSource("a.txt", content="The lamp is green.", password=password)
        sage = RagSage(
            database=made.database,
            compute=ComputeKit(**{**vars(kit), "parser": LockedParser(), "cache": cache}),
            stores=made._stores,
        )
        if password == PASSWORD:
            await sage.ingest(source, Scope(namespace))
        else:
            with pytest.raises(EncryptedDocumentError):
                await sage.ingest(source, Scope(namespace))
    await made.dispose()


async def test_a_draft_does_not_carry_it(tmp_path: Any, embedder: CountingEmbedder) -> None:
    async with RagSage.open(tmp_path / "store", embedder=embedder) as sage:
        await sage.migrate()
        source = RawSource("a.txt", content="The lamp is green.", password=PASSWORD)
        draft = await sage._preparing().read(source, SCOPE)
        assert draft.source.password is None
        result = await sage.ingest(source, SCOPE)
        assert PASSWORD not in repr((draft, result, source))
