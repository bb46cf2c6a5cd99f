"""Whatever was saved, replaced, deleted, purged and reopened before: an engine holds what a plain dictionary would."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.identity import document_id
from dalil.scope import Scope

from .engines import ENGINES, Engine, Stores, forget, new_engine, same_ranking

SCOPES = (Scope("one"), Scope("two"))
SOURCES = ("a.txt", "b.txt", "ج.txt")
WORDS = st.sampled_from(["tea", "mint", "coffee", "شاي", "7", "the"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=4).map(tuple)


class Step(NamedTuple):
    what: str
    scope: Scope
    source: str
    texts: tuple[str, ...]
    shop: int


STEPS = st.builds(
    Step,
    what=st.sampled_from(["save", "save", "save", "delete", "purge", "search"]),
    scope=st.sampled_from(SCOPES),
    source=st.sampled_from(SOURCES),
    texts=TEXTS,
    shop=st.sampled_from([1, 2]),
)
Model = dict[Scope, dict[str, tuple[tuple[str, ...], int]]]


class Undone(Exception):
    """Ends a session so that nothing of it stays."""


async def take(step: Step, stores: Stores) -> None:
    if step.what == "save":
        await stores.add(step.source, *step.texts, scope=step.scope, shop=step.shop)
    elif step.what == "delete":
        await stores.documents.delete(step.scope, document_id(step.source))
    elif step.what == "purge":
        await stores.documents.purge(step.scope)
    else:
        await stores.vectors.search(step.scope, [1.0] * 16, k=3)


def expect(step: Step, model: Model) -> None:
    if step.what == "save":
        model[step.scope][step.source] = (step.texts, step.shop)
    elif step.what == "delete":
        model[step.scope].pop(step.source, None)
    elif step.what == "purge":
        model[step.scope].clear()


async def compare(engine: Engine, model: Model, folder: Path) -> None:
    """The engine against the model, and against a fresh engine that only ever saw the model's documents."""
    fresh = new_engine(engine.name, folder)
    for scope, documents in model.items():
        async with fresh.session() as stores:
            for source, (texts, shop) in documents.items():
                await stores.add(source, *texts, scope=scope, shop=shop)
        assert await engine.sources(scope) == sorted(documents)
        async with engine.session(scope, read_only=True) as stores:
            for source in SOURCES:
                texts, _ = documents.get(source, ((), 0))
                pages = await stores.documents.pages(scope, document_id(source))
                assert tuple(page.text for page in pages) == texts
            kept = {text for texts, _ in documents.values() for text in texts}
            assert set(await stores.vectors.stored_vectors(scope, [*kept, "never said"])) == kept
        for searched in (scope, scope.with_filters(shop=1), scope.with_filters(document_ids=[document_id("a.txt")])):
            for query in ("tea mint", "شاي 7"):
                assert same_ranking(await engine.by_words(query, searched), await fresh.by_words(query, searched))
                assert same_ranking(await engine.by_vector(query, searched), await fresh.by_vector(query, searched))
    await fresh.database.dispose()


async def live(name: str, sessions: list[tuple[list[Step], bool, bool]], folder: Path) -> None:
    engine = new_engine(name, folder / "lived")
    model: Model = {scope: {} for scope in SCOPES}
    for steps, fails, reopens in sessions:
        if reopens:
            await engine.database.dispose()
        try:
            async with engine.session() as stores:
                for step in steps:
                    await take(step, stores)
                if fails:
                    raise Undone
        except Undone:
            continue
        for step in steps:
            expect(step, model)
        await engine.by_vector("tea", SCOPES[0])
    await compare(engine, model, folder / "fresh")
    await engine.database.dispose()


@pytest.mark.parametrize("name", ENGINES)
@given(st.lists(st.tuples(st.lists(STEPS, min_size=1, max_size=4), st.booleans(), st.booleans()), max_size=8))
@settings(max_examples=25, deadline=None)
def test_only_the_last_version_counts(name: str, sessions: list[tuple[list[Step], bool, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(live(name, sessions, Path(folder)))
        forget(Path(folder))
