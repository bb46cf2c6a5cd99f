"""RagSage.from_config: any layer replaced; the rest as the config says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dalil import ComputeKit, IngestionConfig, QueryOptions, RagSage, RawSource, Scope
from dalil.fakes import FakeEmbedder, FakeEngineKit, FakeLLMClient
from dalil.ingestion.model_contextualizing import ModelContextualizer
from dalil.providers import ProviderConfig
from dalil.sage import RagSageConfig, StoreKit
from dalil.stores.postgres import PostgresConfig
from dalil.stores.sqlite import SqliteDatabase

SCOPE = Scope("default")
CONFIG = RagSageConfig(
    postgres=PostgresConfig("postgresql://nobody:hunter2@127.0.0.1:1/none"),
    providers=ProviderConfig(openai_api_key="sk-hunter2", voyage_api_key="pa-hunter2"),
    ingestion=IngestionConfig(chunk_size=100, chunk_overlap=10),
    query=QueryOptions(context_k=2),
)


def kit() -> ComputeKit:
    fakes = FakeEngineKit()
    return replace(ComputeKit.local(FakeEmbedder(32), FakeLLMClient()), reranker=fakes.reranker)


async def test_the_embedded_store_and_other_models_in_the_place_of_the_default_ones(tmp_path: Path) -> None:
    async with RagSage.from_config(
        CONFIG, database=SqliteDatabase(tmp_path), compute=kit(), stores=StoreKit.sqlite()
    ) as sage:
        await sage.migrate()
        result = await sage.ingest(RawSource("note.txt", content="The deposit is 740 dinars. " * 40), SCOPE)
        assert result.chunk_count > 1  # cut as the config says
        answer = await sage.query("How much is the deposit?", SCOPE)
        assert answer.grounded
        assert "740" in answer.text


def test_the_default_kit_is_made_of_the_models_that_are_named() -> None:
    models = ComputeKit.from_config(CONFIG)
    assert type(models.embedder).__name__ == "VoyageEmbedder"
    assert type(models.reranker).__name__ == "VoyageReranker"
    assert type(models.llm).__name__ == "OpenAILLM"
    assert models.rewriter is not None
    assert isinstance(ComputeKit.with_model_contextualizer(CONFIG).contextualizer, ModelContextualizer)


def test_one_adapter_is_replaced_with_replace() -> None:
    mine = FakeEmbedder(8)
    assert replace(ComputeKit.from_config(CONFIG), embedder=mine).embedder is mine


def test_no_secret_is_shown() -> None:
    shown = repr((CONFIG, ComputeKit.from_config(CONFIG), RagSage.from_config(CONFIG)))
    assert "hunter2" not in shown


async def test_what_belongs_to_the_kit_is_closed_with_it(tmp_path: Path) -> None:
    class Client:
        closed = 0

        async def aclose(self) -> None:
            self.closed += 1

    client = Client()
    compute = replace(kit(), clients=(client,))
    database = SqliteDatabase(tmp_path)
    async with RagSage.from_config(CONFIG, database=database, compute=compute, stores=StoreKit.sqlite()):
        pass
    assert client.closed == 1


@pytest.mark.parametrize("location", ["postgres://h/db", "postgresql://h/db", "postgresql+asyncpg://h/db"])
async def test_a_url_is_a_postgresql_database(location: str) -> None:
    sage = RagSage.open(location, embedder="fast")
    assert type(sage.database).__module__.startswith("dalil.stores.postgres")
