"""`dalil show`: what was read from a document, or what would be read from a file, and a page with its words marked."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dalil.answering.extractive import ExtractiveAnswerer
from dalil.cli.failures import DONE, printable
from dalil.cli.output import console, print_document
from dalil.cli.passwords import password_of
from dalil.cli.places import Place, exists, find_document
from dalil.errors import ConfigurationError, DocumentNotFoundError, LoaderError, StoreUnavailableError
from dalil.identity import content_hash
from dalil.ingestion.attachments import ATTACHED_TO
from dalil.ingestion.pages import PageReader
from dalil.models import Document, Page, RawSource
from dalil.parsing import HeuristicBackend, LayoutPageClassifier, TesseractRecognizer
from dalil.tracing import safe


@dataclass(frozen=True)
class Shown:
    """A document with the pages that are shown. `stored` says whether it is in the store."""

    document: Document
    pages: Sequence[Page]
    warnings: Sequence[str]
    stored: bool


async def show_document(
    name: str, place: Place, *, page: int | None, png: Path | None, password: str | None, as_json: bool, quiet: bool
) -> int:
    """What was read from a document, whole or one page; `png` is the file for a picture of that page."""
    if png is not None and page is None:
        raise ConfigurationError("--png draws one page.", advice="Say which with --page N.")
    password = password_of(password)
    shown = await _stored(name, place, page)
    if shown is None:
        shown = await _fresh(RawSource(place.source_name(Path(name)), path=name, password=password), page)
        print(f"{printable(name)} is not in the store: this is what would be read.", file=sys.stderr)
    if png is not None:
        await _draw(shown, place, name, png, password)
    if as_json:
        print(json.dumps(_json(shown), ensure_ascii=False))
    else:
        print_document(console(sys.stdout), shown.document, shown.pages, shown.warnings, bare=quiet)
    return DONE


async def _stored(name: str, place: Place, page: int | None) -> Shown | None:
    """The document of the store; None where it has none and `name` is a file."""
    try:
        async with place.open_existing() as sage:
            document = await find_document(sage, place.scope, name)
            record = await sage.record(place.scope, document.id)
            pages = await sage.pages(place.scope, document.id)
    except (DocumentNotFoundError, StoreUnavailableError):
        if _is_file(name):
            return None
        raise
    return _only(Shown(document, pages, record.warnings if record else (), stored=True), page)


def _is_file(name: str) -> bool:
    return bool(name) and os.path.isfile(name)


async def _fresh(source: RawSource, page: int | None) -> Shown:
    """What is read from a file now, by the means of this machine alone."""
    parsed = await asyncio.to_thread(HeuristicBackend().parse, source)
    if page is not None:
        wanted = tuple(item for item in parsed.pages if item.number == page)
        _check_page(parsed.document, len(parsed.pages), page, found=bool(wanted))
        parsed = replace(parsed, pages=wanted)
    reader = PageReader(LayoutPageClassifier(), ExtractiveAnswerer(), TesseractRecognizer.found(), safe(None))
    read = await reader.read(parsed)
    return _only(Shown(parsed.document, read.pages, read.warnings, stored=False), page)


def _only(shown: Shown, page: int | None) -> Shown:
    """The same with one page, and the warnings that concern it."""
    if page is None:
        return shown
    pages = [item for item in shown.pages if item.number == page]
    _check_page(shown.document, len(shown.pages), page, found=bool(pages))
    about = [item for item in shown.warnings if not item.startswith("page ") or item.startswith(f"page {page} ")]
    return replace(shown, pages=pages, warnings=about)


def _check_page(document: Document, count: int, page: int, *, found: bool) -> None:
    if not found:
        raise DocumentNotFoundError(f"{document.source} has no page {page}.", advice=f"It has {count} page(s).")


async def _draw(shown: Shown, place: Place, name: str, png: Path, password: str | None) -> None:
    """Write the page's picture with what was read marked in it; read the file anew where it has changed."""
    from dalil.cli.drawing import marked
    from dalil.parsing.picturing import page_picture

    file = Path(name) if not shown.stored else _file_of(shown.document, place)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise LoaderError(f"{file} cannot be read: {error.strerror or error}.") from error
    page = shown.pages[0]
    source = RawSource(shown.document.source, content=data, password=password)
    if content_hash(data) != shown.document.content_hash:
        print(
            f"{printable(str(file))} has changed since it was added: the picture shows it as it is now.",
            file=sys.stderr,
        )
        page = (await _fresh(source, page.number)).pages[0]
    picture = await asyncio.to_thread(page_picture, data, source, page.number)
    try:
        await asyncio.to_thread(png.write_bytes, marked(picture, page))
    except OSError as error:
        raise ConfigurationError(f"{png} cannot be written: {error.strerror or error}.") from error


def _file_of(document: Document, place: Place) -> Path:
    """Where a stored document came from."""
    if ATTACHED_TO in document.metadata:
        raise LoaderError(
            f"{document.source} is an attachment, of which there is no file.", advice="Save it, and show that file."
        )
    file = place.files_beside.absolute().parent / document.source
    if not exists(file):
        raise LoaderError(f"{file} is gone, so its pages cannot be drawn.", advice="Leave --png out.")
    return file


def _json(shown: Shown) -> dict[str, Any]:
    return {
        "source": shown.document.source,
        "document_id": shown.document.id,
        "metadata": dict(shown.document.metadata),
        "warnings": list(shown.warnings),
        "pages": [_page_json(page) for page in shown.pages],
    }


def _page_json(page: Page) -> dict[str, Any]:
    layout, geometry = page.layout, page.geometry
    return {
        "number": page.number,
        "text": page.text,
        "label": page.label,
        "route": str(page.route) if page.route else None,
        "reason": page.reason,
        "confidence": page.confidence,
        "layout": layout
        and {
            "text_chars": layout.text_chars,
            "image_area_ratio": layout.image_area_ratio,
            "bitmap_area": layout.bitmap_area,
        },
        "size": geometry and [geometry.width, geometry.height],
    }
