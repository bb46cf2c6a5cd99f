"""A page's picture with the words and paragraphs that were read marked in it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from PIL import Image, ImageDraw

from dalil.geometry import PlacedWord
from dalil.models import Page

_WORD_COLOUR = (70, 130, 230)
_BLOCK_COLOUR = (210, 50, 50)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MARGIN = 3  # pixels around a paragraph


def marked(png: bytes, page: Page) -> bytes:
    """The picture as a PNG: each word framed in blue, each paragraph in red with its number in reading order."""
    with Image.open(io.BytesIO(png)) as picture:
        canvas = picture.convert("RGB")
    pen = ImageDraw.Draw(canvas)
    words = list(page.geometry.placed_words()) if page.geometry else []
    for word in words:
        pen.rectangle(_edges(canvas, [word]), outline=_WORD_COLOUR)
    for number, block in enumerate(_blocks(page.text, words), 1):
        left, top, right, bottom = _edges(canvas, block)
        pen.rectangle(
            (left - _MARGIN, top - _MARGIN, right + _MARGIN, bottom + _MARGIN), outline=_BLOCK_COLOUR, width=2
        )
        pen.text((left, max(0, top - 14)), str(number), fill=_BLOCK_COLOUR)
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG")
    return buffer.getvalue()


def _blocks(text: str, words: Iterable[PlacedWord]) -> list[list[PlacedWord]]:
    """The words of each paragraph, which blank lines separate."""
    starts = [0, *(gap.end() for gap in _BLANK_LINE.finditer(text))]
    blocks: list[list[PlacedWord]] = [[] for _ in starts]
    current = 0
    for word in words:
        while current + 1 < len(starts) and word.start >= starts[current + 1]:
            current += 1
        blocks[current].append(word)
    return [block for block in blocks if block]


def _edges(canvas: Image.Image, words: list[PlacedWord]) -> tuple[float, float, float, float]:
    """The rectangle around words, in pixels."""
    return (
        min(word.left for word in words) * canvas.width,
        min(word.top for word in words) * canvas.height,
        max(word.right for word in words) * canvas.width,
        max(word.bottom for word in words) * canvas.height,
    )
