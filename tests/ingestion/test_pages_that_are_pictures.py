"""Pages that are pictures: the model reads them if it sees, then OCR, and what neither reads is reported."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence

import pytest

from dalil.errors import DocumentTimeoutError, EmptyDocumentError, LLMError, LLMRateLimitError, NeedsOCRError
from dalil.fakes import FakeLLMClient
from dalil.geometry import PageGeometry, PlacedWord
from dalil.ingestion.pages import PageReader, ReadPages
from dalil.models import Document, Page, PageImage, PageLayout, PageRoute, ParsedDocument, RecognizedText
from dalil.parsing import LayoutPageClassifier
from dalil.tracing import safe

SIZE = PageGeometry(600, 800)


def scan(number: int, shows: str = "", *, text: str = "", reason: str = "no text layer", chars: int = 0) -> Page:
    """A page whose picture shows `shows`."""
    image = PageImage(f"scan#page={number}", shows.encode())
    return Page(number, text, image, PageLayout(chars, 1.0, 480_000), reason=reason, geometry=SIZE)


class Blind(FakeLLMClient):
    """Sees nothing, as the extractive answerer."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def transcribe(self, image: PageImage) -> str:
        self.asked.append(image.ref)
        return ""


class Failing(Blind):
    async def transcribe(self, image: PageImage) -> str:
        await super().transcribe(image)
        raise LLMRateLimitError("Too many requests.")


class Recognizer:
    """Reads the bytes of a picture as its text; "!" in them makes it fail, "?" makes it unsure."""

    def __init__(self, at_once: int = 2) -> None:
        self.at_once = at_once
        self.now = self.most = 0
        self.read: list[str] = []
        self._counting = threading.Lock()

    def recognize(self, image: PageImage) -> RecognizedText:
        with self._counting:
            self.now += 1
            self.most = max(self.most, self.now)
            self.read.append(image.ref)
        time.sleep(0.01)
        with self._counting:
            self.now -= 1
        text = (image.data or b"").decode()
        if "!" in text:
            raise DocumentTimeoutError("It took too long.")
        geometry = PageGeometry.of(2400, 3200, [PlacedWord(0, len(text), 0.1, 0.1, 0.5, 0.2)])
        return RecognizedText(text, 0.46 if "?" in text else 0.93, "tesseract", geometry, ("digits are unreliable",))


async def read(
    pages: Sequence[Page],
    llm: FakeLLMClient | None = None,
    recognizer: Recognizer | None = None,
    warnings: Sequence[str] = (),
) -> ReadPages:
    parsed = ParsedDocument(Document("id", "scan.pdf", "hash"), pages, tuple(warnings))
    return await PageReader(LayoutPageClassifier(), llm or Blind(), recognizer, safe(None)).read(parsed)


NEEDS = "page {} has no text layer: needs OCR"


async def test_a_model_that_sees_is_asked_first() -> None:
    recognizer = Recognizer()
    found = await read([scan(1, "A lamp.")], FakeLLMClient(), recognizer, [NEEDS.format(1)])
    (page,) = found.pages
    assert (page.text, page.reason, page.confidence) == ("A lamp.", "vision, no text layer", None)
    assert page.route is PageRoute.VISION
    assert page.geometry == SIZE
    assert found.warnings == ()
    assert recognizer.read == []


async def test_ocr_reads_what_the_model_does_not_see() -> None:
    found = await read([scan(1, "A lamp.")], Blind(), Recognizer(), [NEEDS.format(1)])
    (page,) = found.pages
    assert (page.text, page.reason, page.confidence) == ("A lamp.", "tesseract, no text layer", 0.93)
    assert found.routes == {PageRoute.TEXT: 0, PageRoute.VISION: 1}
    assert page.geometry is not None
    assert (page.geometry.width, page.geometry.height) == (600, 800)
    assert len(page.geometry.boxes(1, 0, 7)) == 1
    assert page.layout == scan(1).layout


async def test_what_holds_of_every_page_is_said_once_and_pages_come_in_order() -> None:
    pages = [scan(number, f"Lamp {number}{'?' * (number == 3)}") for number in range(1, 41)]
    recognizer = Recognizer(at_once=3)
    found = await read(pages, Blind(), recognizer)
    assert [page.text.rstrip("?") for page in found.pages] == [f"Lamp {number}" for number in range(1, 41)]
    assert found.warnings == ("digits are unreliable", "page 3 was read with little confidence (0.46)")
    assert recognizer.most == 3


async def test_pictures_are_not_kept() -> None:
    pages = [scan(1, "A lamp."), Page(2, "Text.", PageImage("text", b"picture"), PageLayout(500, 0.1, 9))]
    found = await read(pages, Blind(), Recognizer())
    assert [page.image and page.image.data for page in found.pages] == [None, None]


async def test_few_pictures_are_in_memory_at_one_moment() -> None:
    alive: set[int] = set()
    most = 0

    class Lazy(Sequence[Page]):
        """Pages that are made when they are asked for."""

        def __len__(self) -> int:
            return 200

        def __getitem__(self, index: int) -> Page:  # type: ignore[override]
            raise AssertionError("pages are read one after the other")

        def __iter__(self) -> Iterator[Page]:
            for number in range(1, 201):
                nonlocal most
                alive.add(number)
                most = max(most, len(alive))
                yield scan(number, f"Lamp {number}")

    class Forgetful(Recognizer):
        def recognize(self, image: PageImage) -> RecognizedText:
            alive.discard(int(image.ref.rpartition("=")[2]))
            return RecognizedText("A lamp.", 0.9)

    found = await read(Lazy(), Blind(), Forgetful())
    assert len(found.pages) == 200
    assert most <= 16


