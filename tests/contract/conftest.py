from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from stores.postgres.server import stop_server

from .engines import ENGINES, Engine, forget, new_engine

__all__ = ["stop_server"]


@pytest.fixture
async def make_engine(tmp_path: Path) -> AsyncIterator[Callable[[str], Engine]]:
    """Makes empty engines by name, as many as a test asks for."""
    made: list[Engine] = []

    def make(name: str) -> Engine:
        engine = new_engine(name, tmp_path / f"store{len(made)}")
        made.append(engine)
        return engine

    yield make
    for engine in made:
        await engine.database.dispose()
    forget(tmp_path)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, make_engine: Callable[[str], Engine]) -> Engine:
    """An empty engine; the test runs once for each kind."""
    return make_engine(request.param)


@pytest.fixture
def fresh(engine: Engine, make_engine: Callable[[str], Engine]) -> Engine:
    """A second, empty engine of the same kind, to compare with."""
    return make_engine(engine.name)
