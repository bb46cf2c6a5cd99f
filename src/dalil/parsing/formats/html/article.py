"""HTML read as an article: trafilatura finds the prose, and leaves out everything that stands around it."""

from __future__ import annotations

import trafilatura

from dalil.models import Page, RawSource
from dalil.parsing.characters import Cleaner
from dalil.parsing.formats.html import decode_html
from dalil.parsing.formats.html import read as read_whole
from dalil.parsing.formats.html.page import page_of
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """One page: the article. Where none is found, the whole page is read, with a warning.

    Raises:
        DocumentTooLargeError: the markup exceeds the limit.
    """
    whole = read_whole(data, source, limits)
    markup = decode_html(data)
    article = trafilatura.extract(markup, output_format="html", include_comments=False, favor_recall=True)
    cleaner = Cleaner()
    text = cleaner.clean(page_of(article, keep_boilerplate=True).text) if article else ""
    if not text.strip():
        warnings = [*whole.warnings, "no article was found in it: the whole page was read"]
        return Reading(whole.pages, whole.title, whole.metadata, warnings)
    return Reading((Page(1, text),), whole.title, whole.metadata, whole.warnings)
