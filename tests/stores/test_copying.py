"""A whole store copied while it is written to, and put back in one piece or not at all."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from dalil import RagSage, RawSource, Scope, StoreCorruptError, StoreUnavailableError, StoreVersionError
from dalil.stores.sqlite import SqliteDatabase
from dalil.stores.sqlite.copying import copy_store, stored_embedder
from dalil.stores.sqlite.database import FILE_NAME

SCOPE = Scope("default")


async def filled(folder: Path, *names: str) -> None:
    async with RagSage.open(folder, embedder="fast") as sage:
        for name in names:
            await sage.ingest(RawSource(name, content=f"The deposit of flat {name} is 740 dinars."), SCOPE)


async def names_in(folder: Path) -> list[str]:
    async with RagSage.open(folder) as sage:
        assert [found.chunk.source for found in await sage.search("deposit", SCOPE, mode="words")]
        return [document.source for document in await sage.documents(SCOPE)]


async def test_a_copy_can_be_opened_as_a_store(tmp_path: Path) -> None:
    await filled(tmp_path / "store", "a", "b")
    copy_store(tmp_path / "store" / FILE_NAME, tmp_path / "copy" / FILE_NAME)
    assert await names_in(tmp_path / "copy") == ["a", "b"]
    assert (stored_embedder(tmp_path / "copy" / FILE_NAME) or "").startswith("local:fast")


async def test_a_copy_replaces_what_another_engine_has_open(tmp_path: Path) -> None:
    await filled(tmp_path / "store", "a", "b")
    await filled(tmp_path / "live", "x", "y", "z")
    async with RagSage.open(tmp_path / "live") as sage:
        assert await sage.search("deposit of flat x", SCOPE)
        copy_store(tmp_path / "store" / FILE_NAME, tmp_path / "live" / FILE_NAME)
        assert [document.source for document in await sage.documents(SCOPE)] == ["a", "b"]
        for mode in ("hybrid", "words"):
            found = await sage.search("deposit of flat x", SCOPE, mode=mode)  # type: ignore[arg-type]
            assert {scored.chunk.source for scored in found} == {"a", "b"}


async def test_a_copy_is_one_state_while_others_write(tmp_path: Path) -> None:
    await filled(tmp_path / "store", "first")
    done = threading.Event()

    def copy_over_and_over() -> list[tuple[int, int]]:
        seen = []
        while not done.is_set() and len(seen) < 200:
            target = tmp_path / f"copy{len(seen) % 2}" / FILE_NAME
            copy_store(tmp_path / "store" / FILE_NAME, target)
            with sqlite3.connect(target) as connection:
                documents = connection.execute("SELECT count(*) FROM document").fetchone()[0]
                vectors = connection.execute("SELECT count(*) FROM vector").fetchone()[0]
            connection.close()
            seen.append((documents, vectors))
        return seen

    seen: list[tuple[int, int]] = []
    copying = threading.Thread(target=lambda: seen.extend(copy_over_and_over()))
    copying.start()
    try:
        await filled(tmp_path / "store", *(f"n{number}" for number in range(30)))
    finally:
        done.set()
        copying.join()
    assert seen
    assert all(documents == vectors for documents, vectors in seen)


async def test_what_is_no_sound_store_replaces_nothing(tmp_path: Path) -> None:
    await filled(tmp_path / "live", "x")
    target = tmp_path / "live" / FILE_NAME
    broken = tmp_path / "broken" / FILE_NAME
    broken.parent.mkdir()
    with pytest.raises(StoreUnavailableError):
        copy_store(broken, target)
    broken.write_bytes(b"")
    with pytest.raises(StoreCorruptError):
        copy_store(broken, target)
    broken.write_bytes(b"no database at all" * 400)
    with pytest.raises(StoreCorruptError):
        copy_store(broken, target)
    copy_store(target, tmp_path / "copy" / FILE_NAME)
    with sqlite3.connect(tmp_path / "copy" / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreVersionError):
        copy_store(tmp_path / "copy" / FILE_NAME, target)
    whole = bytearray(target.read_bytes())
    whole[8192:24576] = b"\x7f" * 16384
    broken.write_bytes(whole)
    with pytest.raises(StoreCorruptError):
        copy_store(broken, target)
    assert await names_in(tmp_path / "live") == ["x"]


async def test_a_store_is_not_copied_onto_itself(tmp_path: Path) -> None:
    await filled(tmp_path / "live", "x")
    with pytest.raises(StoreUnavailableError, match="itself"):
        copy_store(tmp_path / "live" / FILE_NAME, tmp_path / "live" / FILE_NAME)


async def test_every_change_by_anyone_moves_the_data_version(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "store")
    seen = [database.data_version()]
    for name in "ab":
        await filled(tmp_path / "store", name)
        seen.append(database.data_version())
        assert database.data_version() == seen[-1]
    await database.dispose()
    await filled(tmp_path / "store", "c")
    seen.append(database.data_version())
    await database.dispose()
    assert len(set(seen)) == len(seen)
