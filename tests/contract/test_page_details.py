"""What is known of a page besides its text is kept with it: label, reason, layout, confidence, places of words."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dalil.geometry import PageGeometry, PlacedWord
from dalil.models import Page, PageImage, PageLayout
from dalil.ports import PageLookup

from .engines import OTHER, SCOPE, Engine, a_document

WORDS = [PlacedWord(0, 5, 0.1, 0.2, 0.3, 0.25), PlacedWord(6, 10, 0.35, 0.2, 0.5, 0.25)]
FULL = Page(
    2,
    "مرحبا hello",
    layout=PageLayout(10, 0.25, 1234.5),
    label="iv",
    reason="tesseract",
    confidence=0.91,
    geometry=PageGeometry.of(595, 842, WORDS),
)
shares = st.floats(0, 1, allow_nan=False)
layouts = st.builds(PageLayout, st.integers(0, 10**6), shares, st.floats(0, 1e9, allow_nan=False))
geometries = st.builds(
    PageGeometry,
    st.floats(1, 1e5, allow_nan=False),
    st.floats(1, 1e5, allow_nan=False),
    st.binary(max_size=4).map(lambda data: data * 14),
)
pages = st.builds(
    Page,
    st.integers(1, 2**31),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.none() | st.just(PageImage("a.pdf#page=1", b"picture")),
    st.none() | layouts,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.none() | shares,
    st.none() | geometries,
)


async def test_a_page_comes_back_whole_but_for_its_picture(engine: Engine) -> None:
    document = a_document("a.pdf")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [])
        await stores.documents.save_pages(SCOPE, document.id, [Page(1, "plain"), FULL])
    async with engine.session(read_only=True) as stores:
        assert isinstance(stores.documents, PageLookup)
        assert await stores.documents.page(SCOPE, document.id, 2) == FULL
        assert await stores.documents.page(SCOPE, document.id, 1) == Page(1, "plain")
        assert list(await stores.documents.pages(SCOPE, document.id)) == [Page(1, "plain"), FULL]


async def test_a_page_outside_the_scope_is_not_there(engine: Engine) -> None:
    document = a_document("a.pdf")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [])
        await stores.documents.save_pages(SCOPE, document.id, [FULL])
    async with engine.session(read_only=True) as stores:
        for number in (0, 1, 3):
            assert await stores.documents.page(SCOPE, document.id, number) is None
        assert await stores.documents.page(OTHER, document.id, 2) is None
        outside = SCOPE.with_filters(document_ids=["another"])
        assert await stores.documents.page(outside, document.id, 2) is None


@given(page=pages)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_page_comes_back(engine: Engine, page: Page) -> None:
    document = a_document("a.pdf")
    async with engine.session() as stores:
        await stores.documents.save(SCOPE, document, [])
        await stores.documents.save_pages(SCOPE, document.id, [page])
    async with engine.session(read_only=True) as stores:
        kept = await stores.documents.page(SCOPE, document.id, page.number)
        assert kept is not None
        assert kept.image is None
        assert (kept.text, kept.label, kept.reason, kept.layout) == (page.text, page.label, page.reason, page.layout)
        assert (kept.confidence, kept.geometry) == (page.confidence, page.geometry)
