"""What was added and deleted before, and what other namespaces hold, moves no score."""

from __future__ import annotations

from pathlib import Path

import pytest

from dalil import RagSage, RawSource, Scope

SCOPE = Scope("default")
QUESTIONS = ("When are dates harvested?", "متى يُحصد التمر؟", "price of saffron per gram")
KEPT = [
    RawSource("dates.txt", content="Dates are harvested in autumn. The harvest lasts six weeks.\n\nSaffron is dear."),
    RawSource("تمر.txt", content="يُحصد التمر في الخريف. ويستمر الحصاد ستة أسابيع."),
    RawSource(
        "saffron.md", content="# Saffron\n\nThe price of saffron is four dinars per gram.\n\n# Storage\n\nKeep it dry."
    ),
]
JUNK = [
    RawSource(f"junk{number}.txt", content=f"Saffron, dates and harvest number {number}. " * 5 + "التمر والحصاد. " * 3)
    for number in range(20)
]


async def scores(sage: RagSage) -> list[tuple[str, int, float]]:
    return [
        (found.chunk.source, found.chunk.ordinal, found.score)
        for question in QUESTIONS
        for found in await sage.search(question, SCOPE)
    ]


async def fill(sage: RagSage, sources: list[RawSource], scope: Scope) -> list[str]:
    return [result.document.id async for result in sage.ingest_many(sources, scope)]


@pytest.mark.parametrize("history", ["junk deleted", "another namespace", "junk replaced"])
async def test_scores_are_those_of_a_fresh_store(tmp_path: Path, history: str) -> None:
    async with RagSage.open(tmp_path / "fresh", embedder="fast") as fresh:
        await fill(fresh, KEPT, SCOPE)
        expected = await scores(fresh)
    async with RagSage.open(tmp_path / "lived", embedder="fast") as sage:
        if history == "another namespace":
            await fill(sage, JUNK, Scope("other"))
            await fill(sage, KEPT, SCOPE)
        elif history == "junk deleted":
            junk = await fill(sage, JUNK, SCOPE)
            await fill(sage, KEPT, SCOPE)
            for document in junk:
                await sage.delete_document(SCOPE, document)
        else:
            await fill(
                sage, [RawSource(source.name, content="Saffron and dates, an older version.") for source in KEPT], SCOPE
            )
            await fill(sage, KEPT, SCOPE)
        found = await scores(sage)
    assert [place[:2] for place in found] == [place[:2] for place in expected]
    assert [place[2] for place in found] == pytest.approx([place[2] for place in expected], abs=1e-6)
