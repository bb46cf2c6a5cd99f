"""One room per format. A reader is loaded when a document of its format arrives."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from dalil.parsing.reading import FormatReader
from dalil.parsing.sniffing import Format

_MODULES = {
    Format.TEXT: "dalil.parsing.formats.text",
    Format.MARKDOWN: "dalil.parsing.formats.markdown",
    Format.HTML: "dalil.parsing.formats.html",
    Format.PDF: "dalil.parsing.formats.pdf",
    Format.DOCX: "dalil.parsing.formats.docx",
    Format.PPTX: "dalil.parsing.formats.pptx",
    Format.XLSX: "dalil.parsing.formats.sheets",
    Format.XLSB: "dalil.parsing.formats.sheets",
    Format.XLS: "dalil.parsing.formats.sheets",
    Format.ODS: "dalil.parsing.formats.sheets",
    Format.ODT: "dalil.parsing.formats.odt",
    Format.RTF: "dalil.parsing.formats.rtf",
    Format.EPUB: "dalil.parsing.formats.epub",
    Format.CSV: "dalil.parsing.formats.delimited",
    Format.JSON: "dalil.parsing.formats.json",
    Format.JSONL: "dalil.parsing.formats.json",
    Format.EML: "dalil.parsing.formats.mail",
    Format.MSG: "dalil.parsing.formats.outlook",
    Format.PICTURE: "dalil.parsing.formats.picture",
}
_ARTICLES = "dalil.parsing.formats.html.article"


def reader_of(kind: Format, *, articles: bool = False) -> FormatReader:
    """The `read` function for a format; with `articles`, of HTML the one that looks for the article."""
    module = _ARTICLES if articles and kind is Format.HTML else _MODULES[kind]
    return cast(FormatReader, import_module(module).read)
