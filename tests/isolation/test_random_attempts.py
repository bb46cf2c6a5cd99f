"""Ten thousand random attempts to reach another tenant's rows: every one of them comes back with none."""

# ruff: noqa: S608 - the statements are the attempts; the tables are our own list

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from contract.engines import a_vector
from dalil.identity import document_id
from dalil.scope import Scope
from dalil.stores.postgres.schema import TENANT_TABLES

from .conftest import SOURCES, THEIRS, House, chunk_ids, stores_of

ATTACKERS = ("nobody", "mine", "Theirs", "theirs ", "theirs' OR '1'='1", "%", "their_", "\x00theirs", "theirs\x01")
CONDITIONS = (
    "namespace = 'theirs'",
    "namespace LIKE '%'  AND namespace <> 'mine'",
    "namespace <> current_setting('dalil.namespace', true)",
    "true OR namespace = 'theirs'",
    "namespace IN (SELECT 'theirs' UNION SELECT namespace FROM dalil_namespaces)",
    "namespace COLLATE \"C\" > 'n'",
    "exists (SELECT 1 FROM dalil_chunks AS c WHERE c.namespace = 'theirs')",
)


def filters(random: Random) -> dict[str, Any]:
    values = ["theirs", ["theirs", None], "' OR owner = 'theirs", 1, True, "%", "theirs\x00"]
    names = ["owner", "namespace", "document_ids", "owner' OR '1'='1", "n.namespace", ""]
    chosen = {random.choice(names): random.choice(values) for _ in range(random.randint(0, 2))}
    if random.random() < 0.3:
        chosen["document_ids"] = [document_id(source) for source in SOURCES]
    return chosen


async def attempt(session: Any, scope: Scope, random: Random) -> Any:
    """One way to look, of all there are."""
    stores = stores_of(session)
    identifier = document_id(random.choice(SOURCES))
    k = random.choice([1, 10, 1000])
    match random.randrange(12):
        case 0:
            return await stores.documents.get(scope, identifier)
        case 1:
            return await stores.documents.list(scope)
        case 2:
            return await stores.documents.records(scope)
        case 3:
            return await stores.documents.pages(scope, identifier)
        case 4:
            return await stores.documents.page_text(scope, identifier, random.randint(0, 4))
        case 5:
            return await stores.vectors.search(scope, a_vector(f"theirs {random.random()}"), k=k)
        case 6:
            return await stores.vectors.similarities(scope, a_vector("tea"), chunk_ids())
        case 7:
            return await stores.vectors.stored_vectors(
                scope, [f"theirs secret tea {SOURCES[0]} part {n}" for n in (0, 1)]
            )
        case 8:
            return await stores.vectors.match_sentences(scope, a_vector("tea", 8), chunk_ids())
        case 9:
            return await stores.words.search(scope, random.choice(["theirs", "secret tea", "part 1"]), k=k)
        case 10:
            return await stores.words.lexical_signals(scope, "theirs secret", chunk_ids())
        case _:
            table, condition = random.choice(TENANT_TABLES), random.choice(CONDITIONS)
            statement = f"SELECT * FROM {table} WHERE ({condition}) AND namespace <> :own"
            own = scope.namespace.replace("\x01", "\x01\x02").replace("\x00", "\x01\x01")
            return (await session.execute(text(statement), {"own": own})).all()


async def attack(house: House, seed: int, attempts: int) -> int:
    """How many attempts saw something of another tenant."""
    random = Random(seed)
    leaks = made = 0
    while made < attempts:
        name = random.choice(ATTACKERS)
        async with house.database.session(Scope(name), read_only=random.random() < 0.7) as session:
            for _ in range(random.randint(1, 30)):
                seen = await attempt(session, Scope(name, filters(random)), random)
                leaks += bool(seen) and (name != "mine" or "theirs" in repr(seen))
                made += 1
    return leaks


async def test_five_hundred_random_attempts_see_nothing(house: House) -> None:
    assert await attack(house, 1, 500) == 0


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_ten_thousand_random_attempts_see_nothing(house: House) -> None:
    before = await house.contents(THEIRS)
    assert await attack(house, 2, 10_000) == 0
    assert await house.contents(THEIRS) == before


async def test_the_attempts_would_notice(house: House) -> None:
    """The same attempts as the tenant itself do see its rows."""
    random = Random(3)
    async with house.database.session(THEIRS, read_only=True) as session:
        seen = [await attempt(session, THEIRS, random) for _ in range(60)]
    assert sum("theirs" in repr(found) or bool(found) for found in seen) > 30
