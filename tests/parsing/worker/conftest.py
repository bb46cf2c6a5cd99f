"""Pools of workers for one test each, and readers that misbehave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dalil.models import RawSource
from dalil.parsing import ParsingLimits
from dalil.parsing.reading import Reading
from dalil.parsing.worker import isolated
from dalil.parsing.worker.isolated import read_isolated
from dalil.parsing.worker.pool import WorkerPool
from dalil.parsing.worker.process import Ending, Worker


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerPool]:
    """A pool of two that every backend uses during the test."""
    pool = WorkerPool(size=2)
    monkeypatch.setattr(isolated, "shared_pool", lambda: pool)
    yield pool
    pool.close()


@pytest.fixture
def strange(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Reading]:
    """Reads by the strange reader: `strange("page hang")`."""
    monkeypatch.syspath_prepend(str(Path(__file__).with_name("strange")))

    def read(words: str, *, name: str = "strange", password: str | None = None, **limits: float) -> Reading:
        data = f"<html>{words}".encode()
        source = RawSource(name, content=data, password=password)
        return read_isolated(data, source, ParsingLimits(**limits), pool=pool)  # type: ignore[arg-type]

    return read


@pytest.fixture
def endings(monkeypatch: pytest.MonkeyPatch) -> list[Ending]:
    """How each worker of the test ended, once it did."""
    seen: list[Ending] = []
    end = Worker.end

    def noted(worker: Worker) -> Ending:
        ending = end(worker)
        seen.append(ending)
        return ending

    monkeypatch.setattr(Worker, "end", noted)
    return seen
