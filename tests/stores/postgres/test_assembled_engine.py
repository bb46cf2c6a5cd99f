"""RagSage over a real PostgreSQL: by URL and by config, isolated, its connections given back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dalil import (
    ComputeKit,
    EmbedderMismatchError,
    Outcome,
    RagSage,
    RAGSystem,
    RawSource,
    SchemaMismatch,
    Scope,
)
from dalil.cli.app import run
from dalil.fakes import FakeEmbedder, FakeLLMClient
from dalil.providers import ProviderConfig
from dalil.sage import RagSageConfig

from . import server

SCOPE, OTHER = Scope("tenant"), Scope("another tenant")
NOTE = RawSource("note.txt", content="The deposit of the flat is 740 dinars. It is paid back within 30 days.")
QUESTION = "How much is the deposit of the flat?"


@pytest.fixture
def name() -> Iterator[str]:
    made = server.empty_database()
    yield made
    server.drop(made)


def url(name: str) -> str:
    return server.config(name).dsn


async def test_a_url_is_all_it_takes(name: str) -> None:
    async with RagSage.open(url(name), embedder="fast") as sage:
        await sage.ingest(NOTE, SCOPE)
        answer = await sage.query(QUESTION, SCOPE)
        assert "740" in answer.text
        assert answer.citations[0].verified
        assert (await sage.query(QUESTION, OTHER)).outcome is Outcome.NOT_FOUND
        status = await sage.status()
        assert status.of("tenant").chunks == 1
        assert (status.embedder or "").startswith("local:fast")
    async with RagSage.open(url(name)) as sage:  # the store's own embedder
        assert "740" in (await sage.query(QUESTION, SCOPE)).text
    async with RagSage.open(url(name), embedder="accurate") as sage:
        with pytest.raises((EmbedderMismatchError, SchemaMismatch)):
            await sage.query(QUESTION, SCOPE)


async def test_from_config_over_postgresql_with_other_models(name: str) -> None:
    config = RagSageConfig(
        postgres=server.config(name, embedding_dim=32),
        providers=ProviderConfig(openai_api_key="sk-none", voyage_api_key="pa-none"),
    )
    kit = replace(ComputeKit.local(FakeEmbedder(32), FakeLLMClient()))
    async with RagSage.from_config(config, compute=kit) as sage:
        await sage.migrate()
        await sage.migrate()
        result = await sage.ingest(NOTE, SCOPE)
        assert result.chunk_count == 1
        assert (await sage.ingest(NOTE, SCOPE)).deduplicated
        assert "740" in (await sage.query(QUESTION, SCOPE)).text
        await sage.ingest(replace(NOTE, content="The deposit of the flat is 910 dinars."), SCOPE)
        assert "910" in (await sage.query(QUESTION, SCOPE)).text
        await sage.delete_document(SCOPE, result.document.id)
        await sage.delete_document(SCOPE, result.document.id)
        assert (await sage.query(QUESTION, SCOPE)).outcome is Outcome.NOT_FOUND
        await sage.ingest(NOTE, SCOPE)
        await sage.purge(SCOPE)
        assert await sage.documents(SCOPE) == []


async def test_an_abandoned_stream_gives_its_connection_back(name: str) -> None:
    config = RagSageConfig(
        postgres=server.config(name, embedding_dim=32, pool_size=1, max_overflow=0),
        providers=ProviderConfig(openai_api_key="sk-none", voyage_api_key="pa-none"),
    )
    async with RagSage.from_config(config, compute=ComputeKit.local(FakeEmbedder(32), FakeLLMClient())) as sage:
        await sage.migrate()
        await sage.ingest(NOTE, SCOPE)
        for _ in range(3):  # the pool holds one connection
            stream = sage.stream(QUESTION, SCOPE)
            await anext(stream)
            await stream.aclose()
        assert "740" in (await sage.query(QUESTION, SCOPE)).text


def test_the_command_keeps_its_store_there(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.txt").write_text(str(NOTE.content), "utf-8")
    store = ("--store", url(name).replace("+asyncpg", ""))
    assert run(["add", "note.txt", "--embedder", "fast", *store]) == 0
    assert run(["ask", QUESTION, *store]) == 0
    assert "740" in capsys.readouterr().out
    assert run(["list", *store]) == 0
    assert "note.txt" in capsys.readouterr().out
    assert run(["status", *store]) == 0
    assert not (tmp_path / ".dalil").exists()


def test_the_friendly_face_says_what_it_is_for() -> None:
    with pytest.raises(ValueError, match="folder"):
        RAGSystem.local("postgresql://localhost/none")
