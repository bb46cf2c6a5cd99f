"""ConsoleTracer: a tree that people can read."""

from __future__ import annotations

import io
import re

import pytest

from dalil.fakes import FakeEngineKit
from dalil.tracing import ConsoleTracer

from .conftest import PASSAGE, QUESTION, BrokenReranker, Secret, ask


async def test_the_tree(kit: FakeEngineKit, capsys: pytest.CaptureFixture[str]) -> None:
    await ask(kit, ConsoleTracer())
    caught = capsys.readouterr()
    assert caught.out == ""
    printed = re.sub(r"\d+\.\d ms", "0 ms", caught.err).splitlines()
    assert printed[0] == "query  0 ms  tenant=house  outcome=answered  grounded=true  citations=1"
    assert printed[1] == "├─ rewrite  0 ms  turns=1"
    assert printed[2].startswith("├─ retrieve  0 ms  k=20  dense=4  lexical=1  fused=4  dense_ids=[leave:0, ")
    assert "… 4 in all]" in printed[2]
    assert printed[3] == "├─ rerank  0 ms  candidates=4  kept=1  kept_ids=[leave:0]"
    assert printed[4] == "├─ prompt  0 ms  sources=1  context_ids=[leave:0]"
    assert printed[5].startswith("└─ generate  0 ms  tokens=")
    assert len(printed) == 6


async def test_texts_only_when_asked_for(kit: FakeEngineKit) -> None:
    for content in (False, True):
        stream = io.StringIO()
        tracer = ConsoleTracer(stream, record_content=content)
        await ask(kit, tracer)
        with pytest.raises(Secret):
            await ask(kit, tracer, reranker=BrokenReranker())
        assert (QUESTION in stream.getvalue()) is content
        assert (PASSAGE in stream.getvalue()) is content
        assert "└─ rerank" in stream.getvalue()
        assert ("failed: Secret: Employees" if content else "failed: Secret  ") in stream.getvalue()


def test_point_events_outside_any_span() -> None:
    stream = io.StringIO()
    ConsoleTracer(stream).event("stored", document_id="ab", chunks=3)
    assert stream.getvalue() == "stored  document_id=ab  chunks=3\n"


def test_nested_stages_and_nothing_that_a_terminal_obeys() -> None:
    stream = io.StringIO()
    with ConsoleTracer(stream).span("query", tenant="\x1b[31m") as root:
        with root.child("a") as first, first.child("b", text="never shown"):
            pass
        with root.child("c", share=1 / 3):
            pass
    shown = [re.sub(r"  \d+\.\d ms", "", line) for line in stream.getvalue().splitlines()]
    assert shown == ["query  tenant=\\x1b[31m", "├─ a", "│  └─ b", "└─ c  share=0.333"]


def test_a_console_that_is_gone() -> None:
    stream = io.StringIO()
    stream.close()
    tracer = ConsoleTracer(stream)
    tracer.event("stored")
    with tracer.span("query"):
        pass


def test_a_console_that_knows_few_letters() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "ascii")
    with ConsoleTracer(stream).span("query") as root:
        root.child("retrieve").__exit__(None, None, None)
    assert b"retrieve" in raw.getvalue()
