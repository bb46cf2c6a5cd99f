"""Everything that a crash could leave behind is something that the checker sees."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from .checking import FILE, examine
from .documents import fill, open_sage

DOCUMENTS = range(1, 9)
DAMAGE = {
    "a vector that is missing": "DELETE FROM vector WHERE chunk = 3",
    "a vector of another text": "UPDATE vector SET data = (SELECT data FROM vector WHERE chunk = 4) WHERE chunk = 3",
    "words that are missing": "DELETE FROM words WHERE chunk = 3",
    "words of another text": "UPDATE words SET tokens = ' tea ', length = 1 WHERE chunk = 3",
    "sentences that are missing": "DELETE FROM sentence WHERE chunk = 3",
    "half of the sentences": "UPDATE sentence SET data = substr(data, 1, 8) WHERE chunk = 3",
    "a page that is missing": "DELETE FROM page WHERE document = 2 AND number = 1",
    "a page of another version": "UPDATE page SET text = replace(text, 'v1', 'v2')",
    "a chunk that is missing": "DELETE FROM chunk WHERE key = 3",
    "a chunk without its document": "UPDATE chunk SET document = 99 WHERE key = 3",
    "a page without its document": "INSERT INTO page (document, number, text) VALUES (99, 1, 'stray')",
    "a word without its chunk": "INSERT INTO words VALUES (9999, 1, ' tea ')",
    "a sentence without its chunk": "INSERT INTO sentence SELECT 9999, places, scales, data FROM sentence LIMIT 1",
    "a document without its chunks": "DELETE FROM chunk WHERE document = 2",
    "a document that was never saved": "UPDATE document SET saved = 0 WHERE key = 2",
    "a document that is missing": "DELETE FROM document WHERE key = 2",
    "a term that is counted twice": "UPDATE term SET containing = containing + 1 WHERE term = 'tea'",
    "a term that is gone": "DELETE FROM term WHERE term = 'tea'",
    "a term of nobody": "INSERT INTO term SELECT key, 'stray', 1 FROM namespace",
    "a namespace that counts wrong": "UPDATE namespace SET worded = worded + 1",
    "an older version": "UPDATE document SET metadata = '{\"version\": 2}' WHERE key = 2",
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled") / "store"

    async def work() -> None:
        async with open_sage(folder) as sage:
            await fill(sage, DOCUMENTS)

    asyncio.run(work())
    return folder


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_damage(statement: str, filled: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(filled, tmp_path / "store"))
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute(statement).rowcount > 0
        connection.commit()
    with pytest.raises(AssertionError):
        asyncio.run(examine(folder, {number: {1} for number in DOCUMENTS}))


def test_a_whole_store(filled: Path) -> None:
    asyncio.run(examine(filled, {number: {1} for number in DOCUMENTS}))


def test_another_version_than_allowed(filled: Path) -> None:
    with pytest.raises(AssertionError, match="is version 1"):
        asyncio.run(examine(filled, {**{number: {1} for number in DOCUMENTS}, 3: {2, None}}))


def test_a_document_that_was_never_added(filled: Path) -> None:
    with pytest.raises(AssertionError, match="never added"):
        asyncio.run(examine(filled, {number: {1} for number in DOCUMENTS[1:]}))
