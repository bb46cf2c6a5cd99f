"""Chunks told where they stand by a model: what it reads, what is kept, what happens when it fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from dalil import ComputeKit, RagSage, RawSource, Scope
from dalil.errors import LLMConnectionError
from dalil.fakes import FakeEmbedder, FakeLLMClient
from dalil.ingestion.caching import MemoryCache
from dalil.ingestion.contextualizing import HeadingWindowContextualizer
from dalil.ingestion.model_contextualizing import ModelContextualizer
from dalil.models import Chunk, Document, PageImage
from dalil.ports import Contextualizer
from dalil.sage import StoreKit
from dalil.stores.sqlite import SqliteDatabase
from dalil.text import estimate_tokens
from dalil.text.messages import NOT_FOUND_MESSAGE

DOCUMENT = Document("d", "handbook.md", "hash", {"title": "Handbook"})
CHUNK = Chunk("d:1", "d", "It is 22 days.", 1, 1, metadata={"headings": ["Leave"]})
TEXT = "Annual leave grows with service.\n\nIt is 22 days.\n\nUnused days lapse in March."


class Model:
    """Replies the same to every prompt, in fragments of one word; keeps prompts and how many fragments were taken."""

    def __init__(self, reply: str | Exception = "This is about annual leave."):
        self.reply = reply
        self.prompts: list[str] = []
        self.taken = 0
        self.closed = 0

    async def generate(self, prompt: str) -> AsyncIterator[str]:
        self.prompts.append(prompt)
        try:
            if isinstance(self.reply, Exception):
                raise self.reply
            for word in self.reply.split(" "):
                self.taken += 1
                yield f"{word} "
        finally:
            self.closed += 1

    async def transcribe(self, image: PageImage) -> str:
        return ""


async def test_the_context_comes_before_title_headings_and_text() -> None:
    contextualizer = ModelContextualizer(Model("This is about\nannual  leave."))
    assert isinstance(contextualizer, Contextualizer)
    found = await contextualizer.contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    assert found == "This is about annual leave.\nHandbook > Leave\nIt is 22 days."


async def test_the_model_reads_the_document_and_the_passage_in_its_language() -> None:
    model = Model()
    await ModelContextualizer(model).contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    arabic = Chunk("d:2", "d", "مدتها {اثنان} وعشرون يومًا.", 1, 2)
    await ModelContextualizer(model).contextualize(DOCUMENT, arabic, full_text=arabic.text)
    assert TEXT in model.prompts[0]
    assert "in English" in model.prompts[0]
    assert "بالعربية" in model.prompts[1]
    assert arabic.text in model.prompts[1]


async def test_no_chunk_is_paid_for_twice_until_its_document_or_text_changes() -> None:
    model, cache = Model(), MemoryCache()
    for _ in range(2):
        await ModelContextualizer(model, cache=cache).contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    assert len(model.prompts) == 1
    changed = Document("d", "handbook.md", "another hash")
    await ModelContextualizer(model, cache=cache).contextualize(changed, CHUNK, full_text=TEXT)
    other = Chunk("d:1", "d", "Another text.", 1, 1)
    await ModelContextualizer(model, cache=cache).contextualize(DOCUMENT, other, full_text=TEXT)
    assert len(model.prompts) == 3


@pytest.mark.parametrize("reply", [LLMConnectionError("gone"), RuntimeError("boom"), "", "  \n", NOT_FOUND_MESSAGE])
async def test_a_failed_call_falls_back_and_is_counted(
    reply: str | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    model = Model(reply)
    contextualizer = ModelContextualizer(model)
    expected = await HeadingWindowContextualizer().contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    assert await contextualizer.contextualize(DOCUMENT, CHUNK, full_text=TEXT) == expected
    assert contextualizer.failures == 1
    assert "d:1" in caplog.text
    assert CHUNK.text not in caplog.text
    model.reply = "Now it works."
    assert (await contextualizer.contextualize(DOCUMENT, CHUNK, full_text=TEXT)).startswith("Now it works.")


async def test_a_model_that_keeps_failing_is_left_alone_for_a_while(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("dalil.ingestion.model_contextualizing.monotonic", lambda: now)
    model = Model(LLMConnectionError("gone"))
    contextualizer = ModelContextualizer(model)
    chunks = [Chunk(f"d:{number}", "d", f"It is {number} days.", 1, number) for number in range(20)]

    async def told(chunk: Chunk) -> str:
        return await contextualizer.contextualize(DOCUMENT, chunk, full_text=TEXT)

    expected = await HeadingWindowContextualizer().contextualize(DOCUMENT, chunks[19], full_text=TEXT)
    assert [await told(chunk) for chunk in chunks][19] == expected
    assert (len(model.prompts), contextualizer.failures) == (contextualizer.patience, 20)
    assert caplog.text.count("left alone") == 1
    now += contextualizer.pause_seconds  # one call tells that it is still gone
    await told(chunks[0])
    await told(chunks[1])
    assert (len(model.prompts), contextualizer.failures) == (contextualizer.patience + 1, 22)
    now += contextualizer.pause_seconds
    model.reply = "Now it works."
    assert (await told(chunks[0])).startswith("Now it works.")
    model.reply = RuntimeError("boom")
    for chunk in chunks[1:5]:
        await told(chunk)
    assert len(model.prompts) == contextualizer.patience + 6
    model.reply = "Now it works."
    assert (await told(chunks[1])).startswith("Now it works.")


async def test_what_is_remembered_is_given_while_the_model_is_left_alone() -> None:
    model = Model()
    contextualizer = ModelContextualizer(model)
    found = await contextualizer.contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    model.reply = RuntimeError("boom")
    for number in range(contextualizer.patience):
        await contextualizer.contextualize(DOCUMENT, replace(CHUNK, text=f"{number}"), full_text=TEXT)
    assert await contextualizer.contextualize(DOCUMENT, CHUNK, full_text=TEXT) == found


async def test_a_reply_that_is_too_long_is_stopped_and_cut_between_words() -> None:
    model = Model("word " * 5000)
    found = await ModelContextualizer(model, max_tokens=20).contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    context = found.split("\n")[0]
    assert 10 < estimate_tokens(context) <= 20
    assert set(context.split()) == {"word"}
    assert model.taken < 100
    assert model.closed == 1


async def test_of_a_long_document_the_beginning_and_the_surroundings_are_read() -> None:
    model = Model()
    before = " ".join(f"before{number}" for number in range(20_000))
    after = " ".join(f"after{number}" for number in range(20_000))
    await ModelContextualizer(model, document_tokens=1000).contextualize(
        DOCUMENT, CHUNK, full_text=f"{before}\n{CHUNK.text}\n{after}"
    )
    (prompt,) = model.prompts
    assert estimate_tokens(prompt) < 1500
    for shown in ("before0 ", "before19999", "after0 ", "[...]"):
        assert shown in prompt
    assert "before10000 " not in prompt


async def test_a_cache_that_fails_only_costs_time() -> None:
    class Broken:
        async def get(self, key: str) -> object:
            raise OSError

        async def set(self, key: str, value: object) -> None:
            raise OSError

    found = await ModelContextualizer(Model(), cache=Broken()).contextualize(DOCUMENT, CHUNK, full_text=TEXT)
    assert found.startswith("This is about annual leave.")


@pytest.mark.parametrize("options", [{"max_tokens": 0}, {"document_tokens": 0}])
def test_numbers_of_tokens_are_positive(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        ModelContextualizer(Model(), **options)  # type: ignore[arg-type]


async def test_several_chunks_are_told_at_a_time(tmp_path: Path) -> None:
    class Counting:
        under_way = most = 0

        async def generate(self, prompt: str) -> AsyncIterator[str]:
            Counting.under_way += 1
            Counting.most = max(Counting.most, Counting.under_way)
            await asyncio.sleep(0.01)
            Counting.under_way -= 1
            yield "It stands in the lease."

        async def transcribe(self, image: PageImage) -> str:
            return ""

    text = "\n\n".join(f"# Part {number}\n\nThe deposit of flat {number} is 740 dinars." for number in range(20))
    kit = replace(
        ComputeKit.local(FakeEmbedder(16), FakeLLMClient()), contextualizer=ModelContextualizer(Counting(), 40)
    )
    async with RagSage(database=SqliteDatabase(tmp_path), compute=kit, stores=StoreKit.sqlite()) as sage:
        assert (await sage.ingest(RawSource("lease.md", content=text), Scope("default"))).chunk_count == 20
    assert 1 < Counting.most <= ModelContextualizer.at_once
