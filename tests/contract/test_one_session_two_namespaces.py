"""One session may write the same chunks into two namespaces; each keeps its own."""

from __future__ import annotations

from .engines import OTHER, SCOPE, Engine, a_chunk, a_document


async def test_vectors_and_words_go_to_the_namespace_they_are_given_to(engine: Engine) -> None:
    document, chunks = a_document("tea.txt", "green tea"), [a_chunk("tea.txt", 0, "green tea")]
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, chunks)
        await stores.documents.save(OTHER, document, chunks)
        await stores.words.index(SCOPE, chunks)
    assert [source for source, *_ in await engine.by_words("tea", SCOPE)] == ["tea.txt"]
    assert await engine.by_words("tea", OTHER) == []
