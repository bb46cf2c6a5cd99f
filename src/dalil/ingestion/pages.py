"""Reading the pages of one document: from their text, or from their pictures by a model or by OCR."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from dalil.errors import DalilError, LLMError, LLMGenerationError, LoaderError, NeedsOCRError
from dalil.geometry import PageGeometry
from dalil.ingestion.findings import Findings
from dalil.models import Page, PageImage, PageRoute, ParsedDocument, RecognizedText
from dalil.offloop import off_loop
from dalil.ports import LLMClient, PageClassifier, TextRecognizer, Tracer

_PAGES_AT_HAND = 16  # of which the pictures are in memory at one moment
_PICTURES_AT_ONCE = 4  # for a model, where no recogniser says how many
_MOST_FAILURES = 3  # of the model, before the rest of a document is left to OCR
_LITTLE_CONFIDENCE = 0.7


@dataclass(frozen=True)
class ReadPages:
    """The pages of a document as they are kept, without pictures; how many went which way; what to warn about."""

    pages: Sequence[Page]
    routes: Mapping[PageRoute, int]
    warnings: tuple[str, ...]


class PageReader:
    """Routes each page, and reads those that are pictures: by the model if it sees, else by the recogniser.

    What neither reads keeps the text it had, and is warned about.
    """

    def __init__(self, classifier: PageClassifier, llm: LLMClient, recognizer: TextRecognizer | None, tracer: Tracer):
        self._classifier = classifier
        self._llm = llm
        self._recognizer = recognizer
        self._tracer = tracer

    async def read(self, parsed: ParsedDocument) -> ReadPages:
        """The pages in order.

        Raises:
            LLMError: the model failed at a page that nothing else could read.
            NeedsOCRError: no page has any text, and there were pictures.
        """
        findings = Findings(parsed.warnings)
        routes = dict.fromkeys(PageRoute, 0)
        pages: list[Page] = []
        waiting = iter(parsed.pages)
        free = asyncio.Semaphore(_PICTURES_AT_ONCE if self._recognizer is None else max(1, self._recognizer.at_once))
        while batch := await asyncio.to_thread(self._classified, waiting):
            for page, route in batch:
                routes[route] += 1
                self._tracer.event("page_routed", page=page.number, route=route)
            pages += await _all(self._read(page, route, findings, free) for page, route in batch)
        if findings.pictures and not any(page.text.strip() for page in pages):
            raise _nothing_read(parsed.document.source, findings)
        return ReadPages(pages, routes, findings.warnings)

    def _classified(self, waiting: Iterator[Page]) -> list[tuple[Page, PageRoute]]:
        return [(page, self._classifier.classify(page)) for page in islice(waiting, _PAGES_AT_HAND)]

    async def _read(self, page: Page, route: PageRoute, findings: Findings, free: asyncio.Semaphore) -> Page:
        if page.image is not None and route is PageRoute.VISION:
            findings.pictures += 1
            async with free:
                page = await self._seen(page, page.image, findings)
        if not page.text.strip() and not findings.is_warned_of(page.number):
            findings.warn(page.number, "has no text")
        return page if page.image is None else replace(page, image=PageImage(page.image.ref))

    async def _seen(self, page: Page, image: PageImage, findings: Findings) -> Page:
        told = await self._transcribed(image, findings)
        if isinstance(told, str) and told.strip():
            findings.settle(page.number)
            size = page.geometry and PageGeometry(page.geometry.width, page.geometry.height)
            return replace(page, text=told, reason=_reason("vision", page), confidence=None, geometry=size)
        found = await self._recognized(page, image, findings)
        if found is None or not found.text.strip():
            if isinstance(told, LLMError):  # an error now can be mended; a page lost without a word cannot
                raise told
            return page
        if isinstance(told, LLMError):
            findings.warn(page.number, f"was read by {_engine(found)}, since the model failed: {told.message}")
        return _recognized_page(page, found, findings)

    async def _transcribed(self, image: PageImage, findings: Findings) -> str | LLMError:
        if len(findings.model_failures) >= _MOST_FAILURES:
            return findings.model_failures[-1]
        try:
            return await off_loop(self._llm.transcribe(image))
        except LLMError as error:
            failure = error
        except DalilError:
            raise
        except Exception as error:
            failure = LLMGenerationError(f"The model could not transcribe {image.ref}: {error}.")
        findings.model_failures.append(failure)
        self._tracer.event("transcription_failed", image=image.ref, code=failure.code)
        return failure

    async def _recognized(self, page: Page, image: PageImage, findings: Findings) -> RecognizedText | None:
        """What OCR made of a picture; None where there is none, or it failed."""
        if self._recognizer is None or not image.data:
            return None
        try:
            found = await asyncio.to_thread(self._recognizer.recognize, image)
        except DalilError as error:
            failure = error
        except Exception as error:
            failure = LoaderError(f"OCR failed: {error}.")
        else:
            findings.engines.add(_engine(found))
            findings.note(found.warnings)
            if not found.text.strip():
                findings.settle(page.number)
                findings.warn(page.number, f"shows no text that {_engine(found)} can read")
            return found
        findings.failures.append(failure)
        findings.warn(page.number, f"could not be read by OCR: {failure.message}")
        return None


def _recognized_page(page: Page, found: RecognizedText, findings: Findings) -> Page:
    unsure = found.confidence < _LITTLE_CONFIDENCE
    if unsure and page.layout is not None and page.layout.text_chars and page.text.strip():
        findings.warn(page.number, f"keeps its own text: {_engine(found)} is unsure ({found.confidence:.2f})")
        return page
    findings.settle(page.number)
    if unsure:
        findings.warn(page.number, f"was read with little confidence ({found.confidence:.2f})")
    geometry = found.geometry
    if geometry is not None and page.geometry is not None:  # the picture is measured in pixels, the page in points
        geometry = replace(geometry, width=page.geometry.width, height=page.geometry.height)
    return replace(
        page,
        text=found.text,
        reason=_reason(_engine(found), page),
        confidence=found.confidence,
        geometry=geometry,
    )


def _engine(found: RecognizedText) -> str:
    return found.engine or "OCR"


def _reason(reader: str, page: Page) -> str:
    return f"{reader}, {page.reason}" if page.reason else reader


def _nothing_read(source: str, findings: Findings) -> DalilError:
    """Why a document of pictures has no text."""
    details = {"pictures": findings.pictures}
    if findings.failures:
        failure = findings.failures[0]
        return NeedsOCRError(
            f"{source} is made of pictures, and OCR failed: {failure.message}",
            advice=failure.what_to_do,
            details=details,
        )
    if findings.engines:
        readers = ", ".join(sorted(findings.engines))
        return NeedsOCRError(
            f"{source} is made of pictures, in which {readers} finds no text.",
            advice="If they show text, name a model that reads pictures as the llm.",
            details=details,
        )
    return NeedsOCRError(f"{source} is made of pictures: it has no text of its own.", details=details)


async def _all(works: Iterable[Coroutine[Any, Any, Page]]) -> list[Page]:
    """The results in order. When one fails, the others are stopped before its error goes on."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
