"""`--llm`: answers by a language model, asked over its real protocol, and what is said when it cannot be had."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from providers import protocols
from providers.service import Service, refuse

from .conftest import Run, as_process, one_line

QUESTION = "When was the tower of Amra built?"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DALIL_API_KEY")


@pytest.fixture
async def service(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A server of one's own with the protocol of OpenAI, whose model cites its first source."""
    monkeypatch.setattr(protocols, "WORDS", ("It was", " built in 1903", " by Salim Haddad", " [1]."))
    service = Service(protocols.openai_chat)
    await service.start()
    yield service
    await service.stop()


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


def model(service: Service) -> str:
    return f"openai:the-model@{service.address}/v1"


async def run(home: Path, *arguments: str | Path) -> Any:
    return await asyncio.to_thread(as_process, *arguments, cwd=home, DALIL_API_KEY=protocols.KEY)


async def test_the_model_writes_the_answer_and_its_citations_are_checked(home: Path, service: Service) -> None:
    ended = await run(home, "ask", QUESTION, "--llm", model(service), "--json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.json["text"] == "It was built in 1903 by Salim Haddad [1]."
    (citation,) = ended.json["citations"]
    assert (citation["source"], citation["verified"]) == ("docs/tower.txt", True)
    assert "1903" in citation["quote"]
    assert QUESTION in service.requests[0].body["messages"][0]["content"]


async def test_the_model_is_explained_too(home: Path, service: Service) -> None:
    ended = await run(home, "ask", QUESTION, "--llm", model(service), "--explain")
    assert (ended.code, ended.err) == (0, "")
    assert "built in 1903 by Salim Haddad" in ended.out
    assert len(service.requests) == 1


async def test_what_is_not_in_the_documents_is_not_asked_of_the_model(home: Path, service: Service) -> None:
    ended = await run(home, "ask", "Which volcano erupted near Naples?", "--llm", model(service), "--json")
    assert (ended.code, ended.json["outcome"]) == (0, "not_found")
    assert service.requests == []


async def test_a_model_is_measured(home: Path, service: Service) -> None:
    ended = await run(home, "eval", "--set", "small", "--embedder", "fast", "--llm", model(service), "--json", "-")
    assert ended.code == 1  # it says the same to every question
    report = json.loads(ended.out)
    assert report["llm"] == model(service).partition("@")[0]
    assert "built in 1903" in report["cases"][0]["answer"]
    assert service.address not in ended.out + ended.err


async def test_a_model_that_fails_is_one_line(home: Path, service: Service) -> None:
    service.fault_of = lambda _: refuse(401)
    ended = await run(home, "ask", QUESTION, "--llm", model(service))
    assert (ended.code, ended.out) == (4, "")
    assert one_line(ended.err)
    assert protocols.KEY not in ended.err


def test_extractive_is_a_name_too(home: Path, dalil: Run) -> None:
    assert dalil("ask", QUESTION, "--llm", "extractive").out == dalil("ask", QUESTION).out


@pytest.mark.parametrize("verb", [("ask", QUESTION), ("eval", "--set", "small")])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody:m", "There is no language model named 'nobody:m'"),
        ("llama", "There is no language model named 'llama'"),
        ("voyage:rerank-2", "There is no language model named 'voyage:rerank-2'"),
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-5", "ANTHROPIC_API_KEY"),
    ],
)
def test_a_model_that_cannot_be_had_is_one_line(
    home: Path, dalil: Run, verb: tuple[str, ...], name: str, said: str
) -> None:
    ended = dalil(*verb, "--llm", name)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert one_line(ended.err)


def test_a_missing_package_is_named(home: Path, dalil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalil.providers.catalogue.find_spec", lambda name: None)
    ended = dalil("ask", QUESTION, "--llm", "ollama:llama3.2")
    assert ended.code == 2
    assert "pip install 'dalil[openai]'" in ended.err
    assert one_line(ended.err)
