"""RTF: headings, lists, tables, notes and comments, in the order in which they are read."""

from __future__ import annotations

from dalil.errors import CorruptDocumentError
from dalil.models import RawSource
from dalil.parsing.formats.rtf.interpreter import Interpreter
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.reading import Reading

_START = b"{\\rtf"
_HEAD = 1024


def read(data: bytes, source: RawSource, limits: ParsingLimits) -> Reading:
    """The document's pages: one, or as many as its page breaks make. Its title is its property, else its first heading.

    Raises:
        CorruptDocumentError: it does not begin as RTF does.
        DocumentTooLargeError: its groups are nested too deep, or a table has too many cells.
    """
    start = data.find(_START, 0, _HEAD)
    if start < 0:
        raise CorruptDocumentError(f"{source.name} does not begin as an RTF document.")
    interpreter = Interpreter(data, start, source.name, limits)
    pages = interpreter.pages()
    properties = dict(interpreter.aside.properties)
    title = str(properties.pop("title", "")) or interpreter.writer.first_heading
    return Reading(pages, title, properties, interpreter.warnings)
