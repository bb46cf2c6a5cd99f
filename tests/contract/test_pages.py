"""The text of every page is stored once, exactly."""

from __future__ import annotations

from dalil.models import Page

from .engines import OTHER, SCOPE, Engine, a_document


async def test_pages_come_back_exactly(engine: Engine) -> None:
    texts = ["  leading\tand trailing \n", "", "عربي\u200fمع علامات\r\n", "😀 e\u0301 \x00 nul", "x" * 100_000]
    document = a_document("a.txt")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [])
        await stores.documents.save_pages(SCOPE, document.id, [Page(n, t) for n, t in enumerate(texts, start=1)])
    async with engine.session(read_only=True) as stores:
        assert [page.text for page in await stores.documents.pages(SCOPE, document.id)] == texts
        assert [page.number for page in await stores.documents.pages(SCOPE, document.id)] == [1, 2, 3, 4, 5]
        for number, text in enumerate(texts, start=1):
            assert await stores.documents.page_text(SCOPE, document.id, number) == text
        for number in (0, -1, 6):
            assert await stores.documents.page_text(SCOPE, document.id, number) is None
        assert await stores.documents.page_text(OTHER, document.id, 1) is None


async def test_pages_are_ordered_by_number_and_may_have_gaps(engine: Engine) -> None:
    document = a_document("a.txt")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [])
        await stores.documents.save_pages(SCOPE, document.id, [Page(10, "ten"), Page(2, "two")])
    async with engine.session(read_only=True) as stores:
        assert [(p.number, p.text) for p in await stores.documents.pages(SCOPE, document.id)] == [
            (2, "two"),
            (10, "ten"),
        ]


async def test_saving_pages_again_replaces_all_of_them(engine: Engine) -> None:
    document = await engine.add("a.txt", "one", "two", "three")
    async with engine.session() as stores:
        await stores.documents.save_pages(SCOPE, document.id, [Page(1, "only")])
    async with engine.session(read_only=True) as stores:
        assert [page.text for page in await stores.documents.pages(SCOPE, document.id)] == ["only"]
        assert (await stores.documents.record(SCOPE, document.id)).pages == 1


async def test_pages_of_an_unknown_document_are_dropped(engine: Engine) -> None:
    async with engine.session() as stores:
        await stores.documents.save_pages(SCOPE, "unknown", [Page(1, "text")])
        assert await stores.documents.pages(SCOPE, "unknown") == []
        assert await stores.documents.page_text(SCOPE, "unknown", 1) is None
