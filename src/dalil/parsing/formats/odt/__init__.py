"""ODT: headings, lists, tables, frames and notes, in the order in which they are read."""

from __future__ import annotations

from itertools import chain, islice

from dalil.errors import CorruptDocumentError
from dalil.models import RawSource
from dalil.parsing.archives import open_archive, read_member
from dalil.parsing.formats.odt.body import BodyReader
from dalil.parsing.formats.odt.package import TextPackage
from dalil.parsing.formats.office.properties import properties_of
from dalil.parsing.formats.office.xml import child, parse_xml
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_MAIN = "content.xml"


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """The document's pages: one, or as many as its page breaks make.

    Its title is its property, else the first heading on its first page.

    Raises:
        CorruptDocumentError: the archive or its main part is damaged.
        DocumentTooLargeError: it unpacks to more than the limits allow, or a table has too many cells.
        EncryptedDocumentError: a part is locked.
    """
    archive = open_archive(data, source.name, limits)
    content = read_member(archive, _MAIN, source.name)
    if content is None:
        raise CorruptDocumentError(f"{source.name} has no main document part.")
    package = TextPackage(archive, source.name, parse_xml(content, source.name, _MAIN))
    properties = properties_of(child(package.root("meta.xml"), "meta"))
    reader = BodyReader(package, limits)
    pages = reader.pages()
    first = list(islice(pages, 1))
    return Reading(chain(first, pages), properties.title or reader.first_heading, properties.metadata, package.warnings)