async def test_a_model_that_fails_is_replaced_by_ocr_and_not_asked_for_ever() -> None:
    model = Failing()
    found = await read([scan(number, f"Lamp {number}") for number in range(1, 21)], model, Recognizer(at_once=1))
    assert [page.text for page in found.pages] == [f"Lamp {number}" for number in range(1, 21)]
    assert len(model.asked) == 3
    told = [warning for warning in found.warnings if "since the model failed: Too many requests." in warning]
    assert len(told) == 20


@pytest.mark.parametrize("recognizer", [None, Recognizer()])
async def test_a_failed_model_is_an_error_where_nothing_else_can_read_the_page(recognizer: Recognizer | None) -> None:
    with pytest.raises(LLMError):
        await read([Page(1, "Text."), scan(2, "" if recognizer else "A lamp.")], Failing(), recognizer)


async def test_a_model_that_breaks_is_an_error_of_the_tree() -> None:
    class Broken(Blind):
        async def transcribe(self, image: PageImage) -> str:
            raise ZeroDivisionError("by zero")

    with pytest.raises(LLMError, match="by zero"):
        await read([scan(1, "A lamp.")], Broken())
    assert (await read([scan(1, "A lamp.")], Broken(), Recognizer())).pages[0].text == "A lamp."


async def test_text_that_nobody_can_better_is_kept_and_warned_about() -> None:
    warning = "page 2 has a garbled text layer: needs OCR"
    pages = [Page(1, "Good."), scan(2, "Lamps.", text="ledbrag", reason="garbled text layer")]
    found = await read(pages, Blind(), None, [warning])
    assert (found.pages[1].text, found.pages[1].reason, found.warnings) == ("ledbrag", "garbled text layer", (warning,))
    found = await read(pages, Blind(), Recognizer(), [warning])
    assert (found.pages[1].text, found.warnings) == ("Lamps.", ("digits are unreliable",))


async def test_readable_text_of_its_own_is_kept_where_ocr_is_unsure() -> None:
    pages = [scan(1, "L4mp?", text="A lamp is here.", reason="hidden text layer", chars=12)]
    found = await read(pages, Blind(), Recognizer())
    assert (found.pages[0].text, found.pages[0].reason) == ("A lamp is here.", "hidden text layer")
    assert "page 1 keeps its own text: tesseract is unsure (0.46)" in found.warnings


async def test_a_page_that_ocr_fails_on_or_finds_empty_is_reported() -> None:
    pages = [scan(1, "A lamp."), scan(2, "!"), scan(3, " "), Page(4)]
    found = await read(pages, Blind(), Recognizer(), [NEEDS.format(2), NEEDS.format(3)])
    assert [page.text for page in found.pages] == ["A lamp.", "", "", ""]
    assert found.warnings == (
        "digits are unreliable",
        "page 2 has no text layer: needs OCR",
        "page 2 could not be read by OCR: It took too long.",
        "page 3 shows no text that tesseract can read",
        "page 4 has no text",
    )


async def test_a_document_of_pictures_that_nothing_reads_says_what_to_install() -> None:
    with pytest.raises(NeedsOCRError, match="apt-get install tesseract-ocr tesseract-ocr-ara") as caught:
        await read([scan(1, "A lamp."), scan(2, "A chair.")])
    assert isinstance(caught.value, EmptyDocumentError)
    assert caught.value.details == {"pictures": 2}


async def test_where_ocr_is_there_already_it_is_not_to_be_installed() -> None:
    with pytest.raises(NeedsOCRError) as caught:
        await read([scan(1, " ")], Blind(), Recognizer())
    assert "tesseract finds no text" in str(caught.value)
    assert "install" not in str(caught.value).casefold()
    with pytest.raises(NeedsOCRError, match="It took too long") as caught:
        await read([scan(1, "!")], Blind(), Recognizer())
    assert "apt-get" not in str(caught.value)


async def test_a_document_without_pictures_needs_no_ocr() -> None:
    assert (await read([Page(1), Page(2)])).warnings == ("page 1 has no text", "page 2 has no text")


async def test_pictures_are_read_off_the_loop() -> None:
    class Slow(Recognizer):
        def recognize(self, image: PageImage) -> RecognizedText:
            time.sleep(0.2)
            return super().recognize(image)

    late = 0.0

    async def watch() -> None:
        nonlocal late
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            late = max(late, time.monotonic() - before)

    watching = asyncio.create_task(watch())
    await read([scan(1, "A lamp.")], Blind(), Slow())
    watching.cancel()
    assert late < 0.15


async def test_an_unknown_failure_of_ocr_costs_only_its_page() -> None:
    class Broken(Recognizer):
        def recognize(self, image: PageImage) -> RecognizedText:
            raise ZeroDivisionError("by zero")

    found = await read([Page(1, "Text."), scan(2, "A lamp.")], Blind(), Broken())
    assert found.warnings == ("page 2 could not be read by OCR: OCR failed: by zero.",)
