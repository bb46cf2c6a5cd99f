"""Keys and passwords appear in no repr, error, traceback or log, and go to no other address."""

from __future__ import annotations

import logging
import traceback
from typing import Any

import pytest

from dalil.errors import ConfigurationError, DalilError, MissingAPIKeyError
from dalil.models import Chunk, ScoredChunk
from dalil.providers import ProviderConfig
from dalil.providers.openai import OpenAIEmbedder, OpenAILLM
from providers.conftest import ADAPTERS, Connect
from providers.protocols import KEY
from providers.service import hang_up, refuse

PASSWORD = "hunter2-password"


async def use(model: Any) -> None:
    if hasattr(model, "embed"):
        await model.embed(["one"])
    elif hasattr(model, "rerank"):
        await model.rerank("q", [ScoredChunk(Chunk("d:0", "d", "text", 1, 0), 0.0)], top_k=1)
    else:
        async for _ in model.generate("?"):
            pass


@pytest.mark.parametrize("name", ADAPTERS)
@pytest.mark.parametrize(
    "fault", [refuse(401, message=f"wrong key {KEY} {PASSWORD}"), refuse(400, message=KEY), hang_up]
)
async def test_nothing_shows_a_key(connect: Connect, name: str, fault: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    model, service = await connect(name)
    service.fault_of = lambda _: fault
    with pytest.raises(DalilError) as caught:
        await use(model)
    shown = "".join(traceback.format_exception(caught.value)) + repr(model) + caplog.text + str(caught.value.details)
    assert KEY not in shown
    error: BaseException | None = caught.value
    while error is not None:  # nor do the errors behind it hold a request
        assert not hasattr(error, "request")
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("name", ADAPTERS)
async def test_a_password_in_the_address_is_sent_but_never_shown(
    connect: Connect, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    _, service = await connect(name)
    kind, _, path = ADAPTERS[name]
    url = service.address.replace("http://", f"http://user:{PASSWORD}@") + path
    model = kind("the-model", base_url=url)
    service.faults = [refuse(400)]
    with pytest.raises(DalilError) as caught:
        await use(model)
    await model.aclose()
    assert service.requests[0].headers["authorization"].startswith("Basic ")
    assert PASSWORD not in f"{caught.value} {model!r} {vars(model)['name']} {caplog.text}"


@pytest.mark.parametrize("name", ADAPTERS)
async def test_a_server_of_ones_own_needs_no_key(connect: Connect, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(variable, "from-the-environment")
    model, service = await connect(name, api_key=None)
    service.faults = [refuse(400)]
    with pytest.raises(DalilError):
        await use(model)
    sent = service.requests[0].headers
    assert "from-the-environment" not in sent.values()
    assert not {"authorization", "x-api-key", "openai-organization", "openai-project"} & set(sent)


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_providers_own_address_needs_a_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not read by classes")
    with pytest.raises(MissingAPIKeyError):
        ADAPTERS[name][0]("the-model")


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "clé"])
def test_a_key_that_is_none_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        OpenAILLM("m", api_key=key)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host/v1", "http://", f"http://u:{PASSWORD}@host:port/", "http://host/v1?key=1"]
)
def test_an_address_that_is_none_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        OpenAIEmbedder("m", base_url=url)
    assert PASSWORD not in str(caught.value)


def test_a_config_shows_no_key() -> None:
    config = ProviderConfig("sk-one", "pa-two", openai_base_url=f"http://u:{PASSWORD}@host/v1")
    assert not any(secret in repr(config) for secret in ("sk-one", "pa-two", PASSWORD))
