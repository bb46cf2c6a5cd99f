"""Compound files: the containers of older office programs, of Outlook, and of locked office documents."""

from __future__ import annotations

import io
from typing import Any

from dalil.errors import CorruptDocumentError, EncryptedDocumentError, UnsupportedFormatError
from dalil.parsing.kinds import Format

SIGNATURE = bytes.fromhex("D0CF11E0A1B11AE1")
_ENCRYPTED = "EncryptedPackage"
_READ = {"__properties_version1.0": Format.MSG, "workbook": Format.XLS, "book": Format.XLS}
_UNREAD = {
    "worddocument": ("an old Word document (.doc)", "Save it as .docx or PDF."),
    "powerpoint document": ("an old PowerPoint presentation (.ppt)", "Save it as .pptx or PDF."),
    "visiodocument": ("a Visio drawing", "Save it as PDF."),
    "quill": ("a Publisher document", "Save it as PDF."),
    "\x05hwpsummaryinformation": ("a Hangul document (.hwp)", "Save it as .docx or PDF."),
}


def kind_of_compound(data: bytes, name: str) -> Format:
    """The format of a compound file, by the names in its root directory.

    Raises:
        CorruptDocumentError: its directory cannot be read.
        EncryptedDocumentError: it holds an office document locked with a password.
        UnsupportedFormatError: no reader knows it; the message names it where it is known.
    """
    try:
        with open_compound(data, name) as container:
            names = {entry[0].lower() for entry in container.listdir(streams=True, storages=True)}
    except CorruptDocumentError:
        # A locked document can be told even where its container is damaged.
        if _ENCRYPTED.encode("utf-16-le") not in data:
            raise
        names = {_ENCRYPTED.lower()}
    if _ENCRYPTED.lower() in names:
        raise EncryptedDocumentError(f"{name} is an office document locked with a password.")
    for known, kind in _READ.items():
        if known in names:
            return kind
    for known, (what, advice) in _UNREAD.items():
        if known in names:
            raise UnsupportedFormatError(f"{name} is {what}, which cannot be read.", advice=advice)
    raise UnsupportedFormatError(
        f"{name} is a file of an older program, which cannot be read.", advice="Save it as .docx or PDF."
    )


def open_compound(data: bytes, name: str) -> Any:
    """An `olefile.OleFileIO` over the bytes.

    Raises:
        CorruptDocumentError: it is damaged.
    """
    import olefile

    try:
        return olefile.OleFileIO(io.BytesIO(data))
    except Exception as error:
        # Damaged tables surface as whatever indexing or unpacking them raises.
        raise CorruptDocumentError(f"{name} is damaged or incomplete.") from error
