"""A quote from a PDF comes with its rectangles on the page, which hold its words and nothing far from them."""

from __future__ import annotations

from pathlib import Path

import pypdfium2

from dalil import RagSage, RawSource, Scope

GUIDE = Path(__file__).parents[2] / "examples" / "documents" / "safety-guide.pdf"
EVERYONE = Scope("default")


async def test_the_rectangles_hold_the_words_of_the_quote(tmp_path: Path) -> None:
    async with RagSage.open(tmp_path / "store", embedder="fast") as sage:
        await sage.ingest(RawSource("guide.pdf", path=GUIDE), EVERYONE)
        answer = await sage.query("How often are fire extinguishers checked?", EVERYONE)
    citation = answer.citations[0]
    assert citation.verified
    assert citation.boxes
    assert {box.page for box in citation.boxes} == {citation.page}
    with pypdfium2.PdfDocument(GUIDE) as document:
        page = document[citation.page - 1]
        width, height = page.get_size()
        textpage = page.get_textpage()
        seen = " ".join(
            textpage.get_text_bounded(
                box.left * width - 1, (1 - box.bottom) * height - 1, box.right * width + 1, (1 - box.top) * height + 1
            )
            for box in citation.boxes
        )
        textpage.close()
        page.close()
    assert " ".join(seen.split()) == " ".join(citation.quote.split())


async def test_a_quote_from_plain_text_has_none(tmp_path: Path) -> None:
    async with RagSage.open(tmp_path / "store", embedder="fast") as sage:
        await sage.ingest(RawSource("a.txt", content="The lamp in the hall is green."), EVERYONE)
        answer = await sage.query("Which lamp is green?", EVERYONE)
    assert [citation.boxes for citation in answer.citations] == [()]
