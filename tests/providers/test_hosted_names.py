"""Hosted models by name, in arguments, in stores, and from other packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dalil.errors import ConfigurationError, MissingAPIKeyError
from dalil.ports import Embedder, Identified, LLMClient, Reranker
from dalil.providers import (
    ConfiguredModels,
    ProviderConfig,
    embedder_by_name,
    embedder_of_store,
    llm_by_name,
    reranker_by_name,
)
from dalil.providers.local import AccurateEmbedder
from dalil.providers.naming import ModelName, parse_name
from providers.conftest import Connect
from providers.protocols import KEY, vector_of

VARIABLES = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "VOYAGE_API_KEY", "COHERE_API_KEY", "DALIL_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def identity_of(embedder: Embedder) -> str:
    assert isinstance(embedder, Identified)
    return embedder.identity


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("openai:gpt-4o", ModelName("openai", "gpt-4o")),
        ("ollama:llama3.2:3b", ModelName("ollama", "llama3.2:3b")),
        ("openai:@cf/meta/llama@http://h/v1", ModelName("openai", "@cf/meta/llama", None, "http://h/v1")),
        ("openai:a/b,dimensions=256@https://u:p@h/v1", ModelName("openai", "a/b", 256, "https://u:p@h/v1")),
        ("fast", None),
        ("openai:", None),
        ("openai:two words", None),
    ],
)
def test_names_are_taken_apart(name: str, parts: ModelName | None) -> None:
    assert parse_name(name) == parts


@pytest.mark.parametrize("option", ["dimensions=0", "dimensions=x", "width=3"])
def test_unknown_options_are_refused(option: str) -> None:
    with pytest.raises(ConfigurationError, match="option"):
        embedder_by_name(f"openai:m,{option}", api_key="k")


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("openai:text-embedding-3-small", "openai:text-embedding-3-small dim=native one-sided"),
        ("openai:text-embedding-3-large,dimensions=256", "openai:text-embedding-3-large dim=256 one-sided"),
        ("openai:bge-m3@http://gpu:8000/v1", "openai-compatible:bge-m3 dim=native one-sided"),
        ("ollama:nomic-embed-text", "ollama:nomic-embed-text dim=native one-sided"),
        ("voyage:voyage-3-large", "voyage:voyage-3-large dim=native input_type=document/query"),
        ("cohere:embed-v4.0", "cohere:embed-v4.0 dim=native input_type=search_document/search_query"),
    ],
)
def test_an_embedder_says_who_it_is(name: str, identity: str) -> None:
    embedder = embedder_by_name(name, api_key="k")
    assert isinstance(embedder, Embedder)
    assert identity_of(embedder) == identity


@pytest.mark.parametrize("name", ["openai:gpt-4o", "anthropic:claude-sonnet-5", "ollama:llama3.2"])
def test_language_models_by_name(name: str) -> None:
    assert isinstance(llm_by_name(name, api_key="k"), LLMClient)


@pytest.mark.parametrize("name", ["voyage:rerank-2", "cohere:rerank-v3.5"])
def test_rerankers_by_name(name: str) -> None:
    assert isinstance(reranker_by_name(name, api_key="k"), Reranker)


@pytest.mark.parametrize(
    ("by_name", "name", "variable"),
    [
        (embedder_by_name, "openai:m", "OPENAI_API_KEY"),
        (llm_by_name, "openai:m", "OPENAI_API_KEY"),
        (llm_by_name, "anthropic:m", "ANTHROPIC_API_KEY"),
        (embedder_by_name, "voyage:m", "VOYAGE_API_KEY"),
        (reranker_by_name, "cohere:m", "COHERE_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(
    by_name: Any, name: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MissingAPIKeyError, match=variable):
        by_name(name)
    monkeypatch.setenv(variable, "a-key\n")
    assert by_name(name) is not None


async def test_a_providers_key_goes_to_no_other_address(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    _, service = await connect("openai-embedder")
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-alone")
    monkeypatch.setenv("DALIL_API_KEY", KEY)
    embedder: Any = embedder_by_name(f"openai:the-model@{service.address}/v1")
    assert [list(vector) for vector in await embedder.embed(["one"])] == [vector_of("one")]
    await embedder.aclose()
    assert "for-openai-alone" not in str(service.requests[0].headers)


@pytest.mark.parametrize("by_name", [embedder_by_name, llm_by_name, reranker_by_name])
@pytest.mark.parametrize("name", ["nothing", "nobody:m", "", "openai", "http://u:hunter2@host"])
def test_unknown_names_say_how_names_are_written(by_name: Any, name: str) -> None:
    with pytest.raises(ConfigurationError, match="PROVIDER:MODEL"):
        by_name(name)


def test_a_port_that_a_provider_does_not_offer() -> None:
    with pytest.raises(ConfigurationError, match="no reranker named 'openai:gpt-4o'"):
        reranker_by_name("openai:gpt-4o", api_key="k")
    with pytest.raises(ConfigurationError, match="no dimensions"):
        llm_by_name("openai:gpt-4o,dimensions=3", api_key="k")


def test_an_address_given_twice_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="twice"):
        llm_by_name("openai:m@http://a/v1", base_url="http://b/v1")


@pytest.mark.parametrize("name", ["openai:m", "openai:m,dimensions=256", "voyage:m", "ollama:m"])
def test_a_store_finds_its_embedder(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.setenv(variable, "k")
    made = embedder_by_name(name)
    found = embedder_of_store(identity_of(made))
    assert type(found) is type(made)
    assert identity_of(found) == identity_of(made)


@pytest.mark.parametrize("name", ["voyage:m", "openai:m@http://gpu:8000/v1"])
async def test_an_embedder_that_cannot_be_had_says_so_when_it_is_needed(name: str) -> None:
    identity = identity_of(embedder_by_name(name, api_key="k"))
    found = embedder_of_store(identity)
    assert identity_of(found) == identity
    with pytest.raises(ConfigurationError, match=r"VOYAGE_API_KEY|BASE_URL"):
        await found.embed(["one"])


def test_a_store_of_an_unknown_embedder_gets_the_local_one() -> None:
    assert isinstance(embedder_of_store("somebody.else.Embedder"), AccurateEmbedder)


PLUGIN = """
class Model:
    identity = "acme:large v1"
    def __init__(self, model): self.model = model
    async def embed(self, texts): return [[1.0] for _ in texts]
    async def rerank(self, query, candidates, *, top_k): return candidates
    async def generate(self, prompt): yield self.model
    async def transcribe(self, image): return ""
