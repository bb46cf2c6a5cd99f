"""PDF: the text layer, page by page, with its structure, the places of its words, and what routes a page.

A document is read twice. The first time every page is looked at by itself, and what was found is put aside; that
tells which type is the body's and what repeats from page to page. The second time the pages are written. Memory does
not grow with the number of pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from dalil.errors import DocumentTooLargeError
from dalil.models import Page, RawSource
from dalil.parsing.formats.pdf.engine import document_title, page_label
from dalil.parsing.formats.pdf.finishing import Finisher
from dalil.parsing.formats.pdf.links import Links
from dalil.parsing.formats.pdf.loading import PageLoader
from dalil.parsing.formats.pdf.outline import Outline
from dalil.parsing.formats.pdf.page import read_page
from dalil.parsing.formats.pdf.spool import PageSpool
from dalil.parsing.formats.pdf.statistics import DocumentStatistics
from dalil.parsing.formats.pdf.tags import Tags
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.progress import page_looked_at
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """Every page that can be loaded; those without readable text carry their picture.

    A garbled text layer stays, for want of a better one, but its layout counts no characters.

    Raises:
        EncryptedDocumentError: it needs a password, or another one than it was given.
        CorruptDocumentError: it cannot be opened, or has no pages.
        DocumentTooLargeError: it has more pages than the limits allow.
    """
    with ExitStack() as stack:
        loader = stack.enter_context(PageLoader(data, source))
        if loader.count > limits.pages:
            raise DocumentTooLargeError(f"{source.name} has {loader.count} pages; the limit is {limits.pages}.")
        with loader.document() as document:
            title = document_title(document)
            outline = Outline.of(document)
            tags = None if outline else Tags(document)
        spool = PageSpool()
        stack.callback(spool.close)
        statistics, problems = DocumentStatistics(outline), dict[int, str]()
        links = Links()
        for index in range(loader.count):
            content = None
            try:
                with loader.page(index) as (document, page):
                    links.add(document, page)
                    content = read_page(page, index + 1, page_label(document, index), tags)
                statistics.add(index + 1, content)
            except Exception as error:
                # One page that PDFium cannot load must not cost the others.
                problems[index + 1] = f"page {index + 1} could not be read: {error}"
            spool.add(content)
            page_looked_at(index + 1)
        warnings: list[str] = []
        finisher = Finisher(loader, source.name, statistics, limits, warnings)
        pages = _pages(finisher, spool, problems, warnings, stack.pop_all())
    found = {"links": links.addresses, "running_headers": statistics.running_headers}
    return Reading(pages, title, {name: list(texts) for name, texts in found.items() if texts}, warnings)


def _pages(
    finisher: Finisher,
    spool: PageSpool,
    problems: dict[int, str],
    warnings: list[str],
    opened_things: ExitStack,
) -> Iterator[Page]:
    """The finished pages. A page that cannot be finished costs only itself."""
    with opened_things:
        for number, content in enumerate(spool.taken(), 1):
            page = Page(number)
            if content is None:
                warnings.append(problems[number])
            else:
                try:
                    page = finisher.page(number, content)
                except Exception as error:
                    warnings.append(f"page {number} could not be read: {error}")
            yield page
