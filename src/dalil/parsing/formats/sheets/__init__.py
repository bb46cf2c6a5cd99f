"""Workbooks (XLSX, XLSB, XLS, ODS): one page per sheet, its tables as Markdown."""

from __future__ import annotations

from dalil.models import RawSource
from dalil.parsing.formats.sheets.container import inspect
from dalil.parsing.formats.sheets.reader import sheet_pages
from dalil.parsing.formats.sheets.workbook import open_workbook
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """A page for each visible worksheet, labelled and headed with its name. Hidden sheets are left out with a warning.

    Raises:
        CorruptDocumentError: the file is damaged, has no sheets, or is of a kind that its reader cannot open.
        DocumentTooLargeError: it unpacks to more than the limits allow, or a sheet's used range has too many cells.
        EncryptedDocumentError: it is locked with a password.
    """
    container = inspect(data, source.name, limits)
    workbook = open_workbook(data, source.name)
    return Reading(
        sheet_pages(workbook, container, source.name, limits),
        container.properties.title or None,
        dict(container.properties.metadata),
        container.warnings,
    )
