"""Pictures of pages as PNG: opened within limits, upright, grey, on white, no larger than reading needs."""

from __future__ import annotations

import io
import math
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageOps, UnidentifiedImageError

from dalil.errors import CorruptDocumentError, DocumentTooLargeError
from dalil.parsing.limits import ParsingLimits

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_SIZE = struct.Struct(">8s4x4sII")
_FORMATS = ("PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP")
_SIXTEEN_TO_EIGHT = 1 / 257
_WHITE = 255


@contextmanager
def safely(name: str) -> Iterator[None]:
    """What Pillow raises while it opens or decodes the picture called so, as our errors; its warnings are dropped.

    Raises:
        DocumentTooLargeError: it has more pixels than Pillow opens.
        CorruptDocumentError: it is no picture, or damaged.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd metadata, and sizes that are checked here
            yield
    except UnidentifiedImageError:
        raise CorruptDocumentError(f"{name} is a damaged picture, or none at all.") from None
    except Image.DecompressionBombError:
        raise DocumentTooLargeError(f"{name} has more pixels than can be opened safely.") from None
    except (OSError, SyntaxError, ValueError, struct.error, EOFError) as error:
        raise CorruptDocumentError(f"{name} is a damaged picture: {error}.") from error


def open_picture(data: bytes, name: str, limits: ParsingLimits) -> Image.Image:
    """The picture, of which nothing but its head is decoded yet. Call it, and what decodes, inside `safely`.

    Raises:
        DocumentTooLargeError: it has more pixels than `limits.image_pixels`.
    """
    image = Image.open(io.BytesIO(data), formats=_FORMATS)
    check_pixels(image, name, limits)
    return image


def check_pixels(image: Image.Image, name: str, limits: ParsingLimits) -> None:
    """Refuse a picture, or the frame it stands at, before it is decoded.

    Raises:
        DocumentTooLargeError: it has more pixels than `limits.image_pixels`.
    """
    width, height = image.size
    if width * height > limits.image_pixels:
        raise DocumentTooLargeError(
            f"{name} is a picture of {width} x {height} pixels; the limit is {limits.image_pixels}."
        )


def page_of(image: Image.Image, limits: ParsingLimits) -> Image.Image:
    """A frame as a page: turned as its camera says, grey, on white, at most `limits.render_pixels` large."""
    image.draft("L", _bounded(image.size, limits))  # a JPEG may decode to a smaller size at once
    grey = _grey(ImageOps.exif_transpose(image))
    size = _bounded(grey.size, limits)
    return grey if size == grey.size else grey.resize(size, Image.Resampling.LANCZOS, reducing_gap=2)


def _bounded(size: tuple[int, int], limits: ParsingLimits) -> tuple[int, int]:
    """The size, made smaller where it holds more than `limits.render_pixels`."""
    width, height = size
    share = min(1.0, math.sqrt(limits.render_pixels / max(1, width * height)))
    return max(1, int(width * share)), max(1, int(height * share))


def _grey(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):
        return image.convert("I").point(lambda value: value * _SIXTEEN_TO_EIGHT).convert("L")
    if image.has_transparency_data:
        layered = image.convert("RGBA")
        paper = Image.new("RGBA", layered.size, (_WHITE,) * 4)
        paper.alpha_composite(layered)
        return paper.convert("L")
    return image.convert("L")


def png_of(image: Image.Image) -> bytes:
    """The picture as the bytes of a PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def as_png(data: bytes, name: str, limits: ParsingLimits) -> bytes:
    """A picture as a PNG: as it is if it is one, else its first frame as a page.

    Raises:
        DocumentTooLargeError, CorruptDocumentError: it has too many pixels, or is damaged.
    """
    if data.startswith(_PNG) and len(data) > _PNG_SIZE.size:
        width, height = png_size(data)
        if width * height <= limits.image_pixels:
            return data
    with safely(name), open_picture(data, name, limits) as image:
        return png_of(page_of(image, limits))


def png_size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, in pixels."""
    _, _, width, height = _PNG_SIZE.unpack_from(png)
    return width, height
