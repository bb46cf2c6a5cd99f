"""A process that writes to a store until it is killed, or kills itself at a named point of the write path.

It imports everything, then waits for its orders: one line of JSON on its standard input. What it is about to do
(`will`) and what has been acknowledged (`did`) are lines of JSON on its standard output.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from crash.documents import id_of, open_sage, put, scope_of, vector_of
from dalil.sage import RagSage
from dalil.stores.sqlite import SqliteDatabase, SqliteDocumentStore, SqliteLexicalStore, SqliteVectorStore
from dalil.stores.sqlite import database as database_module
from dalil.stores.sqlite import vector_index as vector_index_module
from dalil.stores.sqlite.scans import TurbovecScan
from dalil.stores.sqlite.vector_index import VectorIndex
from dalil.stores.sqlite.word_index import WordIndex

MOST_DOCUMENTS = 1500


def say(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# --- points of the write path --------------------------------------------------------------------------------


def _before(owner: Any, name: str, when: Callable[..., bool] = lambda *_, **__: True) -> None:
    """Die when `owner.name` is called."""
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **options: Any) -> Any:
        if when(*arguments, **options):
            die()
        return original(*arguments, **options)

    setattr(owner, name, wrapped)


def _after(owner: Any, name: str, when: Callable[..., bool] = lambda *_, **__: True) -> None:
    """Die when `owner.name` has done its work."""
    original = getattr(owner, name)

    def wrapped(*arguments: Any, **options: Any) -> Any:
        result = original(*arguments, **options)
        if when(*arguments, **options):
            die()
        return result

    setattr(owner, name, wrapped)


def _after_awaiting(owner: Any, name: str, nth: int = 1) -> None:
    """Die when the `nth` call of the coroutine function `owner.name` has done its work."""
    original = getattr(owner, name)
    calls = iter(range(1, 1000))

    async def wrapped(*arguments: Any, **options: Any) -> Any:
        result = await original(*arguments, **options)
        if next(calls) == nth:
            die()
        return result

    setattr(owner, name, wrapped)


def _writes(_: Any, read_only: bool, *__: Any, **___: Any) -> bool:
    return not read_only


def _commits(_: Any, connection: Any, how: str) -> bool:
    return how == "COMMIT" and connection.total_changes > 0


def _onto(suffix: str) -> Callable[..., bool]:
    return lambda _, target: str(target).endswith(suffix)


def _half_a_file(_: TurbovecScan, part: Path) -> bool:
    part.write_bytes(part.read_bytes()[: part.stat().st_size // 2])
    return True


def _half_a_description(path: Path, *_: Any) -> bool:
    if path.name.startswith("words.") and path.name.endswith(".part"):
        path.write_bytes(path.read_bytes()[:9])
        return True
    return False


BEFORE_COMMIT: Mapping[str, Callable[[], None]] = {
    "before BEGIN": lambda: _before(SqliteDatabase, "_begin", _writes),
    "after BEGIN": lambda: _after(SqliteDatabase, "_begin", _writes),
    "after the old vectors went": lambda: _after_awaiting(SqliteVectorStore, "delete"),
    "after the old words went": lambda: _after_awaiting(SqliteLexicalStore, "delete"),
    "after the document's row": lambda: _after_awaiting(SqliteDocumentStore, "save"),
    "after the pages": lambda: _after_awaiting(SqliteDocumentStore, "save_pages"),
    "after the vectors": lambda: _after_awaiting(SqliteVectorStore, "upsert"),
    "after the words": lambda: _after_awaiting(SqliteLexicalStore, "index"),
    "after the sentences": lambda: _after_awaiting(SqliteVectorStore, "save_sentences"),
    "in the second document of a group": lambda: _after_awaiting(SqliteVectorStore, "upsert", nth=2),
    "just before COMMIT": lambda: _before(SqliteDatabase, "_end", _commits),
}
"""Points at which nothing may have happened yet."""

AFTER_COMMIT: Mapping[str, Callable[[], None]] = {
    "just after COMMIT": lambda: _after(SqliteDatabase, "_end", _commits),
    "before tantivy's commit": lambda: _before(WordIndex, "_commit"),
    "while words.json is written": lambda: _after(Path, "write_text", _half_a_description),
    "before words.json is replaced": lambda: _before(os, "replace", _onto("words.json")),
    "after words.json was replaced": lambda: _after(os, "replace", _onto("words.json")),
    "after the word index was thrown away": lambda: _after(WordIndex, "_discard"),
    "before dispose": lambda: _before(SqliteDatabase, "_settle"),
    "before the vector file is written": lambda: _before(VectorIndex, "write"),
    "while the vector file is written": lambda: _after(TurbovecScan, "write", _half_a_file),
    "before the vector file is replaced": lambda: _before(os, "replace", _onto(".index")),
    "after the vector file was replaced": lambda: _after(os, "replace", _onto(".index")),
    "before vectors.json is replaced": lambda: _before(os, "replace", _onto("vectors.json")),
    "after vectors.json was replaced": lambda: _after(os, "replace", _onto("vectors.json")),
    "between two connections that are closed": lambda: _before(SqliteDatabase, "_close"),
    "at the end of dispose": lambda: _after(SqliteDatabase, "_close"),
}
"""Points at which everything must have happened."""


# --- work ------------------------------------------------------------------------------------------------------


async def ingest(sage: RagSage, versions: Mapping[int, int]) -> None:
    """Puts these versions into the store and acknowledges each."""
    async for number, chunks in put(sage, versions):
        say(did=[number, versions[number], chunks])


async def write_until_killed(folder: Path, seed: int, versions: dict[int, int], alive: set[int]) -> None:
    """New documents, new versions of older ones (three of ten) and some removed; the indexes written now and then."""
    random = Random(seed)
    sage = open_sage(folder)
    while True:
        batch: dict[int, int] = {}
        for _ in range(random.randint(1, 12)):
            replaced = random.random() < 0.3 or len(versions) >= MOST_DOCUMENTS
            number = random.choice(sorted(alive)) if replaced and alive else max(versions, default=0) + 1
            if number not in batch:
                batch[number] = versions[number] = versions.get(number, 0) + 1
        say(will=list(batch.items()))
        await ingest(sage, batch)
        alive |= batch.keys()
        if random.random() < 0.25:
            number = random.choice(sorted(alive))
            say(will=[(number, None)])
            await sage.delete_document(scope_of(number), id_of(number))
            say(did=[number, None, 0])
            alive.discard(number)
        if random.random() < 0.2:
            await write_indexes(sage)


async def write_indexes(sage: RagSage) -> None:
    scope = scope_of(1)
    async with sage.database.session(scope, read_only=True) as session:
        await SqliteVectorStore(session).search(scope, vector_of("anything"), k=1)
    await sage.dispose()


async def main(orders: dict[str, Any]) -> None:
    folder = Path(orders["folder"])
    database_module.BEHIND = orders.get("behind", 64)
    vector_index_module._WRITTEN_AFTER = orders.get("written_after", 128)
    fault = orders.get("fault")
    if fault is None:
        versions = {int(number): version for number, version in orders["versions"].items()}
        await write_until_killed(folder, orders["seed"], versions, set(orders["alive"]))
        return
    sage = open_sage(folder)
    await sage.migrate()
    (BEFORE_COMMIT | AFTER_COMMIT)[fault]()
    if fault == "after the word index was thrown away":
        (folder / "words.json").unlink()
    await ingest(sage, {int(number): version for number, version in orders["versions"].items()})
    await write_indexes(sage)
    say(survived=fault)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.stdin.readline())))
