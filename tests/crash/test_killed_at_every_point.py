"""A writer that dies at a point of the write path leaves the store as it was before, or as it is after."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from .checking import GONE, examine
from .child import AFTER_COMMIT, BEFORE_COMMIT
from .children import Children
from .documents import SCOPES, open_sage, scope_of, source_of

DOCUMENTS = 120
REPLACED, ADDED = 7, 1001
"""Both in the first namespace, so that one transaction holds them."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a closed store with version 1 of every document, and chunks enough for the indexes to be used."""
    folder = tmp_path_factory.mktemp("filled") / "store"

    asyncio.run(write(folder, dict.fromkeys(range(1, DOCUMENTS + 1), 1)))
    return folder


async def write(folder: Path, versions: Mapping[int, int]) -> None:
    async with open_sage(folder) as sage:
        for scope in SCOPES:
            sources = [source_of(*pair) for pair in versions.items() if scope_of(pair[0]) == scope]
            assert all([result.error is None async for result in sage.ingest_many(sources, scope)])


@pytest.mark.parametrize("point", [*BEFORE_COMMIT, *AFTER_COMMIT])
def test_before_or_after_and_never_half(point: str, filled: Path, children: Children, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(filled, tmp_path / "store"))
    child = children.take()
    changed = {REPLACED: 2, ADDED: 1}
    child.order(folder=folder, versions=changed, fault=point, behind=1, written_after=1)
    said = child.rest()
    assert child.was_killed, (said, child.errors)

    everything: dict[int, int | None] = dict.fromkeys(range(1, DOCUMENTS + 1), 1)
    before = {**everything, ADDED: GONE}
    after = {**everything, **changed}
    left = before if point in BEFORE_COMMIT else after
    some = {REPLACED, ADDED, 1, 8, 50, DOCUMENTS}
    asyncio.run(examine(folder, {number: {version} for number, version in left.items()}, searched=some))

    for part in folder.glob("*.part"):
        os.utime(part, (0, 0))  # long ago
    asyncio.run(write(folder, changed))
    asyncio.run(examine(folder, {number: {version} for number, version in after.items()}, searched=some))
    assert not [path.name for path in folder.rglob("*.part")]
