"""DOCX: headings, lists, tables, text boxes and notes, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from dalil.models import Page, RawSource
from dalil.parsing.archives import open_archive
from dalil.parsing.formats.docx.body import BodyReader
from dalil.parsing.formats.office.package import OfficePackage
from dalil.parsing.formats.office.pictures import picture_page, pictures_of
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_USUAL_PLACE = "word/document.xml"


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """The document's pages: one, or as many as its page breaks make.

    Its title is its property, else the first heading on its first two pages. A document without any text is a page for
    each of its pictures: a scan, most likely. Embedded office documents are attachments.

    Raises:
        CorruptDocumentError: the archive or its main part is damaged.
        DocumentTooLargeError: it unpacks to more than the limits allow, or a table has too many cells.
        EncryptedDocumentError: a part is locked.
    """
    package = OfficePackage(open_archive(data, source.name, limits), source.name, _USUAL_PLACE)
    properties = package.properties
    reader = BodyReader(package, limits)
    pages = reader.pages()
    first = list(islice(pages, 2))
    if not any(page.text for page in first):
        pictures = _pictures(package, limits)
        scanned = list(islice(pictures, 1))
        first, pages = (scanned, pictures) if scanned else (first, pages)
    links = package.links(package.main)
    return Reading(
        chain(first, pages),
        properties.title or reader.first_heading,
        {**properties.metadata, **({"links": links} if links else {})},
        reader.warnings,
        package.embedded(limits, package.main),
    )


def _pictures(package: OfficePackage, limits: ParsingLimits) -> Iterator[Page]:
    number = 1
    for member in dict.fromkeys(pictures_of(package, package.main, package.document)):
        page = picture_page(package, member, number, limits)
        if page is not None:
            yield page
            number += 1
