"""What a file is, by its content; its name and declared type only break ties."""

from __future__ import annotations

import re
from enum import StrEnum

from dalil.errors import (
    CorruptDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from dalil.parsing.encodings import decode
from dalil.parsing.limits import ParsingLimits


class Format(StrEnum):
    """The formats that can be read."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"


MEDIA_TYPES = {
    Format.TEXT: "text/plain",
    Format.MARKDOWN: "text/markdown",
    Format.HTML: "text/html",
    Format.PDF: "application/pdf",
    Format.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}

_HEAD_BYTES = 1024
_SAMPLE_BYTES = 64 * 1024
_OLE = bytes.fromhex("D0CF11E0A1B11AE1")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_UNREAD_SIGNATURES = (
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
)
_MARKDOWN_NAMES = (".md", ".markdown", ".mdown", ".mkd")
_HTML_NAMES = (".html", ".htm", ".xhtml")
_BINARY_NAMES = (".pdf", ".docx", ".docm")
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.DOTALL
)
_TAG = re.compile(r"<[a-z][a-z0-9]*[\s>/]", re.I)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_TOLERATED_CONTROLS = 0.05
_FEW_CONTROLS = 4


def sniff(data: bytes, name: str, media_type: str | None, limits: ParsingLimits) -> Format:
    """The format of `data`.

    Raises:
        EmptyDocumentError: there is nothing in it.
        UnsupportedFormatError: it is something that no reader knows; the message names it where it is known.
        EncryptedDocumentError: it is an office document locked with a password.
        CorruptDocumentError: its name promises a format that its content is not, or its archive is damaged.
    """
    if not data.strip(b" \t\r\n\0\xef\xbb\xbf\xfe\xff"):
        raise EmptyDocumentError(f"{name} is empty.")
    if _is_pdf(data):
        return Format.PDF
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        from dalil.parsing.archives import kind_of_archive

        return kind_of_archive(data, name, limits)
    if data.startswith(_OLE):
        _refuse_ole(data, name)
    for signature, what in _UNREAD_SIGNATURES:
        if data.startswith(signature):
            raise UnsupportedFormatError(f"{name} is {what}, which cannot be read.")
    return _text_format(data, name.lower(), media_type or "", name)


def _is_pdf(data: bytes) -> bool:
    """A PDF header in the first kilobyte. Text that only speaks of one has no objects after it."""
    start = data.find(b"%PDF-", 0, _HEAD_BYTES)
    if start < 0:
        return False
    return not data[:start].strip() or b" obj" in data[start : start + _SAMPLE_BYTES]


def _refuse_ole(data: bytes, name: str) -> None:
    if _ENCRYPTED_PACKAGE in data:
        raise EncryptedDocumentError(f"{name} is an office document locked with a password.")
    raise UnsupportedFormatError(
        f"{name} is a document of an older office program (.doc, .xls or .ppt), which cannot be read.",
        advice="Save it as .docx or PDF.",
    )


def _text_format(data: bytes, lowered: str, media_type: str, name: str) -> Format:
    sample = decode(data[:_SAMPLE_BYTES])
    controls = len(_CONTROL.findall(sample))
    if controls > max(_FEW_CONTROLS, _TOLERATED_CONTROLS * len(sample)):
        if lowered.endswith(_BINARY_NAMES):
            raise CorruptDocumentError(f"{name} is damaged, or is not what its name says.")
        raise UnsupportedFormatError(f"{name} is binary data of an unknown format.")
    if _HTML_START.match(sample.removeprefix("\ufeff")):
        return Format.HTML
    if (lowered.endswith(_HTML_NAMES) or "html" in media_type) and _TAG.search(sample):
        return Format.HTML
    if lowered.endswith(_MARKDOWN_NAMES) or media_type.startswith("text/markdown"):
        return Format.MARKDOWN
    return Format.TEXT
