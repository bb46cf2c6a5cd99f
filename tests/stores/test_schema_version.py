"""A file that is not ours, or is newer than we are, is refused and left exactly as it was."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dalil.errors import StoreCorruptError, StoreError, StoreVersionError

from .conftest import Open


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "store").mkdir()
    return tmp_path / "store" / "dalil.sqlite"


def write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def run(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def contents(file: Path) -> dict[str, bytes]:
    """What lies in the store's folder."""
    return {path.name: path.read_bytes() for path in file.parent.iterdir()}


async def refused(open_store: Open, file: Path, error: type[StoreError]) -> StoreError:
    """What opening the store raises, after checking that the folder stayed as it was."""
    before = contents(file)
    with pytest.raises(error) as caught:
        await open_store().sources()
    assert contents(file) == before
    return caught.value


async def test_a_newer_store_is_refused(open_store: Open, file: Path) -> None:
    store = open_store()
    await store.add("a.txt", "tea")
    await store.database.dispose()
    shutil.rmtree(file.parent / "words", ignore_errors=True)
    run(file, "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 99")
    error = await refused(open_store, file, StoreVersionError)
    assert error.details == {"found": 99, "known": 2}
    assert "Upgrade dalil" in str(error)


@pytest.mark.parametrize("version", [0, 1, 7])
async def test_a_database_of_another_program_is_refused(open_store: Open, file: Path, version: int) -> None:
    run(file, "CREATE TABLE bookmarks (url TEXT)", f"PRAGMA user_version = {version}")
    await refused(open_store, file, StoreVersionError if version > 1 else StoreCorruptError)


@pytest.mark.parametrize("content", [b"Dear diary, ", b"\x00\xff", b"SQLite format 3\x00 but not really "])
async def test_a_file_that_is_no_database_is_refused(open_store: Open, file: Path, content: bytes) -> None:
    write(file, content * 500)
    await refused(open_store, file, StoreCorruptError)


async def test_an_empty_file_becomes_a_store(open_store: Open, file: Path) -> None:
    write(file, b"")
    store = open_store()
    await store.add("a.txt", "tea")
    assert await store.sources() == ["a.txt"]


async def test_opening_again_changes_no_data(open_store: Open, file: Path) -> None:
    await open_store().add("a.txt", "tea")
    for _ in range(3):
        store = open_store()
        await store.database.migrate()
        assert await store.sources() == ["a.txt"]
        await store.database.dispose()


async def test_an_older_store_is_brought_up_to_date_and_loses_nothing(open_store: Open, file: Path) -> None:
    store = open_store()
    await store.add("a.txt", "tea")
    await store.database.dispose()
    run(
        file,
        "ALTER TABLE page DROP COLUMN geometry",
        "ALTER TABLE page DROP COLUMN details",
        "PRAGMA user_version = 1",
    )
    store = open_store()
    await store.database.migrate()
    assert await store.sources() == ["a.txt"]
    await store.add("b.txt", "coffee")
    await store.database.dispose()
    assert await open_store().sources() == ["a.txt", "b.txt"]
