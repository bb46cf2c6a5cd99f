"""Pictures as documents: PNG, JPEG, GIF, BMP, WebP, and TIFF with its pages. Their text is for OCR to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from PIL import Image

from dalil.errors import CorruptDocumentError, DocumentTooLargeError
from dalil.geometry import PageGeometry
from dalil.models import Page, PageImage, PageLayout, RawSource
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.pictures import check_pixels, open_picture, page_of, png_of, safely
from dalil.parsing.reading import Reading

_POINTS_PER_INCH = 72.0
_USUAL_RESOLUTIONS = (50.0, 2400.0)


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page for a picture, or one for each frame of a TIFF: without text, with its picture as a PNG.

    Raises:
        DocumentTooLargeError: it has more pixels or pages than the limits allow.
        CorruptDocumentError: it is damaged; a frame of a TIFF that is damaged only costs that page.
    """
    with safely(source.name), open_picture(data, source.name, limits) as image:
        frames = getattr(image, "n_frames", 1)
        pages = frames if image.format == "TIFF" else 1
        media_type = Image.MIME.get(image.format or "", "image/*")
    if pages > limits.pages:
        raise DocumentTooLargeError(f"{source.name} has {pages} pages; the limit is {limits.pages}.")
    warnings = [] if frames == pages else [f"only the first of {frames} frames was read: the picture is animated"]
    return Reading(
        _pages(data, source.name, pages, limits, warnings), metadata={"media_type": media_type}, warnings=warnings
    )


def _pages(data: bytes, name: str, count: int, limits: ParsingLimits, warnings: list[str]) -> Iterator[Page]:
    image: Image.Image | None = None
    for number in range(1, count + 1):
        try:
            with safely(name):
                image = image or open_picture(data, name, limits)
                if number > 1:
                    image.seek(number - 1)
                    check_pixels(image, name, limits)
                page = _page(image, number, name, limits)
        except CorruptDocumentError as error:
            if count == 1:
                raise
            image = None  # what reads a damaged frame is in no state to go on
            warnings.append(f"page {number} could not be read: {error.message}")
            page = Page(number)
        yield page


def _page(image: Image.Image, number: int, name: str, limits: ParsingLimits) -> Page:
    pixels, points = max(image.size), _POINTS_PER_INCH / _resolution(image)
    shown = page_of(image, limits)
    # The page is as large as the picture was before it was made smaller, and lies as it is shown.
    scale = points * pixels / max(shown.size)
    width, height = shown.width * scale, shown.height * scale
    return Page(
        number,
        image=PageImage(f"{PurePath(name).name}#page={number}", png_of(shown)),
        layout=PageLayout(0, 1.0, width * height),
        reason="picture",
        geometry=PageGeometry(width, height),
    )


def _resolution(image: Image.Image) -> float:
    """Pixels per inch, where the picture says something that can be; else one for each point."""
    said = image.info.get("dpi")
    try:
        dots = float(said[0]) if said else 0.0
    except (TypeError, ValueError, ZeroDivisionError):
        return _POINTS_PER_INCH
    least, most = _USUAL_RESOLUTIONS
    return dots if least <= dots <= most else _POINTS_PER_INCH
