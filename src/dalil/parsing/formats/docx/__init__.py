"""DOCX: headings, lists, tables, text boxes and notes, in the order in which they are read."""

from __future__ import annotations

from dalil.models import RawSource
from dalil.parsing.archives import open_archive
from dalil.parsing.characters import one_line
from dalil.parsing.formats.docx.body import BodyReader
from dalil.parsing.formats.docx.notes import Notes
from dalil.parsing.formats.docx.numbering import Numbering
from dalil.parsing.formats.docx.package import WordPackage
from dalil.parsing.formats.docx.pages import PageBuilder
from dalil.parsing.formats.docx.styles import Styles
from dalil.parsing.formats.docx.xml import children
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """The document's pages: one, or as many as its page breaks make.

    Raises:
        CorruptDocumentError: the archive or its main part is damaged.
        DocumentTooLargeError: it unpacks to more than the limits allow.
        EncryptedDocumentError: a part is locked.
    """
    with open_archive(data, source.name, limits) as archive:
        package = WordPackage(archive, source.name)
        styles = Styles(package.part("styles"))
        numbering = Numbering(package.part("numbering"))
        notes = Notes(package.part("footnotes"), package.part("endnotes"))
        builder = PageBuilder()
        reader = BodyReader(styles, numbering, notes, builder)
        for body in children(package.document, "body"):
            reader.read(body)
        return Reading(builder.pages(), one_line(package.title) or reader.first_heading)
