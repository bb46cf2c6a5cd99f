"""HTML: the main content of a page as headings, paragraphs, lists, tables and code."""

from __future__ import annotations

import re

from dalil.errors import DocumentTooLargeError
from dalil.models import Page, RawSource
from dalil.parsing.characters import Cleaner
from dalil.parsing.encodings import decode
from dalil.parsing.formats.html.page import page_of
from dalil.parsing.formats.html.xhtml import to_html
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_DECLARED = re.compile(rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_XML_START = re.compile(r"\s*<\?xml\b")
_DECLARATION_BYTES = 4096


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page: the main content, or everything that is visible where that would leave nothing.

    Raises:
        DocumentTooLargeError: the markup exceeds the limit.
    """
    if len(data) > limits.markup_bytes:
        raise DocumentTooLargeError(f"{source.name} has {len(data)} bytes of HTML; the limit is {limits.markup_bytes}.")
    cleaner = Cleaner()
    markup = cleaner.clean(decode_html(data))
    page = page_of(to_html(markup) if _XML_START.match(markup) else markup)
    # References such as &#x202E; become characters only when the markup is parsed.
    text = cleaner.clean(page.text)
    title = cleaner.clean(page.title) if page.title else None
    return Reading((Page(1, text),), title, page.metadata, [*page.warnings(), *cleaner.warnings()])


def decode_html(data: bytes, declared: str | None = None) -> str:
    """The markup, by the encoding that its transport declares, else by the one that it declares itself."""
    if declared is None:
        found = _DECLARED.search(data, 0, _DECLARATION_BYTES)
        declared = found[1].decode("ascii") if found else None
    return decode(data, declared)
