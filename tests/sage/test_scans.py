"""Real scans, from the file to the answer: read by OCR, cited with their places; and limits that can be set."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from dalil import RawSource, Scope
from dalil.errors import DocumentTooLargeError, NeedsOCRError
from dalil.fakes import FakeEmbedder
from dalil.identity import document_id
from dalil.models import PageRoute
from dalil.parsing import ParsingLimits, TesseractRecognizer
from dalil.sage import RagSage

DOCUMENTS = Path(os.environ.get("DALIL_DATA", Path(__file__).parents[3] / "shared" / "data")) / "documents"
SCOPE = Scope("scans")
DOCLING = "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained package"
_FOUND = TesseractRecognizer.found()
needs_documents = pytest.mark.skipif(
    not DOCUMENTS.exists(), reason="the test documents are not here; DALIL_DATA names their folder"
)
needs_tesseract = pytest.mark.skipif(
    _FOUND is None or not {"ara", "eng", "osd"} <= _FOUND.installed,
    reason="tesseract with Arabic and English is not installed: apt-get install tesseract-ocr tesseract-ocr-ara",
)


@pytest.fixture
async def sage(tmp_path: Path) -> AsyncIterator[RagSage]:
    async with RagSage.open(tmp_path / "store", embedder=FakeEmbedder(16)) as sage:
        yield sage


def document(name: str) -> RawSource:
    return RawSource(name, path=DOCUMENTS / name)


@needs_documents
@needs_tesseract
@pytest.mark.parametrize("name", ["ocr_test.pdf", "ocr_test_rotated_90.pdf"])
async def test_a_scan_is_read_and_its_warning_settled(sage: RagSage, name: str) -> None:
    result = await sage.ingest(document(name), SCOPE)
    assert result.route_counts == {PageRoute.TEXT: 0, PageRoute.VISION: 1}
    assert result.warnings == ()
    (page,) = await sage.pages(SCOPE, document_id(name))
    assert " ".join(page.text.split()) == DOCLING
    assert page.reason == "tesseract, no text layer"
    assert page.confidence is not None
    assert page.confidence > 0.9
    assert page.geometry is not None
    assert len(list(page.geometry.placed_words())) == len(page.text.split())


@needs_documents
@needs_tesseract
async def test_a_garbled_page_is_read_anew(sage: RagSage) -> None:
    result = await sage.ingest(document("right_to_left_02.pdf"), SCOPE)
    (page,) = await sage.pages(SCOPE, result.document.id)
    assert "الحكومة المصرية تضع صوب أعينها خلال المرحلة المقبلة" in page.text
    assert page.reason == "tesseract, garbled text layer"
    assert [warning for warning in result.warnings if "digits" in warning]
    assert not [warning for warning in result.warnings if "garbled" in warning]


@needs_documents
@pytest.mark.parametrize(("name", "pages"), [("vicksburg_ocr.pdf", 6), ("picture_classification.pdf", 2)])
async def test_pages_with_good_text_are_left_alone(sage: RagSage, name: str, pages: int) -> None:
    result = await sage.ingest(document(name), SCOPE)
    assert result.route_counts == {PageRoute.TEXT: pages, PageRoute.VISION: 0}
    read = await sage.pages(SCOPE, result.document.id)
    assert all(page.route is PageRoute.TEXT and page.confidence is None for page in read)


@needs_documents
async def test_without_ocr_a_scan_says_what_it_needs_and_a_garbled_page_keeps_its_text(sage: RagSage) -> None:
    await sage.migrate()
    blind = RagSage(database=sage.database, compute=replace(sage.compute, recognizer=None), stores=sage._stores)
    with pytest.raises(NeedsOCRError, match="apt-get install tesseract-ocr tesseract-ocr-ara"):
        await blind.ingest(document("ocr_test.pdf"), SCOPE)
    result = await blind.ingest(document("right_to_left_02.pdf"), SCOPE)
    assert result.warnings == ("page 1 has a garbled text layer: needs OCR",)


async def test_limits_can_be_set(tmp_path: Path) -> None:
    limits = ParsingLimits(file_bytes=100)
    async with RagSage.open(tmp_path / "store", embedder=FakeEmbedder(16), limits=limits) as sage:
        await sage.ingest(RawSource("a.txt", content="A lamp."), SCOPE)
        with pytest.raises(DocumentTooLargeError):
            await sage.ingest(RawSource("b.txt", content="A lamp. " * 50), SCOPE)
