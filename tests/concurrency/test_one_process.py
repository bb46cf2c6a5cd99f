"""Many tasks on one engine, some of them cancelled or given up: nothing is torn, and nothing stays open."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crash.checking import GONE, examine
from crash.documents import chunks_of, fill, id_of, mark_of, open_sage, scope_of, source_of, vector_of
from dalil.errors import StoreError
from dalil.models import AnswerToken
from dalil.sage import RagSage
from dalil.stores.sqlite import SqliteVectorStore, database, vector_index
from dalil.stores.sqlite.vector_index import VectorIndex
from dalil.stores.sqlite.word_index import WordIndex

from .conftest import DOCUMENTS, breathe
from .reading import read_at_random

Transactions = Callable[[], str]


async def test_readers_and_writers_on_one_engine(sage: RagSage, tmp_path: Path) -> None:
    versions = dict.fromkeys(DOCUMENTS, 1)
    writing = True
    torn: list[str] = []

    async def write(numbers: list[int]) -> None:
        for round_ in range(4):
            for number in numbers[round_::4]:
                versions[number] += 1
                await sage.ingest(source_of(number, versions[number]), scope_of(number))

    async def read(seed: int) -> int:
        random = Random(seed)
        rounds = 0
        while writing:
            torn.extend(await read_at_random(sage, random, list(DOCUMENTS)))
            rounds += 1
        return rounds

    readers = [asyncio.create_task(read(seed)) for seed in range(12)]
    await asyncio.gather(*(write([number for number in DOCUMENTS if number % 4 == turn]) for turn in range(4)))
    writing = False
    rounds = await asyncio.gather(*readers)
    assert torn == []
    assert min(rounds) >= 1
    await sage.dispose()
    await examine(tmp_path / "store", {number: {version} for number, version in versions.items()})


async def test_cancelling_at_any_moment_leaves_the_store_usable(
    sage: RagSage, transactions: Transactions, tmp_path: Path
) -> None:
    random = Random(7)
    held: dict[int, set[int | None]] = {number: {1} for number in DOCUMENTS}
    attempted = dict.fromkeys(DOCUMENTS, 1)
    question = chunks_of(3, 1)[0].text

    def next_version(number: int) -> Any:
        attempted[number] += 1
        held[number].add(attempted[number])
        return source_of(number, attempted[number])

    async def add_many() -> None:
        numbers = [number for number in random.sample(DOCUMENTS, 12) if scope_of(number) == scope_of(1)]
        async with aclosing(sage.ingest_many([next_version(number) for number in numbers], scope_of(1))) as results:
            async for _ in results:
                pass

    async def remove() -> None:
        number = random.choice(DOCUMENTS)
        held[number].add(GONE)
        await sage.delete_document(scope_of(number), id_of(number))

    async def write_in_a_session() -> None:
        number = random.choice(DOCUMENTS)
        held[number].add(GONE)
        async with sage.database.session(scope_of(number)) as session:
            for store in sage._stores.of(session):
                await store.delete(scope_of(number), id_of(number))

    async def listen() -> None:
        async with aclosing(sage.stream(question, scope_of(3))) as events:
            async for _ in events:
                await asyncio.sleep(0)

    kinds: list[Callable[[], Awaitable[Any]]] = [
        lambda: sage.ingest(next_version(random.choice(DOCUMENTS[::4])), scope_of(1)),
        add_many,
        remove,
        write_in_a_session,
        lambda: sage.query(question, scope_of(3)),
        lambda: sage.search(question, scope_of(3)),
        lambda: sage.records(scope_of(3)),
        listen,
    ]
    for _ in range(100):
        tasks = [asyncio.ensure_future(random.choice(kinds)()) for _ in range(random.randint(1, 5))]
        await asyncio.sleep(random.choice((0.0, random.uniform(0.0, 0.003), random.uniform(0.0, 0.03))))
        for task in tasks:
            task.cancel()
            if random.random() < 0.3:
                asyncio.get_running_loop().call_later(random.uniform(0.0, 0.002), task.cancel)  # impatiently
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            assert outcome is None or not isinstance(outcome, Exception), repr(outcome)
    await breathe()
    gc.collect()
    assert transactions() == ""
    await asyncio.wait_for(sage.ingest(source_of(500, 1), scope_of(500)), 10)
    assert transactions() == ""
    await sage.dispose()
    await examine(tmp_path / "store", {**held, 500: {1}})


async def test_cancelled_while_it_begins_or_ends(
    sage: RagSage, transactions: Transactions, connections: list[sqlite3.Connection]
) -> None:
    """The two moments at which a connection changes hands; each session must still have one of its own."""
    scope = scope_of(1)

    async def look(read_only: bool) -> None:
        async with sage.database.session(scope, read_only=read_only):
            pass

    for turn in range(60):
        others = [asyncio.create_task(look(True)) for _ in range(3)]
        task = asyncio.create_task(look(read_only=turn % 2 == 0))
        for _ in range(turn % 12):
            await asyncio.sleep(0.0003)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await asyncio.gather(*others)
    idle = sage.database._idle  # type: ignore[attr-defined]
    assert len(idle) == len(set(map(id, idle))), "two sessions may be given the same connection"
    assert not any(connection.in_transaction for connection in idle)
    assert len(connections) <= 5
    assert transactions() == ""


async def test_a_writer_that_waits_for_another_process_can_be_cancelled(
    sage: RagSage, transactions: Transactions, tmp_path: Path
) -> None:
    other = sqlite3.connect(tmp_path / "store" / "dalil.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = [
        asyncio.create_task(sage.delete_document(scope_of(1), id_of(1))),
        asyncio.create_task(sage.ingest(source_of(2, 2), scope_of(2))),
    ]
    await asyncio.sleep(0.3)
    for task in waiting:
        task.cancel()
    done, pending = await asyncio.wait(waiting, timeout=5)
    other.execute("ROLLBACK")
    other.close()
    assert not pending
    assert all(task.cancelled() for task in done)
    await sage.ingest(source_of(1, 2), scope_of(1))
    assert transactions() == ""


@pytest.mark.parametrize("file", ["no index file", "an index file that is behind"])
async def test_a_search_cancelled_while_the_index_is_built_leaves_no_half_of_it(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index that is built once and then trusted must not be one that was given up in the middle."""
    folder = tmp_path / "store"
    scope = scope_of(1)

    async def search(engine: RagSage, number: int) -> list[str]:
        async with engine.database.session(scope, read_only=True) as session:
            found = await SqliteVectorStore(session).search(scope, vector_of(chunks_of(number, 1)[0].text), k=1)
        return [scored.chunk.document_id for scored in found]

    async with open_sage(folder) as sage:
        await fill(sage, range(1, 161))
        if file == "an index file that is behind":
            monkeypatch.setattr(vector_index, "_WRITTEN_AFTER", 1)
            await search(sage, 1)
    async with open_sage(folder) as sage:
        await fill(sage, range(161, 221))
    assert bool([*folder.glob("vectors-*.index")]) == (file != "no index file")

    add = VectorIndex._add

    def interrupted(index: VectorIndex, rows: list[Any]) -> None:
        """What SQLite does to the reading of vectors when the caller is cancelled."""
        monkeypatch.setattr(VectorIndex, "_add", add)
        add(index, rows[: len(rows) // 2])
        raise sqlite3.OperationalError("interrupted")

    async with open_sage(folder) as sage:
        await sage.migrate()
        monkeypatch.setattr(VectorIndex, "_add", interrupted)
        with pytest.raises(StoreError):
            await search(sage, 1)
        for number in (1, 101, 159, 161, 190, 219):
            assert await search(sage, number) == [id_of(number)]


async def test_a_stream_that_is_left_early_frees_its_connection(
    sage: RagSage, transactions: Transactions, connections: list[sqlite3.Connection]
) -> None:
    question = chunks_of(3, 1)[0].text
    for _ in range(20):
        async for event in sage.stream(question, scope_of(3)):
            if isinstance(event, AnswerToken):
                break
        await breathe(3)
    gc.collect()
    await breathe()
    assert transactions() == ""
    assert len(connections) <= 2
    await sage.ingest(source_of(3, 2), scope_of(3))


async def test_a_stream_that_outlives_its_engine_is_closed_with_its_connection(
    sage: RagSage, transactions: Transactions
) -> None:
    events = sage.stream(chunks_of(3, 1)[0].text, scope_of(3))
    await anext(events)
    await sage.dispose()
    await events.aclose()
    assert transactions() == ""
    assert len(await sage.documents(scope_of(3))) == len([n for n in DOCUMENTS if scope_of(n) == scope_of(3)])


async def test_a_reader_does_not_wait_for_the_word_index_to_be_written(
    sage: RagSage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sage.dispose()  # writes the index
    writing, go_on = threading.Event(), threading.Event()
    commit = WordIndex._commit

    def slowly(index: WordIndex, writer: Any, position: Any) -> None:
        writing.set()
        assert go_on.wait(30)
        commit(index, writer, position)

    monkeypatch.setattr(WordIndex, "_commit", slowly)
    monkeypatch.setattr(database, "BEHIND", 1)
    writer = asyncio.create_task(sage.ingest(source_of(3, 2), scope_of(3)))
    try:
        assert await asyncio.to_thread(writing.wait, 30)
        found = await asyncio.wait_for(sage.search(mark_of(3, 2), scope_of(3), mode="words"), 10)
        assert {scored.chunk.document_id for scored in found} == {id_of(3)}
    finally:
        go_on.set()
        await writer
