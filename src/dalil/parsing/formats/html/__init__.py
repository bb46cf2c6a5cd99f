"""HTML: the main content of a page as headings, paragraphs, lists, tables and code."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from dalil.errors import DocumentTooLargeError
from dalil.models import Page, RawSource
from dalil.parsing.characters import clean, one_line
from dalil.parsing.encodings import decode
from dalil.parsing.formats.html.blocks import BlockWriter
from dalil.parsing.formats.html.flatten import flatten
from dalil.parsing.formats.html.root import main_content
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.markup import join_blocks
from dalil.parsing.reading import Reading

_DECLARED = re.compile(rb"<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_DECLARATION_BYTES = 4096


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page: the main content, or everything that is visible where that would leave nothing.

    Raises:
        DocumentTooLargeError: the markup exceeds the limit.
    """
    if len(data) > limits.markup_bytes:
        raise DocumentTooLargeError(f"{source.name} has {len(data)} bytes of HTML; the limit is {limits.markup_bytes}.")
    declared = _DECLARED.search(data, 0, _DECLARATION_BYTES)
    text = clean(decode(data, declared[1].decode("ascii") if declared else None))
    parser = LexborHTMLParser(flatten(text))
    root = main_content(parser)
    body = ""
    if root is not None:
        body = join_blocks(BlockWriter().blocks(root))
    if not body and parser.body is not None:
        body = join_blocks(BlockWriter(keep_boilerplate=True).blocks(parser.body))
    return Reading((Page(1, body),), _title(parser))


def _title(parser: LexborHTMLParser) -> str | None:
    for selector in ("head title", "h1"):
        node = parser.css_first(selector)
        title = one_line(node.text()) if node is not None else ""
        if title:
            return title
    return None