def broken(model): raise RuntimeError("out of order")
"""


def test_other_packages_add_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "acme_models.py").write_text(PLUGIN, "utf-8")
    info = tmp_path / "acme_models-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-models\nVersion: 1.0\n", "utf-8")
    groups = "\n".join(
        f"[dalil.{group}]\nacme = acme_models:Model\nbroken = acme_models:broken"
        for group in ("embedders", "llms", "rerankers")
    )
    (info / "entry_points.txt").write_text(groups, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for by_name in (embedder_by_name, llm_by_name, reranker_by_name):
        assert by_name("acme:large").model == "large"  # type: ignore[attr-defined]
        with pytest.raises(ConfigurationError, match="out of order"):
            by_name("broken:x")
        with pytest.raises(ConfigurationError, match="acme"):
            by_name("unknown:x")
    assert identity_of(embedder_of_store("acme:large v1")) == "acme:large v1"


WITHOUT_PACKAGES = """
import sys
for name in ("openai", "anthropic", "httpx", "httpx2"):
    sys.modules[name] = None
from dalil.errors import MissingExtraError
from dalil.providers import ConfiguredModels, ProviderConfig, embedder_by_name, llm_by_name, reranker_by_name
models = ConfiguredModels.of(ProviderConfig("a", "b"))
for by_name, name, extra in (
    (embedder_by_name, "openai:m", "openai"), (llm_by_name, "ollama:m", "openai"),
    (llm_by_name, "anthropic:m", "anthropic"), (embedder_by_name, "voyage:m", "voyage"),
    (reranker_by_name, "cohere:m", "cohere"),
):
    try:
        by_name(name, api_key="k")
    except MissingExtraError as error:
        assert f"pip install 'dalil[{extra}]'" in str(error), error
    else:
        raise AssertionError(name)
import asyncio
try:
    asyncio.run(models.embedder.embed(["x"]))
except MissingExtraError as error:
    assert "dalil[voyage]" in str(error)
else:
    raise AssertionError
"""


def test_missing_packages_are_named_and_nothing_is_loaded_early() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_PACKAGES], check=True, timeout=60)


def test_a_config_has_the_documented_defaults() -> None:
    config = ProviderConfig(openai_api_key="a", voyage_api_key="b")
    assert (config.embedding_model, config.rerank_model) == ("voyage-3-large", "rerank-2")
    assert (config.contextualize_model, config.generation_model, config.vision_model) == (
        "gpt-4o-mini",
        "gpt-4o",
        "gpt-4o",
    )
    limits = (config.timeout_seconds, config.context_max_tokens, config.rewrite_max_tokens, config.vision_max_tokens)
    assert limits == (60, 128, 256, 4096)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"openai_api_key": " "}, MissingAPIKeyError),
        ({"voyage_api_key": ""}, MissingAPIKeyError),
        ({"generation_model": ""}, ConfigurationError),
        ({"timeout_seconds": 0}, ConfigurationError),
        ({"context_max_tokens": -1}, ConfigurationError),
    ],
)
def test_a_config_that_cannot_work_is_refused(options: dict[str, Any], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        ProviderConfig(**{"openai_api_key": "a", "voyage_api_key": "b", **options})


async def test_a_config_gives_the_models_of_a_whole_engine(connect: Connect) -> None:
    _, openai = await connect("openai-llm")
    _, voyage = await connect("voyage-embedder")
    config = ProviderConfig(
        KEY,
        KEY,
        embedding_model="the-model",
        openai_base_url=f"{openai.address}/v1",
        voyage_base_url=f"{voyage.address}/v1",
    )
    models: Any = ConfiguredModels.of(config)
    assert len(await models.embedder.embed(["one"])) == 1
    for llm in (models.llm, models.context_llm, models.rewrite_llm):
        assert [fragment async for fragment in llm.generate("?")]
    bodies = [request.body for request in openai.requests]
    assert [(body["model"], body.get("max_tokens")) for body in bodies] == [
        ("gpt-4o", None),
        ("gpt-4o-mini", 128),
        ("gpt-4o", 256),
    ]
    for model in (models.embedder, models.reranker, models.llm, models.context_llm, models.rewrite_llm):
        await model.aclose()
