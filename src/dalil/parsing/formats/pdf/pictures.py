"""Pictures of pages, for OCR and for vision models."""

from __future__ import annotations

import math
import struct
import zlib
from typing import Any

import pypdfium2

from dalil.parsing.limits import ParsingLimits

_POINTS_PER_INCH = 72.0
_LONGEST_SIDE = 20_000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FAST = 3


def page_png(page: pypdfium2.PdfPage, limits: ParsingLimits, dpi: float = 300.0) -> bytes:
    """A page as it is displayed, in 256 greys, as a PNG file.

    It has at most `limits.render_pixels` pixels, so that a giant page is drawn at a lower resolution than `dpi`. The
    lock must be held.

    Raises:
        pypdfium2.PdfiumError: PDFium cannot draw it.
    """
    width, height = page.get_size()
    bitmap = page.render(scale=_scale(width, height, limits.render_pixels, dpi), grayscale=True)
    try:
        return _png(bitmap.width, bitmap.height, bitmap.stride, bitmap.buffer)
    finally:
        bitmap.close()


def _scale(width: float, height: float, most_pixels: int, dpi: float) -> float:
    """Pixels to a point, for a page of that size in points."""
    scale = min(dpi / _POINTS_PER_INCH, _LONGEST_SIDE / max(width, height, 1.0))
    if width * height > 0:
        scale = min(scale, math.sqrt(most_pixels / (width * height)))
    # Each side is rounded up to a whole pixel.
    while math.ceil(width * scale) * math.ceil(height * scale) > max(1, most_pixels):
        scale *= 0.99
    return scale


def _png(width: int, height: int, stride: int, greys: Any) -> bytes:
    """A PNG file of one byte a pixel. `stride` is the distance of two rows, in bytes."""
    packer = zlib.compressobj(_FAST)
    packed = bytearray()
    view = memoryview(greys).cast("B")
    for row in range(height):
        packed += packer.compress(b"\x00")
        packed += packer.compress(view[row * stride : row * stride + width])
    packed += packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", bytes(packed)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
