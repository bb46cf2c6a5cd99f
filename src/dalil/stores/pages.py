"""Pages to what a database holds of them, and back. Their pictures are not kept."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

from dalil.geometry import PageGeometry
from dalil.models import Page, PageLayout

_SIZE = struct.Struct("<2d")


def page_details(page: Page) -> str:
    """What is known of a page besides its text and its words' places, as JSON; empty where nothing is."""
    details: dict[str, Any] = {}
    if page.label:
        details["label"] = page.label
    if page.reason:
        details["reason"] = page.reason
    if page.confidence is not None:
        details["confidence"] = page.confidence
    if page.layout is not None:
        details["layout"] = [page.layout.text_chars, page.layout.image_area_ratio, page.layout.bitmap_area]
    return json.dumps(details, ensure_ascii=True, separators=(",", ":")) if details else ""


def packed_geometry(page: Page) -> bytes | None:
    """The places of a page's words, compressed; None where they are not known."""
    if page.geometry is None:
        return None
    size = _SIZE.pack(page.geometry.width, page.geometry.height)
    return size + zlib.compress(page.geometry.words, 6)


def stored_page(number: int, text: str, details: str, geometry: bytes | None) -> Page:
    """The page that was stored as these values."""
    known: dict[str, Any] = json.loads(details) if details else {}
    layout = known.get("layout")
    return Page(
        number,
        text,
        layout=PageLayout(*layout) if layout else None,
        label=known.get("label", ""),
        reason=known.get("reason", ""),
        confidence=known.get("confidence"),
        geometry=_unpacked(geometry) if geometry else None,
    )


def _unpacked(data: bytes) -> PageGeometry:
    width, height = _SIZE.unpack_from(data)
    return PageGeometry(width, height, zlib.decompress(data[_SIZE.size :]))
