from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from contract.engines import Engine, new_engine

Open = Callable[..., Engine]


@pytest.fixture
async def open_store(tmp_path: Path) -> AsyncIterator[Open]:
    """Opens `tmp_path / name` as a store, as often as a test likes."""
    opened: list[Engine] = []

    def open_store(name: str = "store", **options: Any) -> Engine:
        opened.append(new_engine("sqlite", tmp_path / name, **options))
        return opened[-1]

    yield open_store
    for engine in opened:
        await engine.database.dispose()
