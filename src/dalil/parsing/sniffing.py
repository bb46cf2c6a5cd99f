"""What a file is, by its content; its name and declared type only break ties."""

from __future__ import annotations

import re

from dalil.errors import CorruptDocumentError, EmptyDocumentError, UnsupportedFormatError
from dalil.parsing.encodings import decode
from dalil.parsing.kinds import MEDIA_TYPES, Format
from dalil.parsing.limits import ParsingLimits
from dalil.parsing.signatures import picture_type, unread_kind

__all__ = ["MEDIA_TYPES", "Format", "sniff"]

_HEAD_BYTES = 1024
_SAMPLE_BYTES = 64 * 1024
_COMPOUND = bytes.fromhex("D0CF11E0A1B11AE1")
_BINARY_ENDINGS = (
    "pdf docx docm dotx pptx pptm ppsx xlsx xlsm xlsb xls ods odt epub msg png jpg jpeg gif tif tiff bmp webp"
)
_BINARY_NAMES = tuple(f".{ending}" for ending in _BINARY_ENDINGS.split())
_RTF_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\\rtf")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_TOLERATED_CONTROLS = 0.05
_FEW_CONTROLS = 4


def sniff(data: bytes, name: str, media_type: str | None, limits: ParsingLimits) -> Format:
    """The format of `data`.

    Raises:
        EmptyDocumentError: there is nothing in it.
        UnsupportedFormatError: it is something that no reader knows; the message names it where it is known.
        EncryptedDocumentError: it is an office document locked with a password.
        CorruptDocumentError: its name promises a format that its content is not, or its container is damaged.
        DocumentTooLargeError: its container exceeds a limit.
    """
    if not data.strip(b" \t\r\n\0\xef\xbb\xbf\xfe\xff"):
        raise EmptyDocumentError(f"{name} is empty.")
    if _is_pdf(data):
        return Format.PDF
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        from dalil.parsing.archives import kind_of_archive

        return kind_of_archive(data, name, limits)
    if data.startswith(_COMPOUND):
        from dalil.parsing.compound import kind_of_compound

        return kind_of_compound(data, name)
    if _RTF_START.match(data):
        return Format.RTF
    if picture_type(data):
        return Format.PICTURE
    unread = unread_kind(data)
    if unread:
        raise UnsupportedFormatError(f"{name} is {unread}, which cannot be read.")
    return _text_kind(data, name, media_type or "")


def _is_pdf(data: bytes) -> bool:
    """A PDF header in the first kilobyte. Text that only speaks of one has no objects after it."""
    start = data.find(b"%PDF-", 0, _HEAD_BYTES)
    if start < 0:
        return False
    return not data[:start].strip() or b" obj" in data[start : start + _SAMPLE_BYTES]


def _text_kind(data: bytes, name: str, media_type: str) -> Format:
    from dalil.parsing.text_kinds import kind_of_text

    sample = decode(data[:_SAMPLE_BYTES])
    controls = len(_CONTROL.findall(sample))
    if controls > max(_FEW_CONTROLS, _TOLERATED_CONTROLS * len(sample)):
        if name.lower().endswith(_BINARY_NAMES):
            raise CorruptDocumentError(f"{name} is damaged, or is not what its name says.")
        raise UnsupportedFormatError(f"{name} is binary data of an unknown format.")
    return kind_of_text(
        sample.removeprefix("\ufeff"), name.lower(), media_type.lower(), whole=len(data) <= _SAMPLE_BYTES
    )
