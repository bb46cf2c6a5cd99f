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
}


def reader_of(kind: Format) -> FormatReader:
    """The `read` function for a format."""
    return cast(FormatReader, import_module(_MODULES[kind]).read)
