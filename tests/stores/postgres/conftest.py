from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from dalil.stores.postgres import Database

from . import server
from .server import stop_server

__all__ = ["stop_server"]

Open = Callable[..., Database]


@pytest.fixture
def fresh() -> Iterator[str]:
    """A database without tables."""
    name = server.empty_database()
    yield name
    server.drop(name)


@pytest.fixture
def migrated() -> Iterator[str]:
    """A database with empty tables."""
    name = server.new_database()
    yield name
    server.give_back(name)


@pytest.fixture
async def open_database() -> AsyncIterator[Open]:
    """Opens a test database by name, with any other setting, as often as a test likes."""
    opened: list[Database] = []

    def open_database(name: str, login: str | None = None, embedder: str | None = None, **options: Any) -> Database:
        opened.append(Database(server.config(name, login, **options), embedder=embedder))
        return opened[-1]

    yield open_database
    for database in opened:
        await database.dispose()
