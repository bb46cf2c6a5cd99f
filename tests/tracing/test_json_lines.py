"""JsonLinesTracer: a line for each question and each point event, whatever happens."""

from __future__ import annotations

import io
import json
import logging
import math
import os
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from dalil.fakes import FakeEngineKit
from dalil.tracing import JsonLinesTracer

from .conftest import PASSAGE, QUESTION, BrokenReranker, Secret, ask


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


async def test_a_question_is_a_line_with_its_stages(kit: FakeEngineKit, tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    await ask(kit, JsonLinesTracer(file))
    *events, span = lines(file.read_text("utf-8"))
    assert list(span) == [
        "type", "trace_id", "name", "span_id", "parent_id", "tenant", "start", "duration_ms", "error", "attributes",
        "children",
    ]  # fmt: skip
    assert (span["type"], span["name"], span["tenant"], span["parent_id"]) == ("span", "query", "house", None)
    assert [child["name"] for child in span["children"]] == ["rewrite", "retrieve", "rerank", "prompt", "generate"]
    assert span["children"][1]["attributes"]["dense_ids"][0] == "leave:0"
    assert span["attributes"]["outcome"] == "answered"
    assert 0 <= span["children"][1]["duration_ms"] <= span["duration_ms"] < 60_000
    assert datetime.fromisoformat(span["start"]).tzinfo is not None
    assert [event["name"] for event in events] == ["rewritten", "retrieved", "reranked", "answered"]
    assert list(events[1]) == ["type", "name", "time", "trace_id", "span_id", "fields"]
    assert events[1]["fields"] == {"dense": 4, "lexical": 1}
    assert {(event["trace_id"], event["span_id"]) for event in events} == {(span["trace_id"], span["span_id"])}


async def test_texts_are_written_only_when_asked_for(kit: FakeEngineKit) -> None:
    for content in (False, True):
        stream = io.StringIO()
        tracer = JsonLinesTracer(stream, record_content=content)
        await ask(kit, tracer)
        with pytest.raises(Secret):
            await ask(kit, tracer, reranker=BrokenReranker())
        assert (QUESTION in stream.getvalue()) is content
        assert (PASSAGE in stream.getvalue()) is content
        assert lines(stream.getvalue())[-1]["error"] == (f"Secret: {PASSAGE}" if content else "Secret")


def test_anything_can_be_an_attribute() -> None:
    class Unspeakable:
        def __repr__(self) -> str:
            raise RuntimeError

    loop: list[Any] = []
    loop.append(loop)
    stream = io.StringIO()
    with JsonLinesTracer(stream).span("query") as root:
        root.set(none=None, nan=math.nan, set={1}, bytes=b"x", path=Path("a"), it=Unspeakable(), loop=loop, ق="ك")
    attributes = lines(stream.getvalue())[0]["attributes"]
    assert (attributes["nan"], attributes["set"], attributes["path"]) == ("nan", [1], "a")
    assert attributes["it"] == "<Unspeakable>"
    assert '"ق": "ك"' in stream.getvalue()


def test_events_hold_anything_too() -> None:
    stream = io.StringIO()
    JsonLinesTracer(stream).event("stored", nan=math.nan, path=Path("a"))
    assert lines(stream.getvalue())[0]["fields"] == {"nan": "nan", "path": "a"}


def test_a_stream_that_knows_few_letters() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "ascii")
    JsonLinesTracer(stream).event("stored", source="قهوة")
    assert json.loads(raw.getvalue())["fields"] == {"source": "قهوة"}


def test_half_a_letter(tmp_path: Path) -> None:
    JsonLinesTracer(tmp_path / "trace").event("stored", source="a\udcffb")
    assert json.loads((tmp_path / "trace").read_text("utf-8"))["fields"]["source"] == "a\udcffb"


def test_lines_of_several_threads_stay_whole(tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    tracers = [JsonLinesTracer(file), JsonLinesTracer(file)]

    def work(number: int) -> None:
        for turn in range(50):
            with tracers[number % 2].span("query", number=number, turn=turn) as root:
                root.child("retrieve", ids=["x" * 50] * 20).set(done=True)

    threads = [threading.Thread(target=work, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = lines(file.read_text("utf-8"))
    assert len({(line["attributes"]["number"], line["attributes"]["turn"]) for line in written}) == 400


@pytest.mark.parametrize("target", ["nowhere", "closed", "full"])
def test_what_cannot_be_written_is_lost_and_said_once(
    target: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if target == "full" and not os.path.exists("/dev/full"):
        pytest.skip("there is no full disk to be had")
    closed = io.StringIO()
    closed.close()
    tracer = JsonLinesTracer({"nowhere": tmp_path / "no" / "folder", "closed": closed, "full": "/dev/full"}[target])
    for _ in range(3):
        tracer.event("stored")
        with tracer.span("query"):
            pass
    warnings = [record for record in caplog.records if record.name == "dalil.tracing"]
    assert [record.levelno for record in warnings] == [logging.WARNING]


def test_a_line_after_one_that_was_cut_off_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "trace.jsonl"
    tracer = JsonLinesTracer(file)
    write = os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:10]))
        tracer.event("lost")
    tracer.event("stored")
    tracer.event("stored")
    torn, *whole = file.read_text("utf-8").splitlines()
    assert len(torn) == 10
    assert [json.loads(line)["name"] for line in whole] == ["stored", "stored"]
