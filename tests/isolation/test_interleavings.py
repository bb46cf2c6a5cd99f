"""Sessions of two tenants interleaved at random over one small pool: each only ever meets its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.engines import a_vector
from dalil.identity import document_id
from dalil.scope import Scope
from dalil.stores.postgres import Database
from stores.postgres import server

from .conftest import MINE, THEIRS, contents, furnish, stores_of

SCOPES = (MINE, THEIRS)
SOURCES = ("contract.txt", "notes.txt", "extra.txt")


class Step(NamedTuple):
    """What one of the sessions does next. The session at an even place may write, the one at an odd place reads."""

    place: int
    what: str
    source: str


STEPS = st.builds(
    Step,
    place=st.integers(0, 3),
    what=st.sampled_from(["look", "words", "vectors", "add", "delete", "elsewhere", "commit", "fail"]),
    source=st.sampled_from(SOURCES),
)


class Failed(Exception):
    """Ends a session so that nothing of it stays."""


class Actor:
    """One session of one tenant, opened anew whenever it has ended."""

    def __init__(self, database: Database, scope: Scope, read_only: bool):
        self.database, self.scope, self.read_only = database, scope, read_only
        self.other = SCOPES[1 - SCOPES.index(scope)]
        self._stack = AsyncExitStack()
        self._session: Any = None

    async def stores(self) -> Any:
        if self._session is None:
            opened = self.database.session(self.scope, read_only=self.read_only)
            self._session = await self._stack.enter_async_context(opened)
        return stores_of(self._session)

    async def end(self, *, fails: bool) -> None:
        self._session = None
        if fails:
            await self._stack.__aexit__(Failed, Failed(), None)
        else:
            await self._stack.aclose()

    async def take(self, step: Step) -> None:
        if step.what in ("commit", "fail"):
            try:
                await self.end(fails=step.what == "fail")
            except Failed:
                return
            return
        stores = await self.stores()
        if step.what == "add" and not self.read_only:
            await stores.add(
                step.source, f"{self.scope.namespace} secret", scope=self.scope, owner=self.scope.namespace
            )
        elif step.what == "delete" and not self.read_only:
            await stores.documents.delete(self.scope, document_id(step.source))
        elif step.what == "words":
            self.own(await stores.words.search(self.scope, "mine theirs secret", k=50))
        elif step.what == "vectors":
            self.own(await stores.vectors.search(self.scope, a_vector(f"{self.other.namespace} secret"), k=50))
        elif step.what == "elsewhere":  # their owner's value, and ids that both have
            narrowed = self.scope.with_filters(owner=self.other.namespace)
            assert not await stores.documents.list(narrowed)
            assert not await stores.words.search(narrowed, "secret", k=50)
        for document in await stores.documents.list(self.scope):
            assert document.metadata["owner"] == self.scope.namespace

    def own(self, found: Any) -> None:
        assert {item.chunk.text.split()[0] for item in found} <= {self.scope.namespace}


@pytest.fixture(scope="module")
def runner() -> Iterator[tuple[asyncio.Runner, Database, str]]:
    """One loop and one database for all examples: what one leaves behind, the next must not mix up."""
    name = server.new_database()
    with asyncio.Runner() as runner:
        database = Database(server.config(name, pool_size=2, max_overflow=2))

        async def fill() -> None:
            for scope in SCOPES:
                async with database.session(scope) as session:
                    await furnish(stores_of(session), scope)

        runner.run(fill())
        yield runner, database, name
        runner.run(database.dispose())
    server.give_back(name)


async def live(database: Database, name: str, steps: list[Step]) -> None:
    actors = [Actor(database, SCOPES[place // 2], read_only=place % 2 == 1) for place in range(4)]
    try:
        for step in steps:
            await actors[step.place].take(step)
    finally:
        for actor in actors:
            await actor.end(fails=False)
    for scope, other in (SCOPES, SCOPES[::-1]):
        assert other.namespace not in repr(await contents(name, scope.namespace))


def check(runner: tuple[asyncio.Runner, Database, str], steps: list[Step]) -> None:
    loop, database, name = runner
    loop.run(live(database, name, steps))


SCHEDULES = st.lists(STEPS, min_size=2, max_size=8)
ANY_FIXTURE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@given(SCHEDULES)
@settings(max_examples=60, deadline=None, suppress_health_check=ANY_FIXTURE)
def test_interleaved_sessions_stay_apart(runner: Any, steps: list[Step]) -> None:
    check(runner, steps)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@given(SCHEDULES)
@settings(max_examples=1000, deadline=None, suppress_health_check=ANY_FIXTURE)
def test_a_thousand_interleavings_stay_apart(runner: Any, steps: list[Step]) -> None:
    check(runner, steps)
