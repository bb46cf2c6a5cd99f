"""Plain text: kept as it is. A form feed starts a new page."""

from __future__ import annotations

from dalil.models import Page, RawSource
from dalil.parsing.characters import Cleaner
from dalil.parsing.encodings import decode
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """The text, one page for each form feed and one more; a last page without text is dropped."""
    cleaner = Cleaner()
    texts = [cleaner.clean(part).strip("\n") for part in decode(data).split("\f")]
    while len(texts) > 1 and not texts[-1].strip():
        texts.pop()
    pages = tuple(Page(number, text) for number, text in enumerate(texts, 1))
    return Reading(pages, warnings=cleaner.warnings())
