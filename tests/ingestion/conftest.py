"""An engine over a real store, with an embedder that counts and parts that can be replaced."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from dalil import RawSource, Scope
from dalil.fakes import FakeEmbedder
from dalil.models import Vector
from dalil.sage import RagSage

SCOPE = Scope("tests")


class CountingEmbedder(FakeEmbedder):
    """Remembers every text that it was asked to embed; refuses those that contain "unembeddable"."""

    def __init__(self) -> None:
        super().__init__(16)
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.texts += texts
        if any("unembeddable" in text for text in texts):
            raise RuntimeError("too much for me")
        return await super().embed(texts)


Open = Callable[..., RagSage]


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
async def open_sage(tmp_path: Path, embedder: CountingEmbedder) -> AsyncIterator[Open]:
    """Opens the same store, as often as a test likes."""
    opened: list[RagSage] = []

    def open_sage(**options: Any) -> RagSage:
        opened.append(RagSage.open(tmp_path / "store", embedder=embedder, **options))
        return opened[-1]

    yield open_sage
    for sage in opened:
        await sage.dispose()


@pytest.fixture
def sage(open_sage: Open) -> RagSage:
    return open_sage()


def lamps(count: int, colour: str = "green") -> list[RawSource]:
    """Small documents, each of one chunk and unlike the others."""
    return [RawSource(f"{number:03}.txt", content=f"Lamp number {number} is {colour}.") for number in range(count)]


async def sources(sage: RagSage) -> list[str]:
    return [document.source for document in await sage.documents(SCOPE)]


async def text_of(sage: RagSage, name: str) -> str:
    """The stored text of the document with this name."""
    document = next(document for document in await sage.documents(SCOPE) if document.source == name)
    return "\f".join(page.text for page in await sage.pages(SCOPE, document.id))
