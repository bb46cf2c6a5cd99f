"""Pages, attachments and errors as frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dalil.errors import DalilError, LoaderError, error_tree
from dalil.geometry import PageGeometry
from dalil.models import Page, PageImage, PageLayout, RawSource

_ABSENT = -1


class Record(NamedTuple):
    """The header and the blobs of a frame."""

    header: dict[str, object]
    blobs: tuple[bytes, ...]


def page_record(page: Page) -> Record:
    """A page: its text, picture and words as bytes, the rest in the header."""
    text = page.text.encode("utf-8", "surrogatepass")
    image = page.image.data if page.image else None
    words = page.geometry.words if page.geometry else b""
    header: dict[str, object] = {
        "kind": "page",
        "number": page.number,
        "label": page.label,
        "reason": page.reason,
        "confidence": page.confidence,
        "layout": page.layout and [page.layout.text_chars, page.layout.image_area_ratio, page.layout.bitmap_area],
        "image": page.image and page.image.ref,
        "geometry": page.geometry and [page.geometry.width, page.geometry.height],
        "sizes": [len(text), _ABSENT if image is None else len(image), len(words)],
    }
    return Record(header, (text, image or b"", words))


def page_of(header: Mapping[str, Any], body: bytes) -> Page:
    """The page that `page_record` wrote.

    Raises:
        ValueError, TypeError, KeyError: it did not write this.
    """
    text, image, words = _blobs(header, body)
    layout, geometry = header["layout"], header["geometry"]
    confidence = header["confidence"]
    return Page(
        number=int(header["number"]),
        text=(text or b"").decode("utf-8", "surrogatepass"),
        image=None if header["image"] is None else PageImage(str(header["image"]), image),
        layout=None if layout is None else PageLayout(int(layout[0]), float(layout[1]), float(layout[2])),
        label=str(header["label"]),
        reason=str(header["reason"]),
        confidence=None if confidence is None else float(confidence),
        geometry=None if geometry is None else PageGeometry(float(geometry[0]), float(geometry[1]), words or b""),
    )


def attachment_record(attachment: RawSource) -> Record:
    """A document that another one carries, with its bytes."""
    data = attachment.read()
    header: dict[str, object] = {
        "kind": "attachment",
        "name": attachment.name,
        "media_type": attachment.media_type,
        "metadata": dict(attachment.metadata),
        "text": isinstance(attachment.content, str),
        "sizes": [len(data)],
    }
    return Record(header, (data,))


def attachment_of(header: Mapping[str, Any], body: bytes) -> RawSource:
    """The attachment that `attachment_record` wrote."""
    content = body.decode("utf-8", "surrogatepass") if header["text"] else body
    return RawSource(
        str(header["name"]), content=content, media_type=header["media_type"], metadata=dict(header["metadata"])
    )


def error_record(error: DalilError) -> Record:
    """An error of the tree. What caused it stays behind."""
    header: dict[str, object] = {
        "kind": "error",
        "code": error.code,
        "message": error.message,
        "advice": error.what_to_do,
        "details": error.details,
    }
    return Record(header, ())


def error_of(header: Mapping[str, Any]) -> DalilError:
    """The error that `error_record` wrote; a LoaderError where its code is not in the tree."""
    kind = next((each for each in error_tree() if each.code == header["code"]), LoaderError)
    error = kind.__new__(kind)  # some classes make their message themselves; this one is there already
    DalilError.__init__(error, str(header["message"]), advice=str(header["advice"]), details=header["details"])
    return error


def _blobs(header: Mapping[str, Any], body: bytes) -> list[bytes | None]:
    """The body cut at its sizes; None for what is absent."""
    blobs: list[bytes | None] = []
    start = 0
    for size in header["sizes"]:
        blobs.append(None if size == _ABSENT else body[start : start + size])
        start += max(size, 0)
    if start != len(body):
        raise ValueError("the sizes in a frame do not add up")
    return blobs
