"""A writer that is killed at random moments, again and again, loses nothing that it has acknowledged."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .checking import GONE, examine
from .children import Children
from .documents import chunks_of


@dataclass
class Ledger:
    """What the children have said: versions that were acknowledged, and those that were still under way."""

    held: dict[int, int | None] = field(default_factory=dict)
    under_way: dict[int, int | None] = field(default_factory=dict)
    attempted: dict[int, int] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)

    def hear(self, said: dict[str, Any]) -> bool:
        """Whether it was an acknowledgement."""
        if "will" in said:
            assert not self.under_way
            for number, version in said["will"]:
                self.under_way[number] = version
                self.touched.add(number)
                if version is not GONE:
                    self.attempted[number] = version
            return False
        number, version, chunks = said["did"]
        assert self.under_way.pop(number) == version
        self.held[number] = version
        assert version is GONE or chunks == len(chunks_of(number, version))
        return True

    @property
    def allowed(self) -> dict[int, set[int | None]]:
        """The versions that each document may have: the acknowledged one, or the one that was under way."""
        allowed = {number: {version} for number, version in self.held.items()}
        for number, version in self.under_way.items():
            allowed.setdefault(number, {GONE}).add(version)
        return allowed

    @property
    def alive(self) -> list[int]:
        return [number for number, version in self.held.items() if version is not GONE]

    def settle(self, found: dict[int, int | None]) -> None:
        self.held = found
        self.under_way.clear()
        self.touched.clear()


def some(folder: Path, pattern: str, change: Callable[[Path], object]) -> None:
    for path in sorted(folder.glob(pattern)):
        if path.is_file() and not path.name.endswith(".lock"):
            change(path)


def scramble(path: Path) -> None:
    path.write_bytes(b"\xa5" * path.stat().st_size)


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGE: list[Callable[[Path], object]] = [
    lambda folder: shutil.rmtree(folder / "words", ignore_errors=True),
    lambda folder: (folder / "words.json").unlink(missing_ok=True),
    lambda folder: some(folder, "words/*", scramble),
    lambda folder: some(folder, "words/*.idx", halve),
    lambda folder: some(folder, "words.json", halve),
    lambda folder: some(folder, "vectors-*.index", Path.unlink),
    lambda folder: some(folder, "vectors-*.index", halve),
    lambda folder: some(folder, "vectors-*.index", scramble),
    lambda folder: some(folder, "vectors.json", halve),
]


@pytest.mark.parametrize("kills", [20, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])])
def test_nothing_acknowledged_is_lost(kills: int, children: Children, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    random = Random(kills)
    ledger = Ledger()
    for round_ in range(kills):
        if round_ % 2:
            random.choice(DAMAGE)(folder)
        child = children.take()
        child.order(
            folder=folder,
            seed=random.random(),
            versions=ledger.attempted,
            alive=ledger.alive,
            behind=random.choice([16, 64, 256]),
        )
        wanted = random.randint(1, 30)
        while wanted:
            wanted -= ledger.hear(child.read())
        time.sleep(random.uniform(0.0, 0.08))
        for said in child.kill():
            ledger.hear(said)
        assert child.was_killed, child.errors
        allowed = ledger.allowed
        older = [number for number in allowed if number not in ledger.touched]
        searched = {*ledger.touched, *random.sample(older, min(10, len(older)))}
        ledger.settle(asyncio.run(examine(folder, allowed, searched=searched)))
    assert len(ledger.alive) > kills
    asyncio.run(examine(folder, ledger.allowed))
