"""What derives from the store may be lost, damaged or stale: results stay those of a fresh store; the log says so."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from contract.engines import Engine, Found, new_engine, same_ranking

from .conftest import Open

QUERIES = ("tea order 17", "mint", "water 5", "new tea", "order")
CHUNKS = 2200


def corpus(marker: str, chunks: int = CHUNKS) -> dict[str, list[str]]:
    """Enough chunks for the index files of both kinds to be written."""
    return {
        f"{marker}{n:04}.txt": [f"tea order {n} {'mint ' * (n % 4)}", f"water {n % 97} {marker}"]
        for n in range(chunks // 2)
    }


async def answers(engine: Engine) -> list[Found]:
    return [await find(query) for query in QUERIES for find in (engine.by_words, engine.by_vector)]


async def is_like_fresh(engine: Engine, fresh: Engine) -> bool:
    found = zip(await answers(engine), await answers(fresh), strict=True)
    return all(same_ranking(one, other) for one, other in found)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed store whose index files are in step."""
    folder = tmp_path_factory.mktemp("filled") / "store"

    async def fill() -> None:
        engine = new_engine("sqlite", folder)
        await engine.add_all(corpus("a"))
        await answers(engine)
        await engine.database.dispose()

    asyncio.run(fill())
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    """A copy of it, to be disturbed."""
    return Path(shutil.copytree(filled, tmp_path / "store"))


@pytest.fixture
async def fresh(filled: Path, open_store: Open, tmp_path: Path) -> Engine:
    """A store with the same documents, whose indexes are built anew and never disturbed."""
    (tmp_path / "fresh").mkdir()
    shutil.copy(filled / "dalil.sqlite", tmp_path / "fresh")
    engine = open_store("fresh")
    await answers(engine)
    return engine


def vector_files(folder: Path) -> list[Path]:
    found = [*folder.glob("vectors-*.index")]
    assert found, "the test needs a written vector index"
    return found


def word_files(folder: Path) -> list[Path]:
    found = [path for path in (folder / "words").iterdir() if path.is_file() and not path.name.endswith(".lock")]
    assert found, "the test needs a written word index"
    return found


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    path.write_bytes(b"\xa5" * path.stat().st_size)


def replace_indexes(folder: Path, others: Path) -> None:
    """Puts the index files of another folder in the place of this one's."""
    for target, change in ((folder, "remove"), (others, "copy")):
        for path in (*target.glob("words*"), *target.glob("vectors*")):
            if change == "remove":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            else:
                (shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name)


def flip(path: Path) -> None:
    """Damages 64 bytes in the middle."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = bytes(255 - byte for byte in data[middle : middle + 64])
    path.write_bytes(data)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "words deleted": lambda folder: shutil.rmtree(folder / "words"),
    "words emptied": lambda folder: [path.unlink() for path in word_files(folder)],
    "words replaced by a file": lambda folder: (shutil.rmtree(folder / "words"), (folder / "words").write_text("x")),
    "words truncated": lambda folder: [truncate(path) for path in word_files(folder)],
    "words scrambled": lambda folder: [scramble(path) for path in word_files(folder)],
    "words without meta.json": lambda folder: (folder / "words" / "meta.json").unlink(),
    "word data truncated": lambda folder: [truncate(p) for p in word_files(folder) if p.suffix != ".json"],
    "word data flipped": lambda folder: [flip(path) for path in word_files(folder) if path.suffix != ".json"],
    "word data deleted": lambda folder: [p.unlink() for p in word_files(folder) if p.suffix != ".json"],
    "words.json deleted": lambda folder: (folder / "words.json").unlink(),
    "words.json emptied": lambda folder: (folder / "words.json").write_text(""),
    "words.json scrambled": lambda folder: (folder / "words.json").write_text('{"format": 1, "position": "x"}'),
    "words.json of another history": lambda folder: (folder / "words.json").write_text(
        '{"format": 1, "position": [3, 12345]}'
    ),
    "vector file deleted": lambda folder: [path.unlink() for path in vector_files(folder)],
    "vector file truncated": lambda folder: [truncate(path) for path in vector_files(folder)],
    "vector file flipped": lambda folder: [flip(path) for path in vector_files(folder)],
    "vector file scrambled": lambda folder: [scramble(path) for path in vector_files(folder)],
    "vectors.json deleted": lambda folder: (folder / "vectors.json").unlink(),
    "vectors.json emptied": lambda folder: (folder / "vectors.json").write_text(""),
    "vectors.json scrambled": lambda folder: (folder / "vectors.json").write_text('{"position": [1], "file": 7}'),
    "everything deleted": lambda folder: [
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path in folder.iterdir()
        if path.name != "dalil.sqlite"
    ],
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
async def test_a_damaged_index_is_built_again(
    damage: Callable[[Path], object],
    folder: Path,
    fresh: Engine,
    open_store: Open,
    caplog: pytest.LogCaptureFixture,
) -> None:
    damage(folder)
    with caplog.at_level(logging.INFO, "dalil.stores"):
        engine = open_store()
        assert await is_like_fresh(engine, fresh)
        assert any("index" in record.getMessage() for record in caplog.records)
    await engine.add_all({"new.txt": ["a new tea with mint"]})
    await fresh.add_all({"new.txt": ["a new tea with mint"]})
    assert await is_like_fresh(engine, fresh)
    await engine.database.dispose()
    assert await is_like_fresh(open_store(), fresh)


async def test_an_undisturbed_index_is_used_as_it_is(
    folder: Path, fresh: Engine, open_store: Open, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "dalil.stores"):
        assert await is_like_fresh(open_store(), fresh)
    assert caplog.messages == []


@pytest.mark.parametrize("later", [1, 300], ids=["a little newer", "much newer"])
async def test_indexes_newer_than_a_restored_store(
    later: int, folder: Path, fresh: Engine, open_store: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    backup = tmp_path / "backup.sqlite"
    shutil.copy(folder / "dalil.sqlite", backup)
    engine = open_store()
    await engine.delete(*(f"a{n:04}.txt" for n in range(0, 900, 3)))
    await engine.add_all(corpus("b", later * 10))
    await answers(engine)
    await engine.database.dispose()
    for name in ("dalil.sqlite-wal", "dalil.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    shutil.copy(backup, folder / "dalil.sqlite")
    with caplog.at_level(logging.INFO, "dalil.stores"):
        engine = open_store()
        assert await is_like_fresh(engine, fresh)
    assert any("index" in message for message in caplog.messages)
    await engine.add_all(corpus("c", 600))
    await fresh.add_all(corpus("c", 600))
    assert await is_like_fresh(engine, fresh)


async def test_indexes_of_another_store(folder: Path, fresh: Engine, open_store: Open, tmp_path: Path) -> None:
    other = open_store("other")
    await other.add_all(corpus("z"))
    await answers(other)
    await other.database.dispose()
    replace_indexes(folder, tmp_path / "other")
    assert await is_like_fresh(open_store(), fresh)


async def test_indexes_that_lag_behind(folder: Path, fresh: Engine, open_store: Open, tmp_path: Path) -> None:
    """As after a process that was killed before it wrote its indexes."""
    shutil.copytree(folder, tmp_path / "saved")
    engine = open_store()
    for store in (engine, fresh):
        await store.delete("a0003.txt", "a0500.txt")
        await store.add_all(corpus("b", 900))
        await store.add("a0007.txt", "a changed text about mint")
    assert await is_like_fresh(engine, fresh)
    await engine.database.dispose()
    replace_indexes(folder, tmp_path / "saved")
    assert await is_like_fresh(open_store(), fresh)
