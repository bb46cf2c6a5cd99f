"""Pictures of pages, as vision models take them."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field

from dalil.errors import LLMGenerationError
from dalil.models import PageImage

TRANSCRIBE = (
    "Transcribe this picture of a page.\n"
    "- Write down all of its text, in reading order and in the languages it is written in. Arabic is read from right "
    "to left.\n"
    "- Write Markdown: # for headings, - for lists, | for tables.\n"
    "- Do not translate, summarise, correct or describe anything, and add nothing of your own.\n"
    "- If the page has no text, reply with nothing."
)
_FENCED = re.compile(r"\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?```\s*", re.DOTALL)


@dataclass(frozen=True)
class Picture:
    """The bytes of a picture in base64, and their media type."""

    media_type: str
    base64: str = field(repr=False)

    @classmethod
    def of(cls, image: PageImage) -> Picture:
        """The picture of a page whose bytes are at hand.

        Raises:
            LLMGenerationError: if it is not PNG, JPEG, GIF or WebP.
        """
        data = image.data or b""
        media_type = _media_type(data)
        if media_type is None:
            raise LLMGenerationError(
                f"The picture {image.ref} is not of a kind that vision models read.",
                advice="Give PNG, JPEG, GIF or WebP.",
            )
        return cls(media_type, base64.b64encode(data).decode())

    @property
    def data_url(self) -> str:
        """The picture as a URL that contains it."""
        return f"data:{self.media_type};base64,{self.base64}"


def _media_type(data: bytes) -> str | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def unfenced(text: str) -> str:
    """A reply without the code fence that some models put around all of it."""
    found = _FENCED.fullmatch(text)
    return (found[1] if found and "```" not in found[1] else text).strip()
